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

/** Shuffle the names with this seed, and count their pairs, name after name. */
export interface CountTableParameters {
  seed: number;
}

/** The table after so many names. */
export interface CountedNames {
  names: number;
  counts: number[][];
  pairs: number;
  zeros: number;
}

/** The tables, and for each pair the first names that have it. */
export interface CountTable {
  tokens: string[];
  tables: CountedNames[];
  names: string[];
  orders: number[];
  examples: number[][][];
}

/** Return what the names that have this piece, in this place, have in common. */
export interface DatasetParameters {
  piece: string;
  where: "anywhere" | "start" | "end";
}

/** How many names have so many letters, and which share of them all that is. */
export interface LengthCount {
  letters: number;
  found: number;
  share: number;
  all: number;
  share_of_all: number;
}

/** What was found, in words; `examples` are spread evenly over it. */
export interface Dataset {
  found: number;
  says: string;
  examples: string[];
  lengths: LengthCount[];
}

/** Compute the loss of a name, and record every line of it. */
export interface ForwardPassParameters {
  name: string;
  weights: "untrained" | "trained";
}

/** A pair of the name: what the network made of the first token, and the loss. */
export interface ForwardPair {
  token: number;
  target: number;
  vectors: Record<string, number[]>;
  largest: number;
  total: number;
  p: number;
  loss: number;
}

/** How things stand just before a line runs; line 0 is the end. */
export interface ForwardStep {
  line: number;
  waiting: number[];
  pair: number;
  holds: Record<string, string[]>;
  losses: number;
  says: string;
}

/** The whole walk, and the functions that take it; `blind` is the loss of a blind pick. */
export interface ForwardPass {
  tokens: string[];
  pairs: ForwardPair[];
  mean: number;
  blind: number;
  file: string;
  functions: SourceFunction[];
  steps: ForwardStep[];
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

/** Run `forward` for each token; `letter` is the one that is shown first. */
export interface NetworkParameters {
  letter: string;
  weights: "untrained" | "trained";
}

/** The weights, and for each token what `forward` and `softmax` make of it. */
export interface Network {
  tokens: string[];
  token: number;
  wte: number[][];
  fc1: number[][];
  fc2: number[][];
  hidden: number[][];
  passes: string[];
  off: number[];
  logits: number[][];
  probabilities: number[][];
}

/** Count the pairs of the first names, and divide each row by its sum. */
export interface NextLetterParameters {
  smoothing: number;
  names: number;
}

/** For each token its counts, and the probabilities of what comes next. */
export interface NextLetter {
  tokens: string[];
  total: number;
  counts: number[][];
  sums: number[];
  unseen: number[];
  rows: number[][];
}

/** Nudge a parameter by 1, by less and by less, and measure the slope each time. */
export interface NudgeParameters {
  name: string;
  weights: "untrained" | "trained";
  matrix: string;
  row: number;
  column: number;
}

/** A nudge and what it measures, and the curve in a window twice as wide. */
export interface Nudge {
  epsilon: number;
  loss: number;
  rise: number;
  slope: number;
  error: number;
  floats: number;
  says: string;
  curve: number[];
}

/** One parameter, the true slope of the loss there, and all nudges. */
export interface Nudges {
  tokens: string[];
  shapes: Record<string, [number, number]>;
  called: string;
  belongs: string;
  value: number;
  loss: number;
  slope: number;
  spacing: number;
  nudges: Nudge[];
  best: number;
  usual: number;
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

/** Return the tokens of a name, as the tokenizer of the names gives them. */
export interface TokensParameters {
  name: string;
}

/** A token, and what readers call it: a letter or BOS. */
export interface NamedToken {
  name: string;
  token: number;
}

/** A token, and the one that comes next. */
export interface TokenPair {
  question: NamedToken;
  answer: NamedToken;
}

/** A name between two BOS, its pairs, and how many there are of all that. */
export interface Tokens {
  document: NamedToken[];
  pairs: TokenPair[];
  decoded: string;
  says: string;
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
