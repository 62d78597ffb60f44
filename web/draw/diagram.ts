/**
 * Renders a flowchart as SVG: layout.ts places the nodes, this file writes the shapes.
 */

import { type Flowchart, type FlowchartEdge, type FlowchartNode, parseFlowchart } from "./flowchart.js";
import { arrowPaths, type CenteredBox, type GraphLayout, layOutGraph, type Point, type Size } from "./layout.js";
import { CHARACTER_WIDTH_EM, countColumns, escapeXml, formatCoordinate } from "./svg.js";

const NAME_FONT_SIZE_PX = 14;
const DETAIL_FONT_SIZE_PX = 13;
const LINE_HEIGHT_PX = 18;
const PADDING_PX = { x: 9, y: 7 };

/** Return the width in pixels of the widest line; the first can have a font size of its own. */
function textWidth(lines: string[], firstFontSize = DETAIL_FONT_SIZE_PX): number {
  const fontSize = (index: number): number => (index === 0 ? firstFontSize : DETAIL_FONT_SIZE_PX);
  return Math.max(...lines.map((text, index) => countColumns(text) * CHARACTER_WIDTH_EM * fontSize(index)));
}

function nodeSize({ labelLines }: FlowchartNode): Size {
  const width = Math.max(textWidth(labelLines, NAME_FONT_SIZE_PX) + 2 * PADDING_PX.x, 34);
  return { width, height: labelLines.length * LINE_HEIGHT_PX + 2 * PADDING_PX.y };
}

function labelSize({ labelLines }: FlowchartEdge): Size {
  if (labelLines.length === 0) return { width: 0, height: 0 };
  return { width: textWidth(labelLines) + 6, height: labelLines.length * LINE_HEIGHT_PX };
}

/** Return the SVG of lines of text around a centre. */
function renderText(lines: string[], { x, y }: Point): string {
  const top = y - ((lines.length - 1) * LINE_HEIGHT_PX) / 2 + 4.5;
  const spans = lines.map((content, index) => {
    const position = `x="${formatCoordinate(x)}" y="${formatCoordinate(top + index * LINE_HEIGHT_PX)}"`;
    return `<tspan ${position}>${escapeXml(content)}</tspan>`;
  });
  return `<text>${spans.join("")}</text>`;
}

function renderOutline({ x, y, width, height }: CenteredBox): string {
  const [left, top, w, h] = [x - width / 2, y - height / 2, width, height].map(formatCoordinate);
  return `<rect x="${left}" y="${top}" width="${w}" height="${h}" rx="2"/>`;
}

function renderEdge(edge: FlowchartEdge, points: Point[], label: Point): string {
  const { line, head } = arrowPaths(points);
  return (
    `<g class="edge" data-from="${escapeXml(edge.from)}" data-to="${escapeXml(edge.to)}">` +
    `<path d="${line}"/><path class="head" d="${head}"/>` +
    (edge.labelLines.length > 0 ? renderText(edge.labelLines, label) : "") +
    "</g>"
  );
}

/** Describe a flowchart in words for screen readers; of a large one, only count nodes and edges. */
function describeFlowchart(chart: Flowchart): string {
  const sources = new Map<string, string[]>();
  for (const { from, to } of chart.edges) {
    const name = chart.nodes.get(from)?.labelLines[0] ?? from;
    sources.set(to, [...(sources.get(to) ?? []), name]);
  }
  if (chart.nodes.size > 16) {
    return `Diagram of ${chart.nodes.size} nodes and ${chart.edges.length} edges`;
  }
  const nodes = [...chart.nodes.values()].map((node) => {
    const from = sources.get(node.id);
    return node.labelLines.join(", ") + (from ? ` (from ${from.join(" and ")})` : "");
  });
  return `Diagram: ${nodes.join("; ")}`;
}

/**
 * Return Mermaid's `source` as SVG, with a label for screen readers.
 *
 * The SVG has no ids, styles or addresses, so that any number of drawings can share a page; docs/styles/ gives them
 * their colours.
 */
export function renderDiagram(source: string): string {
  const chart = parseFlowchart(source);
  const { boxes, ...layout } = layOutGraph({
    nodes: [...chart.nodes.values()].map((node) => ({ ...node, size: nodeSize(node) })),
    edges: chart.edges.map((edge) => ({ ...edge, size: labelSize(edge) })),
  });
  const edges = chart.edges.map((edge, index) => {
    const { points, ...label } = layout.edges[index] as GraphLayout["edges"][number];
    return renderEdge(edge, points, label);
  });
  const nodes = [...chart.nodes.values()].map((node) => {
    const box = boxes.get(node.id) as CenteredBox;
    const kind = node.role === undefined ? "node" : `node ${escapeXml(node.role)}`;
    return `<g class="${kind}" data-id="${escapeXml(node.id)}">${renderOutline(box)}${renderText(node.labelLines, box)}</g>`;
  });
  const [w, h] = [Math.ceil(layout.width), Math.ceil(layout.height)];
  return (
    `<svg class="drawn-graph" role="img" aria-label="${escapeXml(describeFlowchart(chart))}"` +
    ` width="${w}" height="${h}" viewBox="0 0 ${w} ${h}"` +
    ` fill="none" stroke="currentColor">${[...edges, ...nodes].join("")}</svg>`
  );
}
