/** Vectors as plain arrays, and what is asked of them everywhere. */

export type Vector = number[];

export const mean = (numbers: Vector): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
export const dot = (a: Vector, b: Vector): number => a.reduce((sum, ai, i) => sum + ai * (b[i] as number), 0);
export const linear = (x: Vector, matrix: Vector[]): Vector => matrix.map((row) => dot(row, x));
export const minus = (a: Vector, b: Vector): Vector => a.map((ai, i) => ai - (b[i] as number));

export function softmax(logits: Vector): Vector {
  const largest = Math.max(...logits);
  const exps = logits.map((logit) => Math.exp(logit - largest));
  const total = exps.reduce((sum, exp) => sum + exp, 0);
  return exps.map((exp) => exp / total);
}
