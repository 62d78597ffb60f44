// Written by `python -m weave update` from the functions beside it.

/** Let the models read a name; the other parameters say what is shown first. */
export interface AttentionParameters {
  name: string;
  program: "step3" | "step6";
  weights: "untrained" | "trained";
  head?: number;
}

/** What one call of `attend` per token was given, and what it made of it. */
export interface AttentionHead {
  layer: number;
  head: number;
  scale: number;
  queries: number[][];
  keys: number[][];
  values: number[][];
  dots: number[][];
  scores: number[][];
  largest: number[];
  exps: number[][];
  total: number[];
  weights: number[][];
  weights_sum: number[];
  outputs: number[][];
}

/** A model before or after training, and its heads, layer by layer. */
export interface AttentionModel {
  program: "step3" | "step6";
  weights: "untrained" | "trained";
  heads: AttentionHead[];
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

/** The lines of `attend` in which scores become weights, and weights outputs. */
export interface AttentionLines {
  weights: number;
  outputs: number;
}

/** What the models do with the tokens of a name, and the lines that do it. */
export interface Attention {
  tokens: string[];
  models: AttentionModel[];
  file: string;
  functions: SourceFunction[];
  lines: AttentionLines;
}

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

/** Take a name apart into letters, and put it together by the learnt merges. */
export interface BpeParameters {
  name: string;
}

/** A token; `made` by the merge of its row, `next` in the merge of the row below. */
export interface Piece {
  text: string;
  made: boolean;
  next: boolean;
}

/** A name after a merge that changes it, and what there is to say about that. */
export interface BpeStep {
  pieces: Piece[];
  says: string;
  counts: string;
}

/** The name in letters, then as each merge that fits leaves it. */
export interface Bpe {
  name: string;
  steps: BpeStep[];
  outcome: string;
}

/** Record `analytic_gradient` on a name, and return what happens for one pair. */
export interface ByHandParameters {
  name: string;
  pair: number;
  weights: "untrained" | "trained";
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

/** Read a name token by token, then as a whole without a mask and with one. */
export interface CacheMaskParameters {
  name: string;
}

/** Scores and weights, a row for each token that reads. */
export interface CacheAttention {
  scores: number[][];
  weights: number[][];
  apart: number[];
  loss: number;
}

/** A name read with the trained model of Step 3, in three ways. */
export interface CacheMask {
  tokens: string[];
  keys: number[][];
  values: number[][];
  kept: number[];
  cached: number[];
  anew: number[];
  cache: CacheAttention;
  unmasked: CacheAttention;
  masked: CacheAttention;
}

/** Let both networks read a name as they are after training. */
export interface ContextParameters {
  name: string;
}

/** A place in a name, and what both networks expect there. */
export interface ContextPlace {
  token: number;
  target: number;
  alike: number[];
  one: number[];
  all: number[];
  losses: [number, number];
}

/** The places of a name, from BOS to its last letter; `means` are of the losses. */
export interface Context {
  tokens: string[];
  places: ContextPlace[];
  means: [number, number];
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

/** Let models that have learnt more and more names learn this one, too. */
export interface CountingParameters {
  name: string;
}

/** A line of the program, and the pair that it counts, if it counts one. */
export interface CountingStep {
  line: number;
  waiting: number[];
  pair: number | null;
}

/** The row of a token, as counts and as probabilities. */
export interface CountedRow {
  counts: number[];
  total: number;
  p: number[];
  others: number;
}

/** A pair, and the row of its first token just before and just after it counts. */
export interface CountedPair {
  token: number;
  target: number;
  before: CountedRow;
  after: CountedRow;
}

/** The pairs of the name, counted by a model that has learnt so many names. */
export interface CountingStart {
  learnt: number;
  loss: number;
  again: number;
  pairs: CountedPair[];
}

/** The steps of `train_step` with a name, which are the same at every start. */
export interface Counting {
  tokens: string[];
  document: number[];
  file: string;
  functions: SourceFunction[];
  steps: CountingStep[];
  starts: CountingStart[];
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

/** Multiply two vectors, in single steps and at once, and call `backward` on each. */
export interface DotGraphParameters {
  a: number[];
  b: number[];
}

/** A node: its name or its operation, and which element of a vector it is, if any. */
export interface DotNode {
  title: string;
  element: string;
  data: string;
  grad: string;
  says: string;
}

/** A graph of the dot product after `backward`; `made` are the nodes that it made. */
export interface DotSide {
  engine: string;
  nodes: DotNode[];
  edges: GraphEdge[];
  made: number;
  summary: string;
}

/** Both graphs, and whether they agree. */
export interface DotGraph {
  sides: DotSide[];
  verdict: string;
}

/** Multiply two vectors number by number, and add the products up. */
export interface DotProductParameters {
  w: number[];
  x: number[];
}

/** A token and its embedding after training; `like` are the tokens like it. */
export interface NamedVector {
  name: string;
  vector: number[];
  like: number[];
}

/** The products, their sum so far after each, and the whole sum. */
export interface DotProduct {
  products: number[];
  running: number[];
  sum: number;
  says: string;
  embeddings: NamedVector[];
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

/** The whole walk, and the functions that take it; `blind` is the loss of a blind guess. */
export interface ForwardPass {
  tokens: string[];
  pairs: ForwardPair[];
  mean: number;
  blind: number;
  file: string;
  functions: SourceFunction[];
  steps: ForwardStep[];
}

/** Invent a few names. */
export interface GeneratorParameters {
  seed: number;
}

/** What `sample` makes of the beginning, with this seed. */
export interface GrownName {
  seed: number;
  name: string;
}

/** Where a name stands after some letters. */
export interface GrowPlace {
  probabilities: number[];
  begins: number;
  one_in: number;
  kind: "trained" | "held out" | "new";
}

/** A line of the package; the page adds where it is explained. */
export interface LineOfSource {
  path: string;
  number: number;
  text: string;
}

/** Names as `sample` draws them with seeds in a row. */
export interface Generator {
  tokens: string[];
  longest: number;
  names: GrownName[];
  places: Record<string, GrowPlace>;
  temperature: number;
  source_line: LineOfSource;
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

/** Build the graph of a loss with each engine, and measure what it holds. */
export interface GraphMemoryParameters {
  letters: number;
  n_layer: number;
  n_embd: number;
}

/** How large the graph of an engine is, in bytes and in pieces. */
export interface EngineMemory {
  engine: string;
  nodes: number;
  edges: number;
  bytes: number;
}

/** The graph of a name's loss under three engines, and things to compare it with. */
export interface GraphMemory {
  name: string;
  engines: EngineMemory[];
  first: number;
  parameters: number;
  weights: number;
  names: number;
  python: string;
  pointer: number;
}

/** Let the model go on from what was chosen, a few times. */
export interface GrowParameters {
  chosen: string;
  temperature: number;
  seed: number;
}

/** The names, and each beginning of each of them. */
export interface Grow {
  tokens: string[];
  longest: number;
  names: GrownName[];
  places: Record<string, GrowPlace>;
}

/** Let the trained model read a name, its weights cut into so many heads. */
export interface HeadsParameters {
  name: string;
  n_head: number;
}

/** What attention computes when it reads one token. */
export interface HeadsPosition {
  x: number[];
  query: number[];
  weights: number[][];
  gathered: number[];
  output: number[];
  returned: number[];
  says: string[];
}

/** How things stand just before a line runs; line 0 is the end. */
export interface HeadsStep {
  line: number;
  head: number;
  takes: string[];
  holds: string[];
  gathered: number;
}

/** A name read by the trained model, its vectors cut into some number of heads. */
export interface Heads {
  tokens: string[];
  choices: number[];
  trained: number;
  n_head: number;
  head_dim: number;
  keys: number[][];
  values: number[][];
  positions: HeadsPosition[];
  steps: HeadsStep[];
  file: string;
  functions: SourceFunction[];
}

/** Add the same to all logits; then compute softmax as Step 1 does, or without care. */
export interface LogitsParameters {
  logits: number[];
  added: number;
  subtract: boolean;
}

/** A logit, what is raised to the power of it, and the probability. */
export interface Exponential {
  name: string;
  logit: number;
  exponent: number;
  exp: number | null;
  p: number | null;
}

/** Each logit on its way to a probability, and whether it gets there. */
export interface Logits {
  rows: Exponential[];
  total: number | null;
  says: string;
  fails: string;
}

/** Compute every combination; begin with the one that is given. */
export interface MachinesParameters {
  model: string;
  tokens: number;
  machines: number;
  gigabits: number;
}

/** Copied or cut: seconds to send by link and machines, GB of a card by machines. */
export interface Way {
  send: number[][];
  memory: number[];
}

/** A model, and how many seconds a step computes, by tokens and machines. */
export interface MachinesModel {
  name: string;
  parameters: number;
  compute: number[][];
  copied: Way;
  cut: Way;
}

/** All that can be chosen, and where it begins. */
export interface Machines {
  models: MachinesModel[];
  tokens: number[];
  machines: number[];
  links: number[];
  card: number;
  reached: number;
  start: number[];
}

/** Compare a name with those that have another letter in one place. */
export interface MemorisedParameters {
  name: string;
}

/** How likely the model is to say just this name: one time in `one_in`. */
export interface JudgedName {
  name: string;
  kind: "trained" | "held out" | "new";
  rank: number;
  one_in: number;
  share: number;
}

/** The likeliest of a name and its neighbours, and the name itself. */
export interface Memorised {
  name: string;
  step: number;
  loss: number;
  itself: JudgedName;
  likeliest: JudgedName[];
  total: number;
  known: number;
  dataset: number;
  trained: number;
}

/** Ask models that have learnt more and more names for what comes next in one. */
export interface NameLossParameters {
  name: string;
}

/** What came after a token, and how much that surprised the model. */
export interface LossQuestion {
  token: number;
  target: number;
  p: number;
  loss: number;
  choice: number;
  mean: number;
  mean_choice: number;
}

/** The questions of the name, put to a model that has learnt so many names. */
export interface LossOfAModel {
  learnt: number;
  questions: LossQuestion[];
}

/** The name, each model's answers, and the loss of a model that knows nothing. */
export interface NameLoss {
  tokens: string[];
  document: number[];
  models: LossOfAModel[];
  blind: number;
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

/** Look up what the network of Step 3 adds for each token of a name. */
export interface PositionsParameters {
  name: string;
  weights: "untrained" | "trained";
}

/** What a network adds up: a row for each token of the name. */
export interface PositionRows {
  weights: "untrained" | "trained";
  token: number[][];
  position: number[][];
  sum: number[][];
  similar: number[][];
}

/** The tokens of a name, and the rows of both networks; `at` is shown first. */
export interface Positions {
  tokens: string[];
  at: number;
  networks: PositionRows[];
}

/** Let both take the same number of steps from the same place, each at its rate. */
export interface RaceParameters {
  sgd_rate: number;
  adam_rate: number;
  steepness: number;
  turned: boolean;
}

/** Points of equal loss, once around the bottom. */
export interface Contour {
  loss: number;
  points: [number, number][];
}

/** Where an optimizer was before its first step and after each, and the loss there. */
export interface RacePath {
  points: [number, number][];
  losses: number[];
  exploded: boolean;
  end: string;
}

/** The valley and both paths. */
export interface Race {
  contours: Contour[];
  sgd: RacePath;
  adam: RacePath;
}

/** Run `forward` of Step 3 over a name, and record the stream of each token. */
export interface ResidualStreamParameters {
  name: string;
}

/** A vector, and how long it is. */
export interface StreamVector {
  numbers: number[];
  length: number;
}

/** The stream at one place, and the probabilities that `lm_head` would give there. */
export interface StreamPlace {
  numbers: number[];
  length: number;
  probabilities: number[];
  loss: number;
}

/** A token on its way: its two embeddings, the stream, and what was added. */
export interface StreamToken {
  token: number;
  next: number;
  embeddings: StreamVector[];
  stream: StreamPlace[];
  added: StreamVector[];
}

/** Each token of a name on its way through the untrained and the trained model. */
export interface ResidualStream {
  tokens: string[];
  untrained: StreamToken[];
  trained: StreamToken[];
}

/** Normalise four numbers, multiplied by each scale. */
export interface RmsnormParameters {
  numbers: number[];
}

/** What `rmsnorm` makes of the vector at a scale: its variables and its result. */
export interface NormedVector {
  scale: number;
  x: number[];
  mean_square: number;
  factor: number;
  result: number[];
  size: number;
  result_size: number;
}

/** The vector at each scale; `at` is the scale of 1. `says` is about the vector. */
export interface RMSNorm {
  at: number;
  epsilon: number;
  scales: NormedVector[];
  says: string;
}

/** Let Adam see a series, with a learning rate of 0, and watch its first mean. */
export interface RunningMeanParameters {
  beta: number;
  series: "jump" | "noise" | "gradient";
  corrected: boolean;
}

/** A series of gradients and its mean after each of them. */
export interface RunningMean {
  values: number[];
  mean: number[];
  share: number[];
  corrected: number[];
  newest: number;
  window: number;
  held: number;
  half: number;
  series_moves: number;
  mean_moves: number;
}

/** Invent twenty names with this seed, as `sample` of Step 0 does. */
export interface SamplerParameters {
  seed: number;
}

/** A number from 0 to 1, and the piece of the line that it falls on. */
export interface Draw {
  token: number;
  number: number;
  drawn: number;
  start: number;
  end: number;
  p: number;
}

/** A name, and its draws, of which the last is BOS unless the name is too long. */
export interface SampledName {
  name: string;
  draws: Draw[];
}

/** The names, and for each token the places at which its line is cut. */
export interface Sampler {
  tokens: string[];
  cuts: number[][];
  names: SampledName[];
}

/** Give the record ("page"), or measure what Python alone can run ("measure"). */
export interface SpeedsParameters {
  task: "page" | "measure";
  layers?: number;
  width?: number;
  context?: number;
  batch?: number;
  grown?: string;
  steps?: number;
}

/** Milliseconds per step, with quartiles; `times` as fast as the first one there. */
export interface SpeedsTime {
  engine: string;
  ms: number;
  low: number;
  high: number;
  times: number;
}

/** What grew, and how large all sizes are; what each engine takes. */
export interface SpeedsSetting {
  grown: string;
  layers: number;
  width: number;
  context: number;
  batch: number;
  parameters: number;
  flops: number;
  engines: SpeedsTime[];
  here: string[];
}

/** The record, if it was asked for; what was measured here, after `step` steps. */
export interface Speeds {
  machine: string;
  settings: SpeedsSetting[];
  step: number;
  steps: number;
  yours: SpeedsTime[];
  agree: boolean;
}

/** Read the letters; yield what there is each time that more names are drawn. */
export interface TemperatureParameters {
  prefix: string;
  temperature: number;
}

/** The probabilities at a temperature, their entropy, and what `sample` makes of them. */
export interface TemperatureLook {
  temperature: number;
  probabilities: number[];
  entropy: number;
  choice: number;
  samples: string[];
}

/** The model's logits after the letters, and a look at each temperature. */
export interface Temperature {
  tokens: string[];
  logits: number[];
  looks: TemperatureLook[];
  start: number;
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

/** Do a task of the widget, and yield what comes of it, part by part. */
export interface TrainGptParameters {
  steps: number;
  seed: number;
  name: string;
  task?: "page" | "recorded" | "train" | "open" | "attention";
  names?: string;
  checkpoint?: string;
  losses?: number[] | null;
  weights?: Record<string, number[][]>[] | null;
}

/** A run: what it learns from, and after which steps its model is kept. */
export interface TrainGptRun {
  steps: number;
  seed: number;
  names: number;
  cut: number;
  held_out: number;
  parameters: number;
  kept: number[];
  vocabulary: string[];
}

/** What the model can do after a step: its held-out loss, if any, and new names. */
export interface TrainGptLook {
  step: number;
  held_out: number | null;
  samples: string[];
}

/** The model after a step: its weights, and the gradient of the next name's loss. */
export interface TrainGptState {
  step: number;
  weights: Record<string, number[][]>;
  sizes: Record<string, number>;
  document: string;
  gradient: Record<string, number[][]>;
  slopes: Record<string, number>;
}

/** What a run has done since the part before: the parts of a run add up. */
export interface TrainGpt {
  run: TrainGptRun | null;
  losses: number[];
  means: number[];
  looks: TrainGptLook[];
  states: TrainGptState[];
  name: string;
  tokens: string[];
  attention: number[][][][];
  step: number;
  checkpoint: string;
  pace: number;
  left: number;
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

/** Compare the models row by row, and by their loss of a name. */
export interface TwoModelsParameters {
  name: string;
}

/** The network at one time: its probabilities after each token. */
export interface TrainedNetwork {
  title: string;
  rows: number[][];
  apart: number[];
  loss: number;
}

/** Both models after the same names; `pairs` are those counted in each row. */
export interface TwoModels {
  tokens: string[];
  learnt: number;
  pairs: number[];
  table: number[][];
  table_loss: number;
  networks: TrainedNetwork[];
}

/** Let the model read a name as far as a position; return what it did there. */
export interface WalkParameters {
  name: string;
  position: number;
  weights: "untrained" | "trained";
}

/** A vector on the way, and how it was made from those in `inputs`. */
export interface WalkStage {
  name: string;
  layer: number;
  part: "in" | "attention" | "mlp" | "out";
  stream: boolean;
  kind: "parameter" | "activation" | "attention";
  made: "row" | "sum" | "scaled" | "product" | "relu" | "score" | "weight" | "average" | "chance";
  inputs: number[];
  values: number[];
  limit: number;
  matrix: string;
  row: number;
  scale: number;
  within: string[];
  lines: number[];
  says: string;
}

/** The keys and values of the tokens read so far, in one layer. */
export interface WalkCache {
  keys: number[][];
  values: number[][];
}

/** The whole way of the token at a position of a name. */
export interface Walk {
  tokens: string[];
  read: number[];
  letters: number[];
  target: number;
  heads: number;
  stages: WalkStage[];
  caches: WalkCache[];
  weights: Record<string, number[][]>;
  unit: number;
  functions: SourceFunction[];
}

/** Return every parameter as drawn, and as it is after the recorded run. */
export interface WeightsParameters {
  matrix: string;
  row: number;
  column: number;
}

/** A matrix before and after training, and the difference, in hundredths. */
export interface WeightMatrix {
  name: string;
  shape: string;
  rows_are: string;
  columns_are: string;
  rows: string[];
  columns: string[];
  before: number[][];
  after: number[][];
  change: number[][];
}

/** How many parameters lie in each interval: `edges` has one more than those. */
export interface Histogram {
  width: number;
  most: number;
  edges: number[];
  before: number[];
  after: number[];
}

/** How far the parameters lie from 0: the standard deviation, and the farthest. */
export interface Spread {
  deviation: number;
  farthest: number;
}

/** The whole model; `row` and `column` of `matrix` are picked at first. */
export interface WeightMatrices {
  matrices: WeightMatrix[];
  matrix: number;
  count: number;
  histogram: Histogram;
  before: Spread;
  after: Spread;
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
