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

/** Record `analytic_gradient` on a name, and return what happens for one pair. */
export interface ByHandParameters {
  name: string;
  pair: number;
  network: "untrained" | "trained";
}

/** A line that has run, what it wrote, and that in words. */
export interface ByHandStep {
  line: number;
  wrote: string;
  values: number[];
  matrix: string;
  says: string;
}

/** The gradient of a matrix before and after the pair. */
export interface ByHandMatrix {
  name: string;
  limit: number;
  before: number[][];
  after: number[][];
}

/** A pair of a name, and the lines that run for it. */
export interface ByHand {
  tokens: string[];
  pairs: string[];
  token: number;
  target: number;
  file: string;
  functions: SourceFunction[];
  steps: ByHandStep[];
  matrices: ByHandMatrix[];
}

/** Compare the gradient that the code gives with nudges; yield after each pass. */
export interface GradientCheckParameters {
  name: string;
  source: string;
  passes: number;
}

/** A way to break the gradient: a part of the source, and what to put there. */
export interface Break {
  name: string;
  old: string;
  new: string;
}

/** The parameters of a matrix that have been nudged, and both slopes of each. */
export interface MatrixCheck {
  name: string;
  rows: number;
  columns: number;
  places: number[];
  numerical: number[];
  analytic: number[];
  gaps: number[];
  wrong: number;
  largest: number;
}

/** Both gradients as far as parameters have been nudged, and the code's text. */
export interface GradientCheck {
  source: string;
  breaks: Break[];
  tokens: string[];
  nudged: number;
  total: number;
  tolerance: number;
  matrices: MatrixCheck[];
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

/** Walk the graph of an expression back twice, and tell the walks edge by edge. */
export interface OrderParameters {
  expression: string;
}

/** What one edge adds: to which gradient what, and how all of them stand then. */
export interface OrderStep {
  edge: number;
  formula: string;
  sum: string;
  grads: string[];
  astray: boolean;
  says: string;
}

/** Both walks over one graph; `parting` is the first step that differs. */
export interface Order {
  nodes: GraphNode[];
  edges: GraphEdge[];
  start: string[];
  naive: OrderStep[];
  ordered: OrderStep[];
  parting: number | null;
  wrong: number[];
  verdict: string;
}

/** Train both models on the same names; yield what there is after every few steps. */
export interface TrainHereParameters {
  steps: number;
  rate: number;
  seed: number;
  recorded?: boolean;
}

/** What both models can do after a step: loss on held-out names, and new names. */
export interface TrainHereLook {
  step: number;
  counting: number;
  network: number;
  samples: string[];
}

/** The losses of both models at each step, and their means over the last 50. */
export interface TrainHere {
  counting: number[];
  network: number[];
  counting_mean: number[];
  network_mean: number[];
  held_out: number;
  looks: TrainHereLook[];
  end: string;
}

/** Run both programs side by side; yield what there is after every few steps. */
export interface TwoLossesParameters {
  steps: number;
  seed: number;
  relu: "right" | "wrong";
}

/** What the programs gave at each step. */
export interface TwoLosses {
  hand: number[];
  graph: number[];
  apart: number[];
  ulp: number[];
  weights: number[];
  equal: number;
  furthest: number;
  end: string;
}

/** Train twice, both runs step by step; yield what there is after every few steps. */
export interface ZeroingParameters {
  rate: number;
  seed: number;
  steps: number;
}

/** What happened at each step; the lists of lists hold one list per parameter. */
export interface ZeroingRun {
  losses: (number | string)[];
  lowest: number;
  highest: number;
  values: (number | string)[][];
  held: (number | string)[][];
  added: (number | string)[][];
  grads: (number | string)[][];
  end: string;
}

/** Both runs, the names that they learn from, and the parameters that we watch. */
export interface Zeroing {
  names: string[];
  parameters: string[];
  zeroed: ZeroingRun;
  kept: ZeroingRun;
}
