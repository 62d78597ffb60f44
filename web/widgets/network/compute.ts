/** What `snippets/step1.py` computes, with every number kept: a pair on its way to its loss, and the slopes on theirs back. */

import { dot, linear, softmax, type Vector } from "../../engine/trace.js";

export type Matrices = Record<string, Vector[]>;
/** A parameter: its matrix, row and column. */
export type Parameter = [matrix: string, row: number, column: number];

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

/** A name's pairs, and what they go through. */
export interface Flow {
  tokens: string[];
  stages: string[];
  matrices: Matrices;
  pairs: Pair[];
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

export function pairOf(matrices: Matrices, token: number, target: number): Pair {
  const [wte, fc1, fc2] = ["wte", "fc1", "fc2"].map((name) => matrix(matrices, name)) as [Vector[], Vector[], Vector[]];
  const x = wte[token] as Vector;
  const hidden = linear(x, fc1);
  const activated = hidden.map((h) => Math.max(0, h));
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

/** A name as its tokens, BOS at both ends. */
export function documentOf(name: string, tokens: string[]): number[] {
  const bos = tokens.length - 1;
  return [bos, ...[...name].map((letter) => tokens.indexOf(letter)), bos];
}

export const pairsOf = (matrices: Matrices, document: number[]): Pair[] =>
  document.slice(1).map((target, i) => pairOf(matrices, document[i] as number, target));

export const mean = (numbers: number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** The mean loss of a document with one parameter moved. */
export function movedLoss(matrices: Matrices, document: number[], [name, row, column]: Parameter, by: number): number {
  const rows = matrix(matrices, name);
  const moved = (rows[row] as Vector).with(column, ((rows[row] as Vector)[column] as number) + by);
  const changed = { ...matrices, [name]: rows.with(row, moved) };
  return mean(pairsOf(changed, document).map(({ loss }) => loss));
}

/** The slope of the mean loss along one parameter, as `analytic_gradient` finds it. */
export function trueSlope(matrices: Matrices, document: number[], [name, row, column]: Parameter): number {
  const slopes = pairsOf(matrices, document).map(({ token, vectors }) => {
    if (name === "wte") return token === row ? (vectors.d_x[column] as number) : 0;
    const [d, from] = name === "fc1" ? [vectors.d_hidden, vectors.x] : [vectors.d_logits, vectors.activated];
    return (d[row] as number) * (from[column] as number);
  });
  return mean(slopes);
}
