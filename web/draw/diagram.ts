/**
 * Draws a flowchart as SVG: Dagre places the nodes, this file writes the shapes.
 * It needs no browser and runs in one as well.
 */

import * as dagre from "@dagrejs/dagre";
import { curveBasis, line } from "d3-shape";
import { type Edge, type Flowchart, type Node, readFlowchart } from "./flowchart.js";
import { CHARACTER, DrawingError, columns, escape, frame, px } from "./svg.js";

interface Point {
  x: number;
  y: number;
}

const NAME_SIZE = 14;
const DETAIL_SIZE = 13;
const LINE = 18;
const PADDING = { x: 9, y: 7 };
const MOST_NODES = 300;
const HEAD = { length: 7, half: 3.2 };

const path = line<Point>()
  .x((point) => point.x)
  .y((point) => point.y)
  .curve(curveBasis)
  .digits(1);

function textWidth(lines: string[], first = DETAIL_SIZE): number {
  return Math.max(
    ...lines.map((text, index) => {
      return columns(text) * CHARACTER * (index === 0 ? first : DETAIL_SIZE);
    }),
  );
}

function sizeOf(node: Node): { width: number; height: number } {
  const width = textWidth(node.lines, NAME_SIZE) + 2 * PADDING.x;
  const height = node.lines.length * LINE + 2 * PADDING.y;
  switch (node.shape) {
    case "circle": {
      const side = Math.max(width, height);
      return { width: side, height: side };
    }
    case "diamond":
      return { width: width * 1.5, height: height * 1.5 };
    case "stadium":
      return { width: width + LINE, height };
    default:
      return { width: Math.max(width, 34), height };
  }
}

/** Lines of text around a centre; the first names the thing. */
function text(lines: string[], { x, y }: Point): string {
  const top = y - ((lines.length - 1) * LINE) / 2 + 4.5;
  const spans = lines.map((content, index) => {
    const position = `x="${px(x)}" y="${px(top + index * LINE)}"`;
    return `<tspan ${position}>${escape(content)}</tspan>`;
  });
  return `<text>${spans.join("")}</text>`;
}

function outline(node: Node, box: Point & { width: number; height: number }): string {
  const { x, y, width, height } = box;
  if (node.shape === "circle") {
    return `<circle cx="${px(x)}" cy="${px(y)}" r="${px(width / 2)}"/>`;
  }
  const [left, top] = [x - width / 2, y - height / 2];
  if (node.shape === "diamond") {
    const corners = [
      [x, top],
      [left + width, y],
      [x, top + height],
      [left, y],
    ];
    return `<path d="M${corners.map((corner) => corner.map(px).join(" ")).join("L")}Z"/>`;
  }
  const corner = { box: 2, round: 9, stadium: height / 2 }[node.shape];
  return (
    `<rect x="${px(left)}" y="${px(top)}" width="${px(width)}"` +
    ` height="${px(height)}" rx="${px(corner)}"/>`
  );
}

/** Shortens the line by an arrowhead and returns that head. */
function head(points: Point[]): string {
  const tip = points.at(-1) as Point;
  const before = points.at(-2) as Point;
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const base = { x: tip.x - dx * HEAD.length, y: tip.y - dy * HEAD.length };
  points[points.length - 1] = base;
  const wings = [1, -1].map((side) => {
    const [x, y] = [base.x - side * dy * HEAD.half, base.y + side * dx * HEAD.half];
    return `${px(x)} ${px(y)}`;
  });
  return `<path class="head" d="M${px(tip.x)} ${px(tip.y)}L${wings.join("L")}Z"/>`;
}

function drawEdge(edge: Edge, points: Point[], label: Point): string {
  const ends = points.map((point) => ({ ...point }));
  let heads = edge.heads.end ? head(ends) : "";
  if (edge.heads.start) {
    ends.reverse();
    heads += head(ends);
    ends.reverse();
  }
  const kind = edge.stroke === "solid" ? "edge" : `edge ${edge.stroke}`;
  return (
    `<g class="${kind}" data-from="${escape(edge.from)}" data-to="${escape(edge.to)}">` +
    `<path d="${path(ends) as string}"/>${heads}` +
    (edge.lines.length > 0 ? text(edge.lines, label) : "") +
    "</g>"
  );
}

