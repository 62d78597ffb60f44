/** Names from any model, token by token, as `sample` of the package draws them; and what can be done to its odds. */

import { Random } from "./random.js";
import { CONTEXT } from "./setup.js";
import { softmax, type Vector } from "./vectors.js";

/** From the tokens so far to the logits of the next. */
export type Model = (tokens: readonly number[]) => Vector;

export interface Settings {
  /** 0 is greedy. */
  temperature: number;
  /** How many of the likeliest are kept. */
  k: number;
  /** The likeliest are kept until they have this much; 1 keeps all. */
  p: number;
}

/** The tokens, the likeliest first; of two that are alike, the first. */
export const ranked = (scores: Vector): number[] =>
  scores.map((_, token) => token).toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);

/** Divide the logits by the temperature, then keep the top k, then the top p; what is left adds up to 1. */
export function chances(logits: Vector, { temperature, k, p }: Settings): Vector {
  const order = ranked(logits);
  if (temperature === 0) return logits.map((_, token) => (token === order[0] ? 1 : 0));
  let left = softmax(logits.map((logit) => logit / temperature));
  const keep = (tokens: number[]): void => {
    const total = tokens.reduce((sum, token) => sum + (left[token] as number), 0);
    left = left.map((chance, token) => (tokens.includes(token) ? chance / total : 0));
  };
  if (k < left.length) keep(order.slice(0, k));
  let before = 0;
  const nucleus = order.filter((token) => {
    const kept = before < p;
    before += left[token] as number;
    return kept;
  });
  if (p < 1) keep(nucleus);
  return left;
}

/** Go on from some tokens to the end of a name; hear how likely each was that came. */
export function sampleTokens(
  begin: readonly number[],
  odds: (tokens: readonly number[]) => Vector,
  random: Random,
  hear = (_token: number, _p: number) => {},
): number[] {
  const tokens = [...begin];
  while (tokens.length <= CONTEXT) {
    const p = odds(tokens);
    const token = random.choice(p);
    hear(token, p[token] as number);
    if (token === tokens[0]) break;
    tokens.push(token);
  }
  return tokens;
}

/** The number with which `random` draws after so many draws. */
export function dieAfter(seed: number, draws: number): Random {
  const random = new Random(seed);
  for (let i = 0; i < draws; i++) random.random();
  return random;
}
