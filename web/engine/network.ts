/** What `snippets/step1.py` computes, with every number kept: a pair on its way to its loss, and the slopes on theirs back. */

import { afterShuffle, STD } from "./random.js";
import { dot, linear, softmax, type Vector } from "./vectors.js";

export type Matrices = Record<string, Vector[]>;

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
