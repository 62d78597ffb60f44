/** The model of Step 0, as `snippets/step0.py` has it: a table that counts which token follows which. */

import { pairs } from "d3-array";

/** The probabilities of the next token, from the row of counts of the token before it. */
export function probabilities(row: number[]): number[] {
  const total = row.reduce((sum, count) => sum + count + 1, 0);
  return row.map((count) => (count + 1) / total);
}

/** The probability of each token of a document after the one before it. */
export const chancesOf = (document: number[], counts: number[][]): number[] =>
  pairs(document, (token, target) => probabilities(counts[token] as number[])[target] as number);
