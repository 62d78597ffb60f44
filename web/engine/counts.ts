/** The model of Step 0, as `snippets/step0.py` has it: a table that counts which token follows which. */

import { pairs } from "d3-array";
import { shuffled } from "./names.js";
import { documentOf, TOKENS } from "./network.js";
import { mean, type Vector } from "./vectors.js";

/** The probabilities of the next token, from the row of counts of the token before it. */
export function probabilities(row: Vector): Vector {
  const total = row.reduce((sum, count) => sum + count + 1, 0);
  return row.map((count) => (count + 1) / total);
}

/** The probability of each token of a document after the one before it. */
export const chancesOf = (document: number[], counts: Vector[]): Vector =>
  pairs(document, (token, target) => probabilities(counts[token] as Vector)[target] as number);

export class Table {
  readonly counts: Vector[];

  constructor(vocab = TOKENS.length) {
    this.counts = Array.from({ length: vocab }, () => Array<number>(vocab).fill(0));
  }

  /** The counts, row by row. */
  get weights(): Float64Array {
    return Float64Array.from(this.counts.flat());
  }

  count(documents: number[][]): this {
    for (const [token, target] of documents.flatMap((document) => pairs(document))) {
      const row = this.counts[token] as Vector;
      row[target] = (row[target] as number) + 1;
    }
    return this;
  }

  /** Count, and return the mean of the documents' losses before. */
  learn(documents: number[][]): number {
    const loss = mean(documents.map((document) => this.loss([document])));
    this.count(documents);
    return loss;
  }

  loss(documents: number[][]): number {
    return mean(documents.flatMap((document) => chancesOf(document, this.counts).map((p) => -Math.log(p))));
  }

  logits(tokens: readonly number[]): Vector {
    return (this.counts[tokens.at(-1) as number] as Vector).map((count) => Math.log(count + 1));
  }
}

/** How often each token follows each other one in some names. */
export const countsOf = (names: string[]): Vector[] => new Table().count(names.map(documentOf)).counts;

/** The table after the first names that the program learns. */
export const countsAfter = (learnt: number): Vector[] => countsOf(shuffled().slice(0, learnt));
