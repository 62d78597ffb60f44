/** What `snippets/step1.py` computes, with every number kept: a pair on its way to its loss, and the slopes on theirs back. */

import { afterShuffle, STD } from "./random.js";
import { dot, linear, mean, softmax, type Vector } from "./vectors.js";

export type Matrices = Record<string, Vector[]>;
/** A parameter: its matrix, row and column. */
export type Parameter = [matrix: string, row: number, column: number];

/** What a parameter does in the network. */
export function belongs([matrix, row, column]: Parameter): string {
  if (matrix === "wte") return `number ${column} in the embedding of ${TOKENS[row]}`;
  if (matrix === "fc1") return `from number ${column} of the embedding to hidden unit ${row}`;
  return `from hidden unit ${column} to the logit of ${TOKENS[row]}`;
}

export const VECTORS = ["x", "hidden", "activated", "logits", "probabilities"] as const;
export const SLOPES = ["d_x", "d_hidden", "d_activated", "d_logits"] as const;
export type VectorName = (typeof VECTORS)[number] | (typeof SLOPES)[number];

/** All that happens between one token and the next; slopes are those of this pair's own loss. */
export interface Pair {
  token: number;
  target: number;
  vectors: Record<VectorName, Vector>;
  p: number;
  loss: number;
}

/** The weights that training begins with, as `initial_weights` draws them after the shuffle of so many names. */
export function initialWeights(names: number): Matrices {
  const random = afterShuffle(names);
  const draw = (rows: number, columns: number): Vector[] =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => random.gauss(STD)));
  return { wte: draw(TOKENS.length, 16), fc1: draw(64, 16), fc2: draw(TOKENS.length, 64) };
}

const matrix = (matrices: Matrices, name: string): Vector[] => matrices[name] as Vector[];
/** What comes back through a matrix: each column times the slopes. */
const back = (slopes: Vector, rows: Vector[]): Vector =>
  (rows[0] as Vector).map((_, column) =>
    dot(
      slopes,
      rows.map((row) => row[column] as number),
    ),
  );

const relu = (hidden: Vector): Vector => hidden.map((h) => Math.max(0, h));

export function pairOf(matrices: Matrices, token: number, target: number): Pair {
  const [wte, fc1, fc2] = ["wte", "fc1", "fc2"].map((name) => matrix(matrices, name)) as [Vector[], Vector[], Vector[]];
  const x = wte[token] as Vector;
  const hidden = linear(x, fc1);
  const activated = relu(hidden);
  const logits = linear(activated, fc2);
  const probabilities = softmax(logits);
  const d_logits = probabilities.map((p, i) => p - Number(i === target));
  const d_activated = back(d_logits, fc2);
  const d_hidden = d_activated.map((d, i) => ((hidden[i] as number) > 0 ? d : 0));
  const d_x = back(d_hidden, fc1);
  const p = probabilities[target] as number;
  const vectors = { x, hidden, activated, logits, probabilities, d_logits, d_activated, d_hidden, d_x };
  return { token, target, vectors, p, loss: -Math.log(p) };
}

/** What readers call each token: its letter, or BOS. */
export const TOKENS = [..."abcdefghijklmnopqrstuvwxyz", "BOS"];

/** A name as its tokens, BOS at both ends. */
export function documentOf(name: string): number[] {
  const bos = TOKENS.length - 1;
  return [bos, ...[...name].map((letter) => TOKENS.indexOf(letter)), bos];
}

export const pairsOf = (matrices: Matrices, document: number[]): Pair[] =>
  document.slice(1).map((target, i) => pairOf(matrices, document[i] as number, target));

/** The loss of a pair with one parameter moved: what does not depend on it is not computed again. */
function movedLossOf(matrices: Matrices, pair: Pair, [name, row, column]: Parameter, by: number): number {
  const { x, hidden, activated, logits } = pair.vectors;
  const before = matrix(matrices, name)[row] as Vector;
  const moved = before.with(column, (before[column] as number) + by);
  const lossOf = (logits: Vector): number => -Math.log(softmax(logits)[pair.target] as number);
  const through = (hidden: Vector): number => lossOf(linear(relu(hidden), matrix(matrices, "fc2")));
  if (name === "wte") return pair.token === row ? through(linear(moved, matrix(matrices, "fc1"))) : pair.loss;
  if (name === "fc2") return activated[column] === 0 ? pair.loss : lossOf(logits.with(row, dot(moved, activated)));
  const unit = dot(moved, x);
  return Math.max(unit, hidden[row] as number) <= 0 ? pair.loss : through(hidden.with(row, unit));
}

/** The mean loss of a document, given its pairs, with one parameter moved. */
export const movedLoss = (matrices: Matrices, pairs: Pair[], parameter: Parameter, by: number): number =>
  mean(pairs.map((pair) => movedLossOf(matrices, pair, parameter, by)));

/** The slope of the mean loss along one parameter, as `analytic_gradient` finds it. */
export function trueSlope(pairs: Pair[], [name, row, column]: Parameter): number {
  const slopes = pairs.map(({ token, vectors }) => {
    if (name === "wte") return token === row ? (vectors.d_x[column] as number) : 0;
    const [d, from] = name === "fc1" ? [vectors.d_hidden, vectors.x] : [vectors.d_logits, vectors.activated];
    return (d[row] as number) * (from[column] as number);
  });
  return mean(slopes);
}
