/** The one-letter network of Step 1 (`snippets/step1.py`), keeping every number of its forward and backward pass. */

import { transpose } from "d3-array";
import { INITIAL_WEIGHT_STD, rngAfterShuffle } from "./random.js";
import { linear, softmax, type Vector } from "./vectors.js";

/** The rows of each matrix by its name: `wte` is 27 × 16, `fc1` 64 × 16, `fc2` 27 × 64. */
export type Matrices = Record<string, Vector[]>;

export const FORWARD_VECTOR_NAMES = ["x", "hidden", "activated", "logits", "probabilities"] as const;
export const GRADIENT_VECTOR_NAMES = ["d_x", "d_hidden", "d_activated", "d_logits"] as const;
export type VectorName = (typeof FORWARD_VECTOR_NAMES)[number] | (typeof GRADIENT_VECTOR_NAMES)[number];

/** Every number of the forward and backward pass that predicts `target` after `token`; gradients are of this pair's loss. */
export interface PairTrace {
  token: number;
  target: number;
  vectors: Record<VectorName, Vector>;
  probability: number;
  loss: number;
}

/** Return the initial weights, as `initial_weights` of step1.py draws them after shuffling `shuffledCount` names. */
export function initialWeights(shuffledCount: number): Matrices {
  const rng = rngAfterShuffle(shuffledCount);
  const draw = (rows: number, columns: number): Vector[] =>
    Array.from({ length: rows }, () => Array.from({ length: columns }, () => rng.gauss(INITIAL_WEIGHT_STD)));
  return { wte: draw(TOKEN_LABELS.length, 16), fc1: draw(64, 16), fc2: draw(TOKEN_LABELS.length, 64) };
}

/** Return the gradient of the input of `linear`: each column of the matrix times the gradient of the output. */
const linearInputGradient = (outputGradient: Vector, matrix: Vector[]): Vector =>
  linear(outputGradient, transpose(matrix));

const relu = (hidden: Vector): Vector => hidden.map((h) => Math.max(0, h));

/** Compute the forward and backward pass of one pair of tokens. */
export function tracePair(matrices: Matrices, token: number, target: number): PairTrace {
  const [wte, fc1, fc2] = ["wte", "fc1", "fc2"].map((name) => matrices[name]) as [Vector[], Vector[], Vector[]];
  const x = wte[token] as Vector;
  const hidden = linear(x, fc1);
  const activated = relu(hidden);
  const logits = linear(activated, fc2);
  const probabilities = softmax(logits);
  const d_logits = probabilities.map((p, i) => p - Number(i === target));
  const d_activated = linearInputGradient(d_logits, fc2);
  const d_hidden = d_activated.map((d, i) => ((hidden[i] as number) > 0 ? d : 0));
  const d_x = linearInputGradient(d_hidden, fc1);
  const probability = probabilities[target] as number;
  const vectors = { x, hidden, activated, logits, probabilities, d_logits, d_activated, d_hidden, d_x };
  return { token, target, vectors, probability, loss: -Math.log(probability) };
}

/** The label of each token on pages: its letter, or BOS. */
export const TOKEN_LABELS = [..."abcdefghijklmnopqrstuvwxyz", "BOS"];

/** Return a name as token ids, with BOS at both ends. */
export function encodeName(name: string): number[] {
  const bos = TOKEN_LABELS.length - 1;
  return [bos, ...[...name].map((letter) => TOKEN_LABELS.indexOf(letter)), bos];
}

/** Trace each pair of neighbouring tokens of a document. */
export const tracePairs = (matrices: Matrices, document: number[]): PairTrace[] =>
  document.slice(1).map((target, i) => tracePair(matrices, document[i] as number, target));
