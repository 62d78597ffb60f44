/** Arithmetic of vectors, which are plain arrays. */

/** A vector; a matrix is a list of its rows, `Vector[]`. */
export type Vector = number[];

export const mean = (numbers: Vector): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
export const dot = (a: Vector, b: Vector): number => a.reduce((sum, ai, i) => sum + ai * (b[i] as number), 0);
/** Multiply a matrix by a vector. */
export const linear = (x: Vector, matrix: Vector[]): Vector => matrix.map((row) => dot(row, x));
export const subtract = (a: Vector, b: Vector): Vector => a.map((ai, i) => ai - (b[i] as number));

export function softmax(logits: Vector): Vector {
  const largest = Math.max(...logits);
  const exps = logits.map((logit) => Math.exp(logit - largest));
  const total = exps.reduce((sum, exp) => sum + exp, 0);
  return exps.map((exp) => exp / total);
}