/** The diagram in words, for who cannot see it. */
function describe(chart: Flowchart): string {
  if (chart.name !== undefined) return chart.name;
  const sources = new Map<string, string[]>();
  for (const { from, to } of chart.edges) {
    const name = chart.nodes.get(from)?.lines[0] ?? from;
    sources.set(to, [...(sources.get(to) ?? []), name]);
  }
  if (chart.nodes.size > 16) {
    return `Diagram of ${chart.nodes.size} nodes and ${chart.edges.length} edges`;
  }
  const nodes = [...chart.nodes.values()].map((node) => {
    const from = sources.get(node.id);
    return node.lines.join(", ") + (from ? ` (from ${from.join(" and ")})` : "");
  });
  return `Diagram: ${nodes.join("; ")}`;
}

/** Draw Mermaid's `source` as one SVG element; a mistake in it raises DrawingError. */
export function drawDiagram(source: string): string {
  const chart = readFlowchart(source);
  if (chart.nodes.size > MOST_NODES) {
    throw new DrawingError(
      `the diagram has ${chart.nodes.size} nodes; no reader follows more than ${MOST_NODES}`,
    );
  }
  const graph = new dagre.graphlib.Graph({ multigraph: true, compound: true });
  graph.setGraph({
    rankdir: chart.direction,
    nodesep: 16,
    edgesep: 12,
    ranksep: chart.direction === "LR" || chart.direction === "RL" ? 36 : 30,
    marginx: 2,
    marginy: 2,
  });
  for (const group of chart.groups.values()) {
    graph.setNode(group.id, { width: 0, height: 0 });
    if (group.parent !== undefined) graph.setParent(group.id, group.parent);
  }
  for (const node of chart.nodes.values()) {
    if (chart.groups.has(node.id)) {
      throw new DrawingError(`“${node.id}” is both a node and a subgraph`);
    }
    graph.setNode(node.id, sizeOf(node));
    if (node.group !== undefined) graph.setParent(node.id, node.group);
  }
  chart.edges.forEach((edge, index) => {
    const labelled = edge.lines.length > 0;
    const size = {
      width: labelled ? textWidth(edge.lines) + 6 : 0,
      height: labelled ? edge.lines.length * LINE : 0,
      labelpos: "c",
    };
    graph.setEdge(edge.from, edge.to, size, String(index));
  });
  dagre.layout(graph);

  const groups = [...chart.groups.values()].map((group) => {
    const { x, y, width, height } = graph.node(group.id) as Required<Point> & {
      width: number;
      height: number;
    };
    const [left, top] = [x - width / 2, y - height / 2];
    return (
      `<g class="group"><rect x="${px(left)}" y="${px(top)}" width="${px(width)}"` +
      ` height="${px(height)}" rx="4"/>` +
      `${text([group.lines.join(" ")], { x, y: top + LINE / 2 + 1 })}</g>`
    );
  });
  const edges = chart.edges.map((edge, index) => {
    const placed = graph.edge(edge.from, edge.to, String(index)) as unknown as Point & {
      points: Point[];
    };
    return drawEdge(edge, placed.points, { x: placed.x, y: placed.y });
  });
  const nodes = [...chart.nodes.values()].map((node) => {
    const box = graph.node(node.id) as Point & { width: number; height: number };
    const kind = node.role === undefined ? "node" : `node ${escape(node.role)}`;
    return (
      `<g class="${kind}" data-id="${escape(node.id)}">` +
      `${outline(node, box)}${text(node.lines, box)}</g>`
    );
  });
  const { width, height } = graph.graph() as { width: number; height: number };
  const content = [...groups, ...edges, ...nodes].join("");
  return frame("drawn-graph", describe(chart), width, height, content);
}
