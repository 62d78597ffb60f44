/**
 * Lays out graphs with Dagre: diagrams that are drawn when the site is built, and the graph that readers step through.
 */

import * as dagre from "@dagrejs/dagre";
import { curveBasis, line } from "d3-shape";
import { formatCoordinate } from "./svg.js";

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A box; `x` and `y` are its centre. */
export type CenteredBox = Point & Size;

/** A graph to lay out. */
export interface LayoutInput {
  nodes: { id: string; size: Size }[];
  /** `size` is the size of the edge's label. */
  edges: { from: string; to: string; size: Size }[];
}

/** The points of an edge; `x` and `y` are the centre of its label. */
type EdgeLayout = Point & { points: Point[] };

export interface GraphLayout extends Size {
  boxes: Map<string, CenteredBox>;
  /** In the order of the input. */
  edges: EdgeLayout[];
}

const ARROWHEAD_SIZE_PX = { length: 7, halfWidth: 3.2 };

/** Lay out a graph from the top down. The same input always gives the same layout. */
export function layOutGraph({ nodes, edges }: LayoutInput): GraphLayout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 16, edgesep: 12, ranksep: 30, marginx: 2, marginy: 2 });
  for (const { id, size } of nodes) graph.setNode(id, { ...size });
  edges.forEach(({ from, to, size }, index) => {
    graph.setEdge(from, to, { ...size, labelpos: "c" }, String(index));
  });
  dagre.layout(graph);
  const { width, height } = graph.graph() as Size;
  return {
    width,
    height,
    boxes: new Map(nodes.map(({ id }) => [id, graph.node(id) as CenteredBox])),
    edges: edges.map(({ from, to }, index) => graph.edge(from, to, String(index)) as unknown as EdgeLayout),
  };
}

/** Return the line, shortened to end where its arrowhead begins, and the SVG path of that arrowhead. */
function splitOffArrowhead(points: Point[]): [shortenedLine: Point[], headPath: string] {
  const tip = points.at(-1) as Point;
  const before = points.at(-2) as Point;
  const length = Math.hypot(tip.x - before.x, tip.y - before.y) || 1;
  const [dx, dy] = [(tip.x - before.x) / length, (tip.y - before.y) / length];
  const base = { x: tip.x - dx * ARROWHEAD_SIZE_PX.length, y: tip.y - dy * ARROWHEAD_SIZE_PX.length };
  const wings = [1, -1].map((side) => {
    const [x, y] = [base.x - side * dy * ARROWHEAD_SIZE_PX.halfWidth, base.y + side * dx * ARROWHEAD_SIZE_PX.halfWidth];
    return `${formatCoordinate(x)} ${formatCoordinate(y)}`;
  });
  const headPath = `M${formatCoordinate(tip.x)} ${formatCoordinate(tip.y)}L${wings.join("L")}Z`;
  return [[...points.slice(0, -1), base], headPath];
}

const curvePath = line<Point>()
  .x((point) => point.x)
  .y((point) => point.y)
  .curve(curveBasis)
  .digits(1);

/** Return the SVG paths of an arrow along `points`: its line, and its head at the end, or at the start if reversed. */
export function arrowPaths(points: Point[], isReversed = false): { line: string; head: string } {
  const [shortened, head] = splitOffArrowhead(isReversed ? points.toReversed() : points);
  return { line: curvePath(isReversed ? shortened.reverse() : shortened) as string, head };
}
