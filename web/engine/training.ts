/** A training run in a page: what it learns from, its steps, and what it can do at some moments. */

import text from "../../microgpt/names.txt";
import { Table } from "./counts.js";
import { ADAM, Gpt } from "./gpt.js";
import type { Fate } from "./names.js";
import { Random } from "./random.js";
import { sampleTokens } from "./sampling.js";
import { CONTEXT, GRID, refusal, type Setup, unreadable, variantOf } from "./setup.js";
import { mean, softmax, type Vector } from "./vectors.js";

/** A model after as many names; what was measured then. */
export interface Moment {
  /** Its place in GRID. */
  index: number;
  seen: number;
  /** Mean of the losses since the moment before, in nats per token; null before the first step. */
  training: number | null;
  /** In nats per token; null if no name is held out. */
  heldOut: number | null;
  names: string[];
}

/** What there is to know of a run before its first step. */
export interface Begun {
  setup: Setup;
  /** Also of parts that are switched off. */
  parameters: number;
  heldOut: number;
  characters: string;
  /** What a table of pairs gives on the held-out names. */
  pairs: number | null;
}

/** A name that a model went on with, and how likely it held each letter; the last is its end, if it has one. */
export interface Invented {
  name: string;
  letters: [letter: string, probability: number][];
  /** Whether the model has learnt from it, or could have. */
  known: Fate;
}

/** What a run has come to since it was last asked. */
export interface Progress {
  seen: number;
  moments: Moment[];
  done: boolean;
  /** A loss that is not finite ends a run. */
  broken: boolean;
}

/** Held-out names that are looked at, at most: with more, looking takes longer than learning. */
const HELD_OUT = 5000;
const TEMPERATURE = 0.5;
/** Names that are invented at each moment, from the same random numbers. */
const INVENTED = 6;
const [FEWEST, MOST, MOST_CHARACTERS] = [20, 50_000, 100];

/** The names in a reader's text; throws with a sentence if it will not do. */
export function namesOf(given: string): string[] {
  const names = (given || text)
    .split("\n")
    .map((name) => name.trim().normalize("NFC"))
    .filter(Boolean);
  const kinds = new Set(names.join("")).size;
  if (names.length < FEWEST)
    throw new Error(`your names: write one on each line, ${FEWEST} or more; these are ${names.length}`);
  if (names.length > MOST)
    throw new Error(`your names: ${names.length.toLocaleString("en")} are too many; take at most 50,000`);
  if (kinds > MOST_CHARACTERS)
    throw new Error(`your names: they are made of ${kinds} different characters; take at most ${MOST_CHARACTERS}`);
  return names;
}

/** A complete run on the guide’s names: all that it takes to ask its model elsewhere. */
export interface Completed {
  setup: Setup;
  /** So many of the names, shuffled with the seed, it has learnt from. */
  learnt: number;
  /** In nats per token; null if no name is held out. */
  heldOut: number | null;
  /** The weights, or a table’s counts, row by row. */
  numbers: Float64Array;
}

/** What learns: a table of counts, or a model of the engine. */
interface Learner {
  readonly weights: Float64Array;
  learn(documents: number[][], rate: number): number;
  loss(documents: number[][]): number;
  logits(tokens: readonly number[]): Vector;
}

export class Engine extends Gpt implements Learner {
  constructor(
    private readonly setup: Setup,
    vocab: number,
    variant = variantOf(setup),
  ) {
    const { width, layers, heads } = setup;
    super({ vocab, width, layers, heads, context: CONTEXT }, variant);
  }

  /** The network of Step 1 has three matrices, and an order of its own. */
  override draw(random: Random): this {
    return super.draw(random, this.setup.model === "network" ? ["wte", "layer0.mlp_fc1", "lm_head"] : undefined);
  }

  learn(documents: number[][], rate: number): number {
    const { off, optimizer } = this.setup;
    if (!off.includes("zeroing")) this.gradient.fill(0);
    const loss = this.addGradient(documents);
    if (optimizer === "SGD") this.sgd(rate);
    else this.adam(rate, { ...ADAM, corrected: !off.includes("correction") });
    return loss;
  }
}

const oddsOf = (learner: Learner) => (tokens: readonly number[]) =>
  softmax(learner.logits(tokens).map((logit) => logit / TEMPERATURE));

/** Invent names, always from the same random numbers unless told. */
export function invented(learner: Learner, characters: string[], count: number, random = new Random(1)): string[] {
  return Array.from({ length: count }, () => {
    const [, ...tokens] = sampleTokens([characters.length], oddsOf(learner), random);
    return tokens.map((token) => characters[token]).join("");
  });
}

/** The characters of names, in the order of the package, and what reads a name as tokens, BOS at both ends. */
export function tokenizerOf(names: string[]): { characters: string[]; read(name: string): number[] } {
  const place = (character: string): number => character.codePointAt(0) as number;
  const characters = [...new Set(names.join(""))].sort((a, b) => place(a) - place(b));
  const ids = new Map(characters.map((character, id) => [character, id]));
  const bos = characters.length;
  const tokens = (name: string): number[] => [...name].map((character) => ids.get(character) as number);
  return { characters, read: (name) => [bos, ...tokens(name), bos].slice(0, CONTEXT + 1) };
}

/** So many documents from a place on; after the last the first comes again. */
export const batchOf = (documents: number[][], from: number, size: number): number[][] =>
  Array.from({ length: size }, (_, i) => documents[(from + i) % documents.length] as number[]);

export class Training {
  readonly begun: Begun;
  readonly losses: number[] = [];
  private readonly random: Random;
  private readonly characters: string[];
  private readonly names: string[];
  private readonly documents: number[][];
  private readonly heldOut: number[][];
  private readonly learner: Learner;
  private readonly learnt: number;
  private readonly weights = new Map<number, Float64Array>();
  private step = 0;
  private since: number[] = [];
  private last = -1;

