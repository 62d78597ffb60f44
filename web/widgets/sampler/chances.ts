/** What a model says of the next token, what temperature, top-k and top-p leave of it, and draws from that. */

import { countsAfter } from "../../engine/counts.js";
import { gptOf } from "../../engine/gpt.js";
import { Random, SEED } from "../../engine/random.js";
import { goOn } from "../../engine/sampling.js";
import { softmax, type Vector } from "../../engine/vectors.js";
import type { Taught } from "../types.js";

/** From the tokens so far to the logits of the next. */
export type Model = (tokens: readonly number[]) => Vector;

/** As many letters as the context of a GPT has room for. */
export const LONGEST = 16;

export interface Settings {
  /** 0 is greedy. */
  temperature: number;
  /** How many of the likeliest are kept. */
  k: number;
  /** The likeliest are kept until they have this much; 1 keeps all. */
  p: number;
}

/** A model that can be asked: one of the page, or one that the reader has trained. */
export interface Asked {
  /** Its name for who chooses. */
  called: string;
  /** How many names it has learnt from; its seed decides which. */
  learnt: number;
  seed: number;
  /** How often each token came after each; null for a model that does not count. */
  counts: number[][] | null;
  says: Model;
}

/** What the models of a page are called. */
const CALLED: Record<string, string> = {
  counts: "a table",
  network: "a network",
  "one-end": "one head",
  "four-end": "four heads",
};

/** A model of the page. */
export function taught(name: string, { learnt, logits, matrices, heads }: Taught): Asked {
  const gpt = matrices && gptOf(heads, matrices);
  return {
    ...{ called: CALLED[name] as string, learnt, seed: SEED },
    counts: name === "counts" ? countsAfter(learnt) : null,
    says: (tokens) => gpt?.logits(tokens) ?? (logits?.[tokens.at(-1) as number] as Vector),
  };
}

export function modelOf({ counts, says }: Asked, smoothing: number): Model {
  const known = new Map<string, Vector>();
  return (tokens) => {
    const row = counts?.[tokens.at(-1) as number];
    if (row) return row.map((count) => Math.log(count + smoothing));
    const key = tokens.join();
    const said = known.get(key) ?? says(tokens);
    known.set(key, said);
    return said;
  };
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

/** Go on from some tokens to the end of a name. */
export const finished = (model: Model, settings: Settings, begin: readonly number[], random: Random): number[] =>
  goOn(begin, (tokens) => chances(model(tokens), settings), random);

/** The number with which `random` draws after so many draws. */
export function dieAfter(seed: number, draws: number): Random {
  const random = new Random(seed);
  for (let i = 0; i < draws; i++) random.random();
  return random;
}
