/**
 * Draws a flowchart as SVG: layout.ts places the nodes, this file writes the shapes.
 * It needs no browser and runs in one as well.
 */

import { type Edge, type Flowchart, type Node, readFlowchart } from "./flowchart.js";
import { arrow, type Box, type Layout, layOut, type Point, type Size } from "./layout.js";
import { CHARACTER, columns, escaped, px } from "./svg.js";

const NAME_SIZE = 14;
const DETAIL_SIZE = 13;
const LINE = 18;
const PADDING = { x: 9, y: 7 };

function textWidth(lines: string[], first = DETAIL_SIZE): number {
  return Math.max(...lines.map((text, index) => columns(text) * CHARACTER * (index === 0 ? first : DETAIL_SIZE)));
}

function sizeOf({ lines }: Node): Size {
  const width = Math.max(textWidth(lines, NAME_SIZE) + 2 * PADDING.x, 34);
  return { width, height: lines.length * LINE + 2 * PADDING.y };
}

function labelSize({ lines }: Edge): Size {
  if (lines.length === 0) return { width: 0, height: 0 };
  return { width: textWidth(lines) + 6, height: lines.length * LINE };
}

/** Lines of text around a centre; the first names the thing. */
function text(lines: string[], { x, y }: Point): string {
  const top = y - ((lines.length - 1) * LINE) / 2 + 4.5;
  const spans = lines.map((content, index) => {
    const position = `x="${px(x)}" y="${px(top + index * LINE)}"`;
    return `<tspan ${position}>${escaped(content)}</tspan>`;
  });
  return `<text>${spans.join("")}</text>`;
}

function outline({ x, y, width, height }: Box): string {
  const [left, top] = [x - width / 2, y - height / 2];
  return `<rect x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}" rx="2"/>`;
}

function drawEdge(edge: Edge, points: Point[], label: Point): string {
  const { line, head } = arrow(points);
  return (
    `<g class="edge" data-from="${escaped(edge.from)}" data-to="${escaped(edge.to)}">` +
    `<path d="${line}"/><path class="head" d="${head}"/>` +
    (edge.lines.length > 0 ? text(edge.lines, label) : "") +
    "</g>"
  );
}

/** The diagram in words, for who cannot see it. */
function describe(chart: Flowchart): string {
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

/**
 * Draw Mermaid's `source` as one image with a name. It holds no ids, no styles and no addresses, so that any number
 * of drawings can share a page; docs/styles/ gives them their colours.
 */
export function drawDiagram(source: string): string {
  const chart = readFlowchart(source);
  const { boxes, ...layout } = layOut({
    nodes: [...chart.nodes.values()].map((node) => ({ ...node, size: sizeOf(node) })),
    edges: chart.edges.map((edge) => ({ ...edge, size: labelSize(edge) })),
  });
  const edges = chart.edges.map((edge, index) => {
    const { points, ...label } = layout.edges[index] as Layout["edges"][number];
    return drawEdge(edge, points, label);
  });
  const nodes = [...chart.nodes.values()].map((node) => {
    const box = boxes.get(node.id) as Box;
    const kind = node.role === undefined ? "node" : `node ${escaped(node.role)}`;
    return `<g class="${kind}" data-id="${escaped(node.id)}">${outline(box)}${text(node.lines, box)}</g>`;
  });
  const [w, h] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  return (
    `<svg class="drawn-graph" role="img" aria-label="${escaped(describe(chart))}"` +
    ` width="${w}" height="${h}" viewBox="0 0 ${w} ${h}"` +
    ` fill="none" stroke="currentColor">${[...edges, ...nodes].join("")}</svg>`
  );
}
