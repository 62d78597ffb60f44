/** The finished model trained once more with one thing changed, for the page What if. */

import { sort } from "d3-array";
import { ADAM } from "./gpt.js";
import { Random } from "./random.js";
import { CONTEXT, type Setup, setupOf } from "./setup.js";
import { batchOf, Engine, invented, namesOf, tokenizerOf } from "./training.js";
import type { Variant } from "./variant.js";

/** What is changed; what is left out is as in the guide. */
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

/** A model on its way: held-out loss in nats per token; names that it invents. */
export interface Evaluation {
  loss: number;
  names: string[];
}

/** The model as it is, and the changed one, and how far both have come: from 0 to 1. */
export interface Comparison {
  plain: Evaluation[];
  changed: Evaluation[];
  progress: number;
}

export const SEEN = 30_000;
/** The shares of the training after which models are evaluated. */
export const MOMENTS = [0, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const FEW = 100;
const MISTYPED = 0.1;
const WARM_UP = 0.1;
const MOMENTUM = 0.9;

export class Experiment {
  readonly evaluations: Evaluation[] = [];
  /** How far it has come, from 0 to 1. */
  progress = 0;
  private readonly engine: Engine;
  private readonly rate: number;
  private readonly characters: string[];
  private readonly documents: number[][];
  private readonly heldOut: number[][];
  private readonly steps: number;
  private readonly batch: number;
  private step = 0;

  constructor(
    private readonly change: Change,
    seed: number,
  ) {
    const { width = 16, layers = 1, heads = 4, batch = 32 } = change;
    const setup = { ...setupOf("four", SEEN), seed, width, layers, heads, batch };
    const [random, other] = [new Random(seed), new Random(seed + 1000)];
    const names = namesOf("");
    random.shuffle(names);
    const { characters, read } = tokenizerOf(names);
    const all = names.map((name) => read(this.respelled([...name], other).join("")));
    const count = Math.floor(0.9 * names.length);
    this.characters = characters;
    this.heldOut = all.slice(count);
    this.documents = this.altered(all.slice(0, count), other);
    // Names of a step; of one long text as many letters.
    this.batch = change.names === "joined" ? Math.round((batch * this.documents.length) / count) : batch;
    this.steps = Math.ceil(SEEN / batch);
    this.rate = setup.rate * (change.rate ?? 1);
    this.engine = new Engine(setup, characters.length + 1, { ...change.model });
    this.draw(change.again ? other : random);
    if (change.again) other.shuffle(this.documents);
  }

  /** A name as all are written, held-out ones too. */
  private respelled(letters: string[], random: Random): string[] {
    if (this.change.names === "backwards") letters.reverse();
    if (this.change.names === "scrambled") random.shuffle(letters);
    return letters;
  }

  /** The names that are learnt from, as the change has them. */
  private altered(documents: number[][], random: Random): number[][] {
    const bos = this.characters.length; // the highest token
    const mistyped = (token: number): number =>
      token < bos && random.random() < MISTYPED ? Math.floor(bos * random.random()) : token;
    const text = documents.flatMap((document) => document.slice(1));
    switch (this.change.names) {
      case "sorted":
        // Without BOS: behind "adalbert" it would come after any letter.
        return sort(documents, (document) => String.fromCharCode(...document.filter((token) => token < bos)));
      case "few":
        return documents.slice(0, FEW);
      case "leaked":
        return [...documents, ...this.heldOut];
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

  /** Fill each matrix whose name fits with zeros. */
  private clear(numbers: Float64Array, pattern: string): void {
    for (const { name, from, rows, columns } of this.engine.places())
      if (new RegExp(pattern).test(name)) numbers.fill(0, from, from + rows * columns);
  }

  private draw(random: Random): void {
    const { zero, scale = 1, alike, tied } = this.change;
    const { weights } = this.engine;
    this.engine.draw(random);
    if (scale !== 1) update(weights, (weight) => weight * scale);
    if (alike)
      for (const { from, rows, columns } of this.engine.places())
        for (let row = 1; row < rows; row++) weights.copyWithin(from + row * columns, from, from + columns);
    if (zero !== undefined) this.clear(weights, zero);
    if (tied) this.tie(weights, (first) => first);
  }

  /** Make the first and the last matrix one. */
  private tie(numbers: Float64Array, join: (first: number, last: number) => number): void {
    const [first, , last] = this.engine
      .places()
      .map(({ from, rows, columns }) => numbers.subarray(from, from + rows * columns));
    if (first && last) update(first, (number, i) => (last[i] = join(number, last[i] as number)));
  }

  /** Train for about as many milliseconds. */
  advance(milliseconds: number): this {
    const end = performance.now() + milliseconds;
    const { evaluations } = this;
    let broken = false;
    do {
      if (this.step >= (MOMENTS[evaluations.length] as number) * this.steps) evaluations.push(this.evaluate());
      if (this.step < this.steps) broken = !Number.isFinite(this.takeStep());
      // After the last step, one more evaluation is due, however late it is.
    } while (!broken && evaluations.length < MOMENTS.length && (this.step >= this.steps || performance.now() < end));
    if (broken) evaluations.push({ loss: Number.NaN, names: [] });
    this.progress = broken || evaluations.length >= MOMENTS.length ? 1 : this.step / this.steps;
    return this;
  }

  private evaluate(): Evaluation {
    const { engine, heldOut, characters } = this;
    return { loss: engine.loss(heldOut), names: invented(engine, characters, 4) };
  }

  /** The learning rate now. */
  private scheduled(): number {
    const share = this.step / this.steps;
    const left = this.change.schedule === "constant" ? 1 : 1 - share;
    return this.rate * (this.change.schedule === "warm-up" ? Math.min(left, share / WARM_UP) : left);
  }

  private takeStep(): number {
    const { engine, documents, batch, change } = this;
    const { times = 1, clip, kept, ahead = 1, tied, frozen, decay = 0, bits } = change;
    const { gradient, weights } = engine;
    if (!kept) gradient.fill(0);
    const loss = engine.addGradient(batchOf(documents, this.step * batch, batch), ahead);
    if (tied) this.tie(gradient, (first, last) => first + last);
    if (frozen) this.clear(gradient, frozen);
    const length = clip === undefined ? 0 : Math.hypot(...gradient);
    const factor = clip !== undefined && length > clip ? clip / length : times;
    if (factor !== 1) update(gradient, (slope) => slope * factor);
    const rate = this.scheduled();
    if (decay) update(weights, (weight) => weight * (1 - rate * decay));
    this.move(rate);
    if (bits) update(weights, (weight) => rounded(weight, bits));
    this.step += 1;
    return loss;
  }

  private move(rate: number): void {
    const { engine, change } = this;
    if (change.optimizer === undefined) return engine.adam(rate, { ...ADAM, ...change.adam });
    const [velocity] = engine.means;
    if (change.optimizer === "momentum")
      update(engine.gradient, (slope, i) => (velocity[i] = MOMENTUM * (velocity[i] as number) + slope));
    engine.sgd(rate);
  }
}

function update(numbers: Float64Array, to: (number: number, i: number) => number): void {
  for (const [i, number] of numbers.entries()) numbers[i] = to(number, i);
}

/** The nearest number with so many bits behind the first, as a shorter format would keep it. */
function rounded(value: number, bits: number): number {
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits);
  return unit > 0 ? Math.round(value / unit) * unit : value;
}