  /** Throws with a sentence for a set-up or a text that will not do. */
  constructor(
    readonly setup: Setup,
    private readonly given = "",
  ) {
    const reason = refusal(setup);
    if (reason) throw new Error(reason);
    this.names = namesOf(given);
    this.random = new Random(setup.seed);
    this.random.shuffle(this.names);
    const { characters, read } = tokenizerOf(this.names);
    this.characters = characters;
    const bos = characters.length;
    const documents = this.names.map(read);
    const trainingCount = Math.floor(0.9 * documents.length);
    const needed = this.steps * setup.batch;
    this.learnt = Math.min(needed, trainingCount);
    this.documents = needed <= trainingCount ? documents : documents.slice(0, trainingCount);
    const known = new Set(this.names.slice(0, this.learnt));
    const unknown = documents.filter((_, i) => i >= this.learnt && !known.has(this.names[i] as string));
    this.heldOut = unknown.slice(-HELD_OUT);
    const engine = setup.model === "counts" ? null : new Engine(setup, bos + 1);
    engine?.draw(this.random);
    this.learner = engine ?? new Table(bos + 1);
    const pairs = new Table(bos + 1).count(documents.slice(0, this.learnt));
    this.begun = {
      setup,
      parameters: this.learner.weights.length,
      heldOut: this.heldOut.length,
      characters: characters.join(""),
      pairs: this.heldOut.length > 0 ? pairs.loss(this.heldOut) : null,
    };
  }

  /** How many there will be. */
  private get steps(): number {
    return Math.ceil(this.setup.seen / this.setup.batch);
  }

  private get seen(): number {
    return Math.min(this.step * this.setup.batch, this.setup.seen);
  }

  /** Train for about as many milliseconds, and tell what there is anew. */
  advance(milliseconds: number): Progress {
    const end = performance.now() + milliseconds;
    const moments: Moment[] = [];
    let broken = false;
    if (this.last < 0) moments.push(this.look(0));
    while (this.step < this.steps && !broken && performance.now() < end) {
      broken = !Number.isFinite(this.takeStep());
      const before = GRID.findLastIndex((seen) => seen <= this.seen);
      const after = GRID.findIndex((seen) => seen >= this.seen);
      const place = broken || this.step === this.steps ? Math.max(after, this.last + 1) : before;
      if (place > this.last) moments.push(this.look(place));
    }
    return { seen: this.seen, moments, done: this.step >= this.steps, broken };
  }

  private takeStep(): number {
    const { batch, rate } = this.setup;
    const documents = batchOf(this.documents, this.step * batch, batch);
    const loss = this.learner.learn(documents, rate * (1 - this.step / this.steps));
    this.step += 1;
    this.losses.push(loss);
    this.since.push(loss);
    return loss;
  }

  private look(index: number): Moment {
    this.last = index;
    const { learner, since } = this;
    const training = since.length > 0 ? mean(since) : null;
    const names = Number.isFinite(training ?? 0) ? invented(learner, this.characters, INVENTED) : [];
    this.since = [];
    if (learner instanceof Engine) this.weights.set(index, learner.weights.slice());
    return { index, seen: this.seen, training, heldOut: this.heldOutLoss(), names };
  }

  private heldOutLoss(): number | null {
    return this.heldOut.length > 0 ? this.learner.loss(this.heldOut) : null;
  }

  /** What other pages may ask; null for a reader’s own names, whose letters they don’t know. */
  completed(): Completed | null {
    const { setup, learnt, learner, given } = this;
    return given ? null : { setup, learnt, heldOut: this.heldOutLoss(), numbers: learner.weights.slice() };
  }

  /** Invent names as the command line does once a run is complete: its random numbers go on. */
  finish(count: number): string[] {
    return invented(this.learner, this.characters, count, this.random);
  }

  /** The rows of each matrix, by its name; of a table there is none. */
  matrices(): Record<string, Vector[]> {
    return this.learner instanceof Engine ? this.learner.matrices() : {};
  }

  /** What a reader has begun, as letters, and as tokens behind BOS. */
  private read(name: string): { letters: string[]; tokens: number[] } {
    const { characters } = this;
    const begun = name.normalize("NFC");
    const why = unreadable(begun, characters);
    if (why) throw new Error(why);
    const letters = [...begun.trim()];
    return { letters, tokens: [characters.length, ...letters.map((letter) => characters.indexOf(letter))] };
  }

  /**
   * Go on with a name that a reader has begun: the same seed gives the same name. Throws with a sentence if the model
   * can’t read it.
   */
  continueName(begun: string, seed: number): Invented {
    const { characters, learner, names, learnt } = this;
    const { letters, tokens } = this.read(begun);
    const drawn: Invented["letters"] = [];
    sampleTokens(tokens, oddsOf(learner), new Random(seed), (token, p) => drawn.push([characters[token] ?? "", p]));
    const name = letters.concat(drawn.map(([letter]) => letter)).join("");
    const place = names.indexOf(name);
    return { name, letters: drawn, known: place < 0 ? "new" : place < learnt ? "learnt" : "held out" };
  }

  /** Where each letter of a name looked at a moment, by layer and head. Throws with a sentence if the name will not do. */
  attention(index: number, name: string): { tokens: string[]; layers: number[][][][] } {
    const { letters, tokens } = this.read(name);
    const { learner } = this;
    const weights = this.weights.get(index);
    if (!(learner instanceof Engine) || !weights) return { tokens: [], layers: [] };
    const now = learner.weights.slice();
    learner.weights.set(weights);
    const layers = learner.attention(tokens);
    learner.weights.set(now);
    return { tokens: ["BOS", ...letters], layers };
  }
}
