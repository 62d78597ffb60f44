/** What can be changed of a training beside its set-up: its model, what it reads, where it begins, and how it learns. */

import { sort } from "d3-array";
import type { ADAM, Place } from "./gpt.js";
import type { Random } from "./random.js";
import { CONTEXT, type Off, type Setup, setupOf } from "./setup.js";
import type { Variant } from "./variant.js";

/** What is changed; what is left out is as in the guide. The sizes are those of a set-up. */
export interface Change extends Partial<Pick<Setup, "width" | "layers" | "heads" | "batch">> {
  model?: Variant;
  /** One matrix is both the first and the last. */
  tied?: boolean;
  /** The first weights: matrices that are zero, by a pattern of their names; all times a number; rows all alike. */
  zero?: string;
  scale?: number;
  alike?: boolean;
  /** Other first weights, and another order of the same names. */
  again?: boolean;
  names?: "backwards" | "scrambled" | "sorted" | "few" | "leaked" | "mistyped" | "joined" | "unbegun" | "unended";
  /** Times the usual rate, and how the rate goes on. */
  rate?: number;
  schedule?: "constant" | "warm-up";
  optimizer?: "SGD" | "momentum";
  adam?: Partial<typeof ADAM>;
  /** What a weight loses in a step, times the rate. */
  decay?: number;
  /** The gradient, times a number; no longer than this; never set back to zero. */
  times?: number;
  clip?: number;
  kept?: boolean;
  /** Matrices that stay as they began, by a pattern of their names. */
  frozen?: string;
  /** Weights are rounded to so many bits behind the first. */
  bits?: number;
  /** Targets are so many letters ahead. */
  ahead?: number;
}

/** Names that the models of What if? have seen. */
export const SEEN = 30_000;
const FEW = 100;
const MISTYPED = 0.1;
const WARM_UP = 0.1;

/** The finished model with a change of it, for the page What if. */
export function changedSetup({ width = 16, layers = 1, heads = 4, batch = 32 }: Change, seed: number): Setup {
  return { ...setupOf("four", SEEN), seed, width, layers, heads, batch };
}

/** Where two belong to one field, the last counts. */
const LEFT_OUT: Record<Off, Change> = {
  positions: { model: { positions: "none" } },
  queries: { model: { attention: "even" } },
  attention: { model: { attention: "none" } },
  root: { model: { score_scale: "none" } },
  residual: { model: { residual: "no" } },
  norm: { model: { norm: "none" } },
  mlp: { model: { mlp: "no" } },
  correction: { adam: { corrected: false } },
  zeroing: { kept: true },
};
const NETWORK: Variant = { positions: "none", attention: "none", residual: "no", norm: "none", head_input: "hidden" };

/** How a set-up differs from the lesson’s model, trained with Adam. */
export function changeOf({ model, off, optimizer }: Setup): Change {
  const changes = Object.entries(LEFT_OUT).flatMap(([part, change]) => (off.includes(part as Off) ? [change] : []));
  const parts: Variant = model === "network" ? NETWORK : Object.assign({}, ...changes.map((change) => change.model));
  return {
    ...Object.assign({}, ...changes),
    ...{ model: Object.keys(parts).length > 0 ? parts : undefined },
    ...(optimizer === "SGD" && { optimizer }),
  };
}

/** A name as all are written, held-out ones too. */
export function respelled(name: string, { names }: Change, random: Random): string {
  const letters = [...name];
  if (names === "backwards") letters.reverse();
  if (names === "scrambled") random.shuffle(letters);
  return letters.join("");
}

/** The documents that are learnt from, as a change has them; BOS is the highest token. */
export function altered(
  documents: number[][],
  heldOut: number[][],
  bos: number,
  { names }: Change,
  random: Random,
): number[][] {
  const mistyped = (token: number): number =>
    token < bos && random.random() < MISTYPED ? Math.floor(bos * random.random()) : token;
  const text = documents.flatMap((document) => document.slice(1));
  switch (names) {
    case "sorted":
      // Without BOS: behind "adalbert" it would come after any letter.
      return sort(documents, (document) => String.fromCharCode(...document.filter((token) => token < bos)));
    case "few":
      return documents.slice(0, FEW);
    case "leaked":
      return [...documents, ...heldOut];
    case "mistyped":
      return documents.map((document) => document.map(mistyped));
    case "joined":
      return Array.from({ length: Math.floor((text.length - 1) / CONTEXT) }, (_, i) =>
        text.slice(i * CONTEXT, (i + 1) * CONTEXT + 1),
      );
    case "unbegun":
      return documents.map((document) => document.slice(1));
    case "unended":
      return documents.map((document) => (document.at(-1) === bos ? document.slice(0, -1) : document));
    default:
      return documents;
  }
}

/** The learning rate after a share of the steps, as a part of the first. */
export function scheduled(share: number, { rate = 1, schedule }: Change): number {
  const left = schedule === "constant" ? 1 : 1 - share;
  return rate * (schedule === "warm-up" ? Math.min(left, share / WARM_UP) : left);
}

/** Change the weights that a training begins with. */
export function begin(weights: Float64Array, places: Place[], { zero, scale = 1, alike, tied }: Change): void {
  if (scale !== 1) update(weights, (weight) => weight * scale);
  if (alike)
    for (const { from, rows, columns } of places)
      for (let row = 1; row < rows; row++) weights.copyWithin(from + row * columns, from, from + columns);
  if (zero !== undefined) clear(weights, places, zero);
  if (tied) tie(weights, places, (first) => first);
}

/** Fill each matrix whose name fits with zeros. */
export function clear(numbers: Float64Array, places: Place[], pattern: string): void {
  for (const { name, from, rows, columns } of places)
    if (new RegExp(pattern).test(name)) numbers.fill(0, from, from + rows * columns);
}

/** Make the first and the last matrix one. */
export function tie(numbers: Float64Array, places: Place[], join: (first: number, last: number) => number): void {
  const [first, , last] = places.map(({ from, rows, columns }) => numbers.subarray(from, from + rows * columns));
  if (first && last) update(first, (number, i) => (last[i] = join(number, last[i] as number)));
}

export function update(numbers: Float64Array, to: (number: number, i: number) => number): void {
  for (const [i, number] of numbers.entries()) numbers[i] = to(number, i);
}

/** The nearest number with so many bits behind the first, as a shorter format would keep it. */
export function rounded(value: number, bits: number): number {
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits);
  return unit > 0 ? Math.round(value / unit) * unit : value;
}
