// Written by `python -m weave update` from the functions beside it.

/** Evaluate an expression, and record `backward` on its result. */
export interface BackwardParameters {
  expression: string;
}

/** A node: its children first, as `topological_order` lists them. */
export interface GraphNode {
  title: string;
  operation: string;
  data: string;
  grad: string;
  input: boolean;
  place: [number, number] | null;
}

/** An edge from a child to what was made of it, by their places in the order. */
export interface GraphEdge {
  source: number;
  target: number;
  local_grad: string;
}

/** A line of a listing. */
export interface SourceLine {
  number: number;
  text: string;
}

/** A function that ran, without its docstring. */
export interface SourceFunction {
  name: string;
  lines: SourceLine[];
}

/** A part of the walk, and the step at which it begins. */
export interface BackwardPhase {
  name: string;
  at: number;
}

/** What a line is about to do to a gradient, and how that is worked out. */
export interface GradientChange {
  node: number;
  product: string;
  addend: string;
  formula: string;
  was: string;
  becomes: string;
}

/** How things stand just before a line runs; 0 is the end. */
export interface BackwardStep {
  line: number;
  waiting: number[];
  nodes: Record<string, number>;
  lists: Record<string, number[]>;
  grads: string[];
  edge: number | null;
  next_edge: number | null;
  change: GradientChange | null;
  says: string;
}

/** The whole walk, and the functions that take it. */
export interface Backward {
  nodes: GraphNode[];
  edges: GraphEdge[];
  names: string[];
  file: string;
  functions: SourceFunction[];
  phases: BackwardPhase[];
  steps: BackwardStep[];
}

/** Evaluate an expression and call `backward` on its result. */
export interface GraphParameters {
  expression: string;
}

/** A number that the reader may move, and how far. */
export interface GraphInput {
  node: number;
  name: string;
  value: number;
  place: [number, number];
  low: number;
  high: number;
  step: number;
}

/** A graph of `Value`s after `backward`; `says` tells about each of its nodes. */
export interface Graph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  says: string[][];
  inputs: GraphInput[];
  summary: string;
}
