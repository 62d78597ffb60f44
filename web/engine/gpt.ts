/** The package's C engine, compiled to WebAssembly: a model, its gradient, steps, and every number on the way. */

import lesson from "./gpt.wasm";
import { type Random, STD } from "./random.js";
import { numbersOf, type Variant } from "./variant.js";
import variants from "./variants.wasm";
import { dot, type Vector } from "./vectors.js";

export interface Sizes {
  vocab: number;
  layers: number;
  width: number;
  heads: number;
  context: number;
}

interface Exports {
  gpt_parameters(config: number): number;
  gpt_memory(config: number): number;
  gpt_loss(config: number, memory: number, rows: number, ...columnsAndLearn: number[]): number;
  gpt_predict(config: number, memory: number, rows: number, token: number, position: number): number;
  /** Only of gpt.c. */
  gpt_activations(config: number, memory: number, half: number, which: number): number;
  /** Only of variants.c. */
  gpt_sgd?(config: number, memory: number, rate: number): void;
  gpt_adam(config: number, memory: number, rate: number, ...numbers: number[]): void;
  __heap_base: WebAssembly.Global;
}

/** Where a matrix stands among the weights: the number of its first. */
export interface Place {
  name: string;
  from: number;
  rows: number;
  columns: number;
}

/** What tokens become in a layer, a row for each, in the order in which it is computed; heads stand side by side. */
export interface Layer {
  /** The residual stream, as attention finds it. */
  before: Vector[];
  normed: Vector[];
  query: Vector[];
  key: Vector[];
  value: Vector[];
  /** By head, then token: how much it takes of each token so far. */
  weights: Vector[][];
  joined: Vector[];
  /** The stream, with what attention gave added. */
  between: Vector[];
  normedAgain: Vector[];
  activated: Vector[];
  /** The stream, with what the MLP gave added. */
  after: Vector[];
}

/** Every number between tokens and the logits of what may follow each. */
export interface Reading {
  layers: Layer[];
  logits: Vector[];
}

/** One head, when one token looks back at those so far. */
export interface Look {
  query: Vector;
  key: Vector;
  value: Vector;
  /** For each token so far: its key times the query, divided by √d. */
  scores: Vector;
  /** Their softmax. */
  weights: Vector;
  /** The average of the values, with these weights. */
  output: Vector;
}

/** What each token does in one head of a layer. */
export function looksOf({ query, key, value, joined, weights }: Layer, head: number): Look[] {
  const size = (query[0] as Vector).length / weights.length;
  const own = (row: Vector): Vector => row.slice(head * size, (head + 1) * size);
  const keys = key.map(own);
  return query.map((row, t) => ({
    ...{ query: own(row), key: keys[t] as Vector, value: own(value[t] as Vector) },
    scores: keys.slice(0, t + 1).map((each) => dot(own(row), each) * size ** -0.5),
    ...{ weights: weights[head]?.[t] as Vector, output: own(joined[t] as Vector) },
  }));
}

const PAGE = 65536;
/** Bytes that a configuration takes at most. */
const CONFIG_BYTES = 128;
/** Tokens that can be asked about at once: 5,000 names of 16. */
const ROWS = 80_000;
export const ADAM = { beta1: 0.85, beta2: 0.99, epsilon: 1e-8, corrected: true };

const compiled = new Map<object, WebAssembly.Module>();

export class Gpt {
  readonly count: number;
  steps = 0;
  private readonly c: Exports;
  private readonly memory = new WebAssembly.Memory({ initial: 2 });
  /** Where in memory its sizes stand, all its numbers, and then what it is asked about. */
  private readonly config: number;
  private readonly numbers: number;
  private readonly rows: number;

