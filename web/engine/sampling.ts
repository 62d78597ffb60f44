/** Sampling of names from any model, token by token like `microgpt.sample`, with temperature, top-k and top-p. */

import { Random } from "./random.js";
import { CONTEXT_LENGTH } from "./training_setup.js";
import { softmax, type Vector } from "./vectors.js";

/** A model: takes the tokens so far, and returns a logit for each token that may follow. */
export type LogitsFunction = (tokens: readonly number[]) => Vector;

export interface SamplingSettings {
  /** Divides the logits; 0 always takes the likeliest token. */
  temperature: number;
  /** Keep this many of the likeliest tokens. */
  topK: number;
  /** Keep the likeliest tokens until their probabilities sum to this; 1 keeps all. */
  topP: number;
}

/** Return all tokens, the highest score first; equal scores keep their order. */
export const rankTokens = (scores: Vector): number[] =>
  scores.map((_, token) => token).toSorted((a, b) => (scores[b] as number) - (scores[a] as number) || a - b);

/**
 * Return the probability that each token is drawn: softmax of the logits divided by the temperature, cut to the top k,
 * then to the top p. They sum to 1; tokens that are cut have 0.
 */
export function samplingProbabilities(logits: Vector, { temperature, topK, topP }: SamplingSettings): Vector {
  const order = rankTokens(logits);
  if (temperature === 0) return logits.map((_, token) => (token === order[0] ? 1 : 0));
  let probabilities = softmax(logits.map((logit) => logit / temperature));
  const keepOnly = (tokens: number[]): void => {
    const total = tokens.reduce((sum, token) => sum + (probabilities[token] as number), 0);
    probabilities = probabilities.map((probability, token) => (tokens.includes(token) ? probability / total : 0));
  };
  if (topK < probabilities.length) keepOnly(order.slice(0, topK));
  let probabilityBefore = 0;
  const nucleus = order.filter((token) => {
    const isKept = probabilityBefore < topP;
    probabilityBefore += probabilities[token] as number;
    return isKept;
  });
  if (topP < 1) keepOnly(nucleus);
  return probabilities;
}

/**
 * Continue a prefix, which begins with BOS, until the model draws BOS again or the context is full; return all tokens
 * but that last BOS. `onToken` gets each drawn token and its probability.
 */
export function sampleTokens(
  prefix: readonly number[],
  probabilitiesOf: (tokens: readonly number[]) => Vector,
  rng: Random,
  contextLength: number = CONTEXT_LENGTH,
  onToken = (_token: number, _probability: number) => {},
): number[] {
  const tokens = [...prefix];
  while (tokens.length <= contextLength) {
    const probabilities = probabilitiesOf(tokens);
    const token = rng.drawIndex(probabilities);
    onToken(token, probabilities[token] as number);
    if (token === tokens[0]) break;
    tokens.push(token);
  }
  return tokens;
}

/** Return a seeded generator that has made `draws` draws. */
export function rngAfterDraws(seed: number, draws: number): Random {
  const rng = new Random(seed);
  for (let i = 0; i < draws; i++) rng.random();
  return rng;
}
