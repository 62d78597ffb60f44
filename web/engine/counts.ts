/** The model of Step 0, as `snippets/step0.py` has it: a table that counts which token follows which. */

import { pairs } from "d3-array";
import { shuffled } from "./names.js";
import { documentOf, TOKENS } from "./network.js";

export interface CountModel {
  /** How many names it has learnt. */
  learnt: number;
  counts: number[][];
}

/** How often each token follows each other one in some names. */
export function countsOf(names: string[]): number[][] {
  const counts = TOKENS.map(() => TOKENS.map(() => 0));
  for (const name of names)
    for (const [token, target] of pairs(documentOf(name))) {
      const row = counts[token] as number[];
      row[target] = (row[target] as number) + 1;
    }
  return counts;
}

/** The table after the first names that the program learns. */
export const countModel = (learnt: number): CountModel => ({ learnt, counts: countsOf(shuffled().slice(0, learnt)) });

/** The probabilities of the next token, from the row of counts of the token before it. */
export function probabilities(row: number[]): number[] {
  const total = row.reduce((sum, count) => sum + count + 1, 0);
  return row.map((count) => (count + 1) / total);
}

/** The probability of each token of a document after the one before it. */
export const chancesOf = (document: number[], counts: number[][]): number[] =>
  pairs(document, (token, target) => probabilities(counts[token] as number[])[target] as number);