  /** The lesson’s model, computed by gpt.c, or else a variant, by variants.c. */
  constructor(
    readonly sizes: Sizes,
    readonly variant: Variant | null = null,
  ) {
    const binary = variant ? variants : lesson;
    const module = compiled.get(binary) ?? new WebAssembly.Module(binary);
    compiled.set(binary, module);
    const env = { memory: this.memory, log: Math.log };
    this.c = new WebAssembly.Instance(module, { env }).exports as unknown as Exports;
    this.config = this.c.__heap_base.value as number;
    const { vocab, layers, width, heads, context } = sizes;
    const parts = variant ? numbersOf(variant) : [];
    new Int32Array(this.memory.buffer, this.config).set([vocab, layers, width, heads, context, ...parts]);
    this.count = this.c.gpt_parameters(this.config);
    this.numbers = this.config + CONFIG_BYTES;
    this.rows = this.numbers + 8 * this.c.gpt_memory(this.config);
    const end = this.rows + 8 * 4 * ROWS;
    this.memory.grow(Math.ceil((end - this.memory.buffer.byteLength) / PAGE));
  }

  private view(place: number): Float64Array {
    return new Float64Array(this.memory.buffer, this.numbers + 8 * place * this.count, this.count);
  }

  get weights(): Float64Array {
    return this.view(0);
  }
  get gradient(): Float64Array {
    return this.view(1);
  }
  /** Adam's two means. */
  get means(): [Float64Array, Float64Array] {
    return [this.view(2), this.view(3)];
  }

  /** Each matrix, in the order of the package. */
  places(): Place[] {
    const { vocab, layers, width, context } = this.sizes;
    const hidden = this.variant?.mlp_width ?? 4 * width;
    const head = this.variant?.head_input === "hidden" ? hidden : width;
    const shapes: [name: string, rows: number, columns: number][] = [
      ["wte", vocab, width],
      ["wpe", context, width],
      ["lm_head", vocab, head],
    ];
    for (let layer = 0; layer < layers; layer++) {
      for (const to of ["q", "k", "v", "o"]) shapes.push([`layer${layer}.attn_w${to}`, width, width]);
      shapes.push([`layer${layer}.mlp_fc1`, hidden, width], [`layer${layer}.mlp_fc2`, width, hidden]);
    }
    let end = 0;
    return shapes.map(([name, rows, columns]) => {
      end += rows * columns;
      return { name, from: end - rows * columns, rows, columns };
    });
  }

  /** Draw the weights of some matrices in their order, or else of all in that of the package. */
  draw(random: Random, order = this.places().map(({ name }) => name)): this {
    const places = new Map(this.places().map((place) => [place.name, place]));
    for (const name of order) {
      const { from, rows, columns } = places.get(name) as Place;
      for (let i = 0; i < rows * columns; i++) this.weights[from + i] = random.gauss(STD);
    }
    return this;
  }

  /** The rows of each matrix, by its name. */
  matrices(): Record<string, Vector[]> {
    const rows = ({ from, rows, columns }: Place): Vector[] =>
      Array.from({ length: rows }, (_, i) => [...this.weights.subarray(from + i * columns, from + (i + 1) * columns)]);
    return Object.fromEntries(this.places().map((place) => [place.name, rows(place)]));
  }

  /** Take over the rows of some matrices; the others stay as they are. */
  load(matrices: Record<string, Vector[]>): this {
    for (const { name, from } of this.places()) this.weights.set((matrices[name] ?? []).flat(), from);
    return this;
  }

  /** Put columns into memory, with a number for each token: the token, its position, its target, its share in the loss. */
  private lay(...columns: Vector[]): number[] {
    return columns.map((column, i) => {
      const at = this.rows + 8 * ROWS * i;
      new (i < 3 ? Int32Array : Float64Array)(this.memory.buffer, at).set(column);
      return at;
    });
  }

  /** Lay documents below one another, and call gpt_loss; `share` is of a row in the loss. */
  private call(
    documents: readonly (readonly number[])[],
    share: (rows: number) => number,
    learn: boolean,
    ahead = 1,
  ): number {
    const [tokens, positions, targets, shares] = [[], [], [], []] as [Vector, Vector, Vector, Vector];
    for (const document of documents) {
      const length = Math.min(document.length - 1, this.sizes.context);
      for (let i = 0; i < length; i++) {
        tokens.push(document[i] as number);
        positions.push(i);
        targets.push(document[i + ahead] as number);
        shares.push(share(length));
      }
    }
    const columns = this.lay(tokens, positions, targets, shares);
    return this.c.gpt_loss(this.config, this.numbers, tokens.length, ...columns, Number(learn));
  }

