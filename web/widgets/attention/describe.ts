/** Sentences that describe attention weights. */

import type { Vector } from "../../engine/vectors.js";
import { formatWholePercent, joinWithAnd } from "../../parts/format.js";

/** Weights are called about equal if their perplexity (the exponential of their entropy) is above this share of the tokens. */
const MIN_EVEN_PERPLEXITY_SHARE = 0.93;

const ORDINALS = ["first", "second", "third", "fourth"];

/** Return what sentences call a token: the e, the second a; the start for BOS. */
export function describeToken(tokens: string[], index: number): string {
  const token = tokens[index] as string;
  if (index === 0) return "the start";
  const samePositions = [...tokens.keys()].filter((other) => tokens[other] === token);
  const ordinal = samePositions.indexOf(index);
  if (samePositions.length === 1) return `the ${token}`;
  return `the ${ordinal === samePositions.length - 1 ? "last" : (ORDINALS[ordinal] ?? `${ordinal + 1}th`)} ${token}`;
}

/** Describe in a sentence which tokens the last one attends to: the largest weight, and those above half of it. */
export function describeAttention(tokens: string[], weights: Vector): string {
  const query = weights.length - 1;
  const subject =
    describeToken(tokens, query).replace(/^t/, "T") + (query === 0 ? "" : ` of ${tokens.slice(1).join("")}`);
  if (query === 0) return `${subject} has only itself to listen to.`;
  const [least, most] = [Math.min(...weights), Math.max(...weights)];
  const entropy = weights.reduce((sum, weight) => sum - (weight > 0 ? weight * Math.log(weight) : 0), 0);
  if (Math.exp(entropy) > MIN_EVEN_PERPLEXITY_SHARE * weights.length)
    return `${subject} listens to all ${weights.length} about equally: each gets ${formatWholePercent(least)} to ${formatWholePercent(most)}.`;
  const describeTarget = (index: number): string => (index === query ? "itself" : describeToken(tokens, index));
  const targets = [...weights.keys()]
    .filter((index) => (weights[index] as number) > 0.5 * most)
    .sort((a, b) => (weights[b] as number) - (weights[a] as number))
    .slice(0, 3)
    .map((index) => `to ${describeTarget(index)} (${formatWholePercent(weights[index] as number)})`);
  return `${subject} listens mostly ${joinWithAnd(targets)}.`;
}
