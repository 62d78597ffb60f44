/** A training run in a page: what it learns from, its steps, and what it can do at some moments. */

import text from "../../microgpt/names.txt";
import { altered, begin, type Change, changeOf, clear, respelled, rounded, scheduled, tie, update } from "./change.js";
import { Table } from "./counts.js";
import { ADAM, Gpt } from "./gpt.js";
import type { Fate } from "./names.js";
import { Random } from "./random.js";
import { sampleTokens } from "./sampling.js";
import { CONTEXT, GRID, refusal, type Setup, unreadable } from "./setup.js";
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
const MOMENTUM = 0.9;
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
type Learner = Table | Gpt;

/** The model of a set-up, as a change has it. */
export const engineOf = ({ width, layers, heads }: Setup, vocab: number, { model, optimizer }: Change): Gpt =>
  new Gpt({ vocab, width, layers, heads, context: CONTEXT }, model || optimizer ? { ...model } : null);

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
  /** Names of a step; of one long text as many letters. */
  private readonly batch: number;
  private step = 0;
  private since: number[] = [];
  private last = -1;

  /** Throws with a sentence for a set-up or a text that will not do. */
  constructor(
    readonly setup: Setup,
    private readonly given = "",
    private readonly change = changeOf(setup),
  ) {
    const reason = refusal(setup);
    if (reason) throw new Error(reason);
    const [random, other] = [new Random(setup.seed), new Random(setup.seed + 1000)];
    this.random = random;
    this.names = namesOf(given);
    random.shuffle(this.names);
    const { characters, read } = tokenizerOf(this.names);
    this.characters = characters;
    const bos = characters.length;
    const documents = this.names.map((name) => read(respelled(name, change, other)));
    const trainingCount = Math.floor(0.9 * documents.length);
    const needed = this.steps * setup.batch;
    this.learnt = Math.min(needed, trainingCount);
    const known = new Set(this.names.slice(0, this.learnt));
    const unknown = documents.filter((_, i) => i >= this.learnt && !known.has(this.names[i] as string));
    this.heldOut = unknown.slice(-HELD_OUT);
    const usual = needed <= trainingCount ? documents : documents.slice(0, trainingCount);
    this.documents = altered(usual, this.heldOut, bos, change, other);
    const longer = change.names === "joined" ? this.documents.length / usual.length : 1;
    this.batch = Math.round(setup.batch * longer);
    this.learner = setup.model === "counts" ? new Table(bos + 1) : engineOf(setup, bos + 1, change);
    if (this.learner instanceof Gpt) this.draw(this.learner, change.again ? other : random);
    if (change.again) other.shuffle(this.documents);
    const pairs = new Table(bos + 1).count(documents.slice(0, this.learnt));
    this.begun = {
      setup,
      parameters: this.learner.weights.length,
      heldOut: this.heldOut.length,
      characters: characters.join(""),
      pairs: this.heldOut.length > 0 ? pairs.loss(this.heldOut) : null,
    };
  }

  /** The network of Step 1 has three matrices, and an order of its own. */
  private draw(engine: Gpt, random: Random): void {
    engine.draw(random, this.setup.model === "network" ? ["wte", "layer0.mlp_fc1", "lm_head"] : undefined);
    begin(engine.weights, engine.places(), this.change);
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
    const { learner, batch, change } = this;
    const documents = batchOf(this.documents, this.step * batch, batch);
    const rate = this.setup.rate * scheduled(this.step / this.steps, change);
    const loss = learner instanceof Gpt ? this.descend(learner, documents, rate) : learner.learn(documents);
    this.step += 1;
    this.losses.push(loss);
    this.since.push(loss);
    return loss;
  }

  /** Move the weights of a model against their gradient, and return the loss before. */
  private descend(engine: Gpt, documents: number[][], rate: number): number {
    const { times = 1, clip, kept, ahead = 1, tied, frozen, decay = 0, bits, optimizer, adam } = this.change;
    const { gradient, weights } = engine;
    if (!kept) gradient.fill(0);
    const loss = engine.addGradient(documents, ahead);
    if (tied) tie(gradient, engine.places(), (first, last) => first + last);
    if (frozen) clear(gradient, engine.places(), frozen);
    const length = clip === undefined ? 0 : Math.hypot(...gradient);
    const factor = clip !== undefined && length > clip ? clip / length : times;
    if (factor !== 1) update(gradient, (slope) => slope * factor);
    if (decay) update(weights, (weight) => weight * (1 - rate * decay));
    const [velocity] = engine.means;
    if (optimizer === "momentum")
      update(gradient, (slope, i) => (velocity[i] = MOMENTUM * (velocity[i] as number) + slope));
    if (optimizer) engine.sgd(rate);
    else engine.adam(rate, { ...ADAM, ...adam });
    if (bits) update(weights, (weight) => rounded(weight, bits));
    return loss;
  }

  private look(index: number): Moment {
    this.last = index;
    const training = this.since.length > 0 ? mean(this.since) : null;
    const names = Number.isFinite(training ?? 0) ? invented(this.learner, this.characters, INVENTED) : [];
    this.since = [];
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
    return this.learner instanceof Gpt ? this.learner.matrices() : {};
  }

  /**
   * Go on with a name that a reader has begun: the same seed gives the same name. Throws with a sentence if the model
   * can’t read it.
   */
  continueName(begun: string, seed: number): Invented {
    const { characters, learner, names, learnt } = this;
    const letters = [...begun.normalize("NFC").trim()];
    const why = unreadable(letters.join(""), characters);
    if (why) throw new Error(why);
    const tokens = [characters.length, ...letters.map((letter) => characters.indexOf(letter))];
    const drawn: Invented["letters"] = [];
    sampleTokens(tokens, oddsOf(learner), new Random(seed), (token, p) => drawn.push([characters[token] ?? "", p]));
    const name = letters.concat(drawn.map(([letter]) => letter)).join("");
    const place = names.indexOf(name);
    return { name, letters: drawn, known: place < 0 ? "new" : place < learnt ? "learnt" : "held out" };
  }
}