  /** Loss in nats per token. */
  loss(documents: readonly (readonly number[])[]): number {
    const all = documents.reduce((sum, { length }) => sum + Math.min(length - 1, this.sizes.context), 0);
    return this.call(documents, () => 1 / all, false);
  }

  /** Add to the gradient, and return the mean of the documents' losses. A target is so many tokens ahead. */
  addGradient(documents: readonly (readonly number[])[], ahead = 1): number {
    return this.call(documents, (rows) => 1 / (rows * documents.length), true, ahead);
  }

  /** Move each weight against its gradient: only of variants. */
  sgd(rate: number): void {
    if (!this.c.gpt_sgd) throw new Error("gpt.c learns with Adam alone");
    this.c.gpt_sgd(this.config, this.numbers, rate);
    this.steps += 1;
  }

  /** One step of Adam; without its correction, means that begin at 0 are taken as they are. */
  adam(rate: number, { beta1, beta2, epsilon, corrected } = ADAM): void {
    this.steps += 1;
    const corrections = [beta1, beta2].map((beta) => (corrected ? 1 - beta ** this.steps : 1));
    this.c.gpt_adam(this.config, this.numbers, rate, beta1, beta2, epsilon, ...corrections);
  }

  /** Where the logits of what may follow the last token begin. */
  private predict(tokens: readonly number[]): number {
    const columns = this.lay([...tokens], [...tokens.keys()]) as [number, number];
    return this.c.gpt_predict(this.config, this.numbers, tokens.length, ...columns);
  }

  /** A logit for each token that may follow. */
  logits(tokens: readonly number[]): Vector {
    return [...new Float64Array(this.memory.buffer, this.predict(tokens), this.sizes.vocab)];
  }

  /** Every number on the way: only of the lesson's model. */
  read(tokens: readonly number[]): Reading {
    const { vocab, layers, width, heads, context } = this.sizes;
    const last = this.predict(tokens);
    const rows = (from: number, wide: number): Vector[] =>
      tokens.map((_, t) => [...new Float64Array(this.memory.buffer, from + 8 * wide * t, wide)]);
    const computed = (half: number, which: number, wide: number): Vector[] =>
      rows(this.c.gpt_activations(this.config, this.numbers, half, which), wide);
    /** The stream before half a layer, which is kept as it was scaled. */
    const stream = (half: number): Vector[] => {
      const normed = computed(half, 0, width);
      if (half === 2 * layers) return normed;
      return computed(half, 1, 1).map(([scale], t) => (normed[t] as Vector).map((x) => x / (scale as number)));
    };
    const layer = (half: number): Layer => {
      const inside = computed(half, 2, 3 * width);
      const part = (i: number): Vector[] => inside.map((row) => row.slice(i * width, (i + 1) * width));
      const shares = computed(half, 3, heads * context);
      const weights = Array.from({ length: heads }, (_, head) =>
        shares.map((row, t) => row.slice(head * context, head * context + t + 1)),
      );
      return {
        ...{ before: stream(half), normed: computed(half, 0, width), query: part(0), key: part(1), value: part(2) },
        ...{
          weights,
          joined: computed(half, 4, width),
          between: stream(half + 1),
          normedAgain: computed(half + 1, 0, width),
        },
        ...{ activated: computed(half + 1, 4, 4 * width), after: stream(half + 2) },
      };
    };
    return {
      layers: Array.from({ length: layers }, (_, i) => layer(2 * i)),
      logits: rows(last - 8 * vocab * (tokens.length - 1), vocab),
    };
  }
}

/** A model with the matrices of a run. */
export function gptOf(heads: number, matrices: Record<string, Vector[]>): Gpt {
  const { wte, wpe } = matrices as { wte: Vector[]; wpe: Vector[] };
  const layers = Object.keys(matrices).filter((name) => name.endsWith("attn_wq")).length;
  const sizes = { vocab: wte.length, layers, width: (wte[0] as Vector).length, heads, context: wpe.length };
  return new Gpt(sizes).load(matrices);
}
