/** The model of Step 0 (`snippets/step0.py`): a table of how often each token follows each other one. */

import { pairs } from "d3-array";
import { shuffledNames } from "./names.js";
import { encodeName, TOKEN_LABELS } from "./network.js";
import { mean, type Vector } from "./vectors.js";

/** Return the next token's probabilities from the counts after one token, with 1 added to each count. */
export function smoothedProbabilities(counts: Vector): Vector {
  const total = counts.reduce((sum, count) => sum + count + 1, 0);
  return counts.map((count) => (count + 1) / total);
}

/** Return the probability of each token of a document but the first, given the token before it. */
export const targetProbabilities = (document: number[], counts: Vector[]): Vector =>
  pairs(document, (token, target) => smoothedProbabilities(counts[token] as Vector)[target] as number);

/** A bigram model: `counts[a][b]` is how often token b followed token a. */
export class BigramTable {
  readonly counts: Vector[];

  constructor(vocabSize = TOKEN_LABELS.length) {
    this.counts = Array.from({ length: vocabSize }, () => Array<number>(vocabSize).fill(0));
  }

  /** All counts, row by row. */
  get weights(): Float64Array {
    return Float64Array.from(this.counts.flat());
  }

  /** Count each pair of neighbouring tokens. */
  countPairs(documents: number[][]): this {
    for (const [token, target] of documents.flatMap((document) => pairs(document))) {
      const row = this.counts[token] as Vector;
      row[target] = (row[target] as number) + 1;
    }
    return this;
  }

  /** Count the pairs of a batch of documents; return the mean of their losses before that. */
  trainStep(documents: number[][]): number {
    const loss = mean(documents.map((document) => this.loss([document])));
    this.countPairs(documents);
    return loss;
  }

  /** Return the mean loss in nats per token. */
  loss(documents: number[][]): number {
    return mean(documents.flatMap((document) => targetProbabilities(document, this.counts).map((p) => -Math.log(p))));
  }

  /** Return a logit for each token that may follow the last of `tokens`. */
  logits(tokens: readonly number[]): Vector {
    return (this.counts[tokens.at(-1) as number] as Vector).map((count) => Math.log(count + 1));
  }
}

/** Return how often each token follows each other one in `names`: `counts[a][b]` is for b after a. */
export const pairCounts = (names: string[]): Vector[] => new BigramTable().countPairs(names.map(encodeName)).counts;

/** Return the pair counts of the first `nameCount` names in the guide's training order. */
export const pairCountsAfterNames = (nameCount: number): Vector[] => pairCounts(shuffledNames().slice(0, nameCount));
