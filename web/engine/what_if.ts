/** The finished model trained once more with one thing changed, for the page What if. */

import { sort } from "d3-array";
import { ADAM } from "./gpt.js";
import { Random } from "./random.js";
import { CONTEXT, type Off, type Setup, setupOf } from "./setup.js";
import { batchOf, Engine, invented, namesOf, tokenizerOf } from "./training.js";

/** What is changed; what is left out is as in the guide. */
export interface Change {
  /** The model: its sizes, parts that it does without, and the number of a change of gpt.c. */
  width?: number;
  layers?: number;
  heads?: number;
  off?: Off[];
  changed?: number;
  /** One matrix is both the first and the last. */
  tied?: boolean;
  /** So many numbers inside the MLP. */
  hidden?: number;
  /** The first weights: matrices that are zero, by a pattern of their names; all times a number; rows all alike. */
  zero?: string;
  scale?: number;
  alike?: boolean;
  /** Other first weights, and another order of the same names. */
  again?: boolean;
  names?: "backwards" | "scrambled" | "sorted" | "few" | "leaked" | "mistyped" | "joined" | "unbegun" | "unended";
  /** How it learns. */
  batch?: number;
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
export interface Sight {
  loss: number;
  names: string[];
}

/** What was seen of the model as it is, and of the changed one, and how far both have come: from 0 to 1. */
export interface Comparison {
  plain: Sight[];
  changed: Sight[];
  progress: number;
}

export const SEEN = 30_000;
/** After these shares of the training we look. */
export const LOOKS = [0, 0.01, 0.02, 0.035, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const FEW = 100;
const MISTYPED = 0.1;
const WARM = 0.1;
const MOMENTUM = 0.9;

const reversed = (name: string): string => [...name].reverse().join("");

export class Experiment {
  private readonly setup: Setup;
  private readonly engine: Engine;
  private readonly characters: string[];
  private readonly documents: number[][];
  private readonly heldOut: number[][];
  private readonly steps: number;
  private readonly batch: number;
  readonly sights: Sight[] = [];
  /** How far it has come, from 0 to 1. */
  progress = 0;
  private step = 0;

  constructor(
    readonly change: Change,
    seed: number,
  ) {
    const { width = 16, layers = 1, heads = 4, off = [], batch = 32 } = change;
    this.setup = { ...setupOf("four", SEEN), seed, width, layers, heads, off, batch };
    const random = new Random(seed);
    const names = namesOf("");
    random.shuffle(names);
    const { characters, read } = tokenizerOf(names);
    this.characters = characters;
    const tenth = Math.floor(0.9 * names.length);
    const other = new Random(seed + 1000);
    const scrambled = (name: string): string => {
      const letters = [...name];
      other.shuffle(letters);
      return letters.join("");
    };
    const everywhere = { backwards: reversed, scrambled }[change.names as string] ?? ((name: string) => name);
    const all = names.map((name) => read(everywhere(name)));
    this.heldOut = all.slice(tenth);
    this.documents = this.altered(all.slice(0, tenth), other);
    // Names of a step; of one long text as many letters.
    this.steps = Math.ceil(SEEN / batch);
    this.batch = change.names === "joined" ? Math.round((batch * this.documents.length) / tenth) : batch;
    this.engine = new Engine(this.setup, characters.length + 1, change.changed);
    this.begin(change.again ? other : random);
    if (change.again) other.shuffle(this.documents);
  }

  /** The names that are learnt from, as the change has them. */
  private altered(documents: number[][], random: Random): number[][] {
    const letters = this.characters.length;
    switch (this.change.names) {
      case "sorted":
        // Without BOS, the highest token: behind "adalbert" it would come after any letter.
        return sort(documents, (document) => String.fromCharCode(...document.filter((token) => token < letters)));
      case "few":
        return documents.slice(0, FEW);
      case "leaked":
        return [...documents, ...this.heldOut];
      case "mistyped":
        return documents.map((document) =>
          document.map((token) =>
            token < letters && random.random() < MISTYPED ? Math.floor(letters * random.random()) : token,
          ),
        );
      case "joined": {
        const text = documents.flatMap((document) => document.slice(1));
        return Array.from({ length: Math.floor((text.length - 1) / CONTEXT) }, (_, i) =>
          text.slice(i * CONTEXT, (i + 1) * CONTEXT + 1),
        );
      }
      case "unbegun":
        return documents.map((document) => document.slice(1));
      case "unended":
        return documents.map((document) => (document.at(-1) === letters ? document.slice(0, -1) : document));
      default:
        return documents;
    }
  }

  /** Each matrix whose name fits. */
  private matrices(pattern = "") {
    return this.engine.places().filter(({ name }) => new RegExp(pattern).test(name));
  }

  private begin(random: Random): void {
    const { zero, scale, alike, tied, hidden = Number.POSITIVE_INFINITY } = this.change;
    const { weights } = this.engine;
    this.engine.draw(random);
    if (scale !== undefined) for (const [i, weight] of weights.entries()) weights[i] = weight * scale;
    if (alike)
      for (const { from, rows, columns } of this.matrices())
        for (let row = 1; row < rows; row++) weights.copyWithin(from + row * columns, from, from + columns);
    if (zero !== undefined)
      for (const { from, rows, columns } of this.matrices(zero)) weights.fill(0, from, from + rows * columns);
    for (const { from, rows, columns } of this.matrices("fc1"))
      if (hidden < rows) weights.fill(0, from + hidden * columns, from + rows * columns);
    for (const { from, rows, columns } of this.matrices("fc2"))
      for (let i = 0; i < rows * columns; i++) if (i % columns >= hidden) weights[from + i] = 0;
    if (tied) this.tie(weights, (first) => first);
  }

  /** Make the first and the last matrix one. */
  private tie(numbers: Float64Array, join: (first: number, last: number) => number): void {
    for (const { from, rows, columns } of this.matrices("wte"))
      for (const { from: last } of this.matrices("head"))
        for (let i = 0; i < rows * columns; i++)
          numbers[from + i] = numbers[last + i] = join(numbers[from + i] as number, numbers[last + i] as number);
  }

  /** Train for about as many milliseconds. */
  advance(milliseconds: number): this {
    const end = performance.now() + milliseconds;
    const { sights } = this;
    let broken = false;
    do {
      if (this.step >= (LOOKS[sights.length] as number) * this.steps) sights.push(this.look());
      if (this.step < this.steps) broken = !Number.isFinite(this.takeStep());
      // After the last step, one more look is due, however late it is.
    } while (!broken && sights.length < LOOKS.length && (this.step >= this.steps || performance.now() < end));
    if (broken) sights.push({ ...this.look(), loss: Number.NaN, names: [] });
    this.progress = broken || sights.length >= LOOKS.length ? 1 : this.step / this.steps;
    return this;
  }

  private look(): Sight {
    const { engine, heldOut, characters } = this;
    return { loss: engine.loss(heldOut), names: invented(engine, characters, 4) };
  }

  private get rate(): number {
    const { rate = 1, schedule } = this.change;
    const share = this.step / this.steps;
    const left = schedule === "constant" ? 1 : 1 - share;
    return this.setup.rate * rate * (schedule === "warm-up" ? Math.min(left, share / WARM) : left);
  }

  private takeStep(): number {
    const { engine, documents, batch, change } = this;
    const { times = 1, clip, kept, ahead = 1, tied, frozen, decay = 0, bits } = change;
    const { gradient, weights } = engine;
    if (!kept) gradient.fill(0);
    const loss = engine.addGradient(batchOf(documents, this.step * batch, batch), ahead);
    if (tied) this.tie(gradient, (first, last) => first + last);
    if (frozen)
      for (const { from, rows, columns } of this.matrices(frozen)) gradient.fill(0, from, from + rows * columns);
    const length = clip === undefined ? 0 : Math.hypot(...gradient);
    const factor = clip !== undefined && length > clip ? clip / length : times;
    if (factor !== 1) for (const [i, slope] of gradient.entries()) gradient[i] = slope * factor;
    const { rate } = this;
    if (decay) for (const [i, weight] of weights.entries()) weights[i] = weight * (1 - rate * decay);
    this.move(rate);
    if (bits) for (const [i, weight] of weights.entries()) weights[i] = rounded(weight, bits);
    this.step += 1;
    return loss;
  }

  private move(rate: number): void {
    const { optimizer, adam } = this.change;
    const { engine } = this;
    const { gradient } = engine;
    if (optimizer === undefined) return engine.adam(rate, { ...ADAM, ...adam });
    if (optimizer === "momentum") {
      const [velocity] = engine.means;
      for (const [i, slope] of gradient.entries())
        gradient[i] = velocity[i] = MOMENTUM * (velocity[i] as number) + slope;
    }
    engine.sgd(rate);
  }
}

/** The nearest number with so many bits behind the first, as a shorter format would keep it. */
function rounded(value: number, bits: number): number {
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(value))) - bits);
  return unit > 0 ? Math.round(value / unit) * unit : value;
}
