/**
 * Where the boxes and lines of a diagram go: Dagre decides. Diagrams drawn when the
 * site is built and pictures that a reader plays with share it.
 */

import * as dagre from "@dagrejs/dagre";
import { curveBasis, line } from "d3-shape";
import { px } from "./svg.js";

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** A box with its centre. */
export type Box = Point & Size;

export interface Plan {
  nodes: { id: string; size: Size }[];
  /** The size of an edge is that of its label. */
  edges: { from: string; to: string; size: Size }[];
}

export interface Layout extends Size {
  boxes: Map<string, Box>;
  /** In the order of the plan; x and y are the centre of the label. */
  edges: (Point & { points: Point[] })[];
}

const HEAD = { length: 7, half: 3.2 };

/** Place what a plan names, from the top down. The same plan always gives the same layout. */
export function layOut({ nodes, edges }: Plan): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 16, edgesep: 12, ranksep: 30, marginx: 2, marginy: 2 });
  for (const { id, size } of nodes) graph.setNode(id, { ...size });
  edges.forEach(({ from, to, size }, index) => {
    graph.setEdge(from, to, { ...size, labelpos: "c" }, String(index));
  });
  dagre.layout(graph);
  const { width, height } = graph.graph() as Size;
  const boxOf = ({ id }: { id: string }): [string, Box] => [id, graph.node(id) as Box];
  return {
    width,
    height,
    boxes: new Map(nodes.map(boxOf)),
    edges: edges.map(
      ({ from, to }, index) => graph.edge(from, to, String(index)) as unknown as Point & { points: Point[] },
    ),
  };
}

/** Shortens the line by an arrowhead at its end and returns that head's path. */
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
  return `M${px(tip.x)} ${px(tip.y)}L${wings.join("L")}Z`;
}

const curve = line<Point>()
  .x((point) => point.x)
  .y((point) => point.y)
  .curve(curveBasis)
  .digits(1);

/** The paths of an arrow along `points`: its line, and its head at the end, or at the start if it points back. */
export function arrow(points: Point[], back = false): { line: string; head: string } {
  const ends = points.map((point) => ({ ...point }));
  if (back) ends.reverse();
  const tip = head(ends);
  if (back) ends.reverse();
  return { line: curve(ends) as string, head: tip };
}
