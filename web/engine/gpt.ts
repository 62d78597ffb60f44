/** The package's C engine, compiled to WebAssembly: a model, its gradient, and steps. */

import usual from "./gpt.wasm";
import otherwise from "./otherwise.wasm";

export interface Sizes {
  vocab: number;
  layers: number;
  width: number;
  heads: number;
  context: number;
}

/** What can be left out of a model, in the order of the bits in gpt.c. */
export const PARTS = ["positions", "attention", "queries", "root", "residual", "norm", "mlp", "leave"] as const;
export type Part = (typeof PARTS)[number];

interface Exports {
  gpt_parameters(config: number): number;
  gpt_memory(config: number): number;
  gpt_loss(config: number, memory: number, rows: number, ...columns: number[]): number;
  gpt_gradient(config: number, memory: number, rows: number, ...columns: number[]): number;
  gpt_predict(config: number, memory: number, rows: number, token: number, position: number): number;
  gpt_activations(config: number, memory: number, half: number, which: number): number;
  gpt_sgd(config: number, memory: number, rate: number): void;
  gpt_adam(config: number, memory: number, rate: number, ...numbers: number[]): void;
  gpt_change?(change: number): void;
  __heap_base: WebAssembly.Global;
}

const PAGE = 65536;
export const ADAM = { beta1: 0.85, beta2: 0.99, epsilon: 1e-8, corrected: true };
/** Rows that are handed over together, at most, besides those of one document. */
const ROWS = 4096;

const compiled = new Map<object, WebAssembly.Module>();

export class Gpt {
  readonly count: number;
  steps = 0;
  private readonly c: Exports;
  private readonly memory: WebAssembly.Memory;
  private readonly config: number;
  private readonly numbers: number;
  private readonly most: number;

  /** `change` is the number of a change of gpt.c, in the order of web/widgets/what_if/changes.py. */
  constructor(
    readonly sizes: Sizes,
    readonly without: readonly Part[] = [],
    change = 0,
  ) {
    const binary = change ? otherwise : usual;
    const module = compiled.get(binary) ?? new WebAssembly.Module(binary);
    compiled.set(binary, module);
    this.memory = new WebAssembly.Memory({ initial: 2 });
    const env = { memory: this.memory, log: Math.log };
    this.c = new WebAssembly.Instance(module, { env }).exports as unknown as Exports;
    this.c.gpt_change?.(change);
    this.config = this.c.__heap_base.value as number;
    const { vocab, layers, width, heads, context } = sizes;
    const parts = PARTS.reduce((bits, part, i) => bits | (without.includes(part) ? 0 : 1 << i), 0);
    new Int32Array(this.memory.buffer, this.config).set([vocab, layers, width, heads, context, parts]);
    this.count = this.c.gpt_parameters(this.config);
    this.most = ROWS + context;
    const columns = this.config + 64; // shares, tokens, positions, targets
    this.numbers = columns + this.most * 20 + ((this.most * 20) % 8);
    const end = this.numbers + 8 * this.c.gpt_memory(this.config);
    this.memory.grow(Math.ceil(end / PAGE) - 2 > 0 ? Math.ceil(end / PAGE) - 2 : 0);
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

  /** Lay documents below one another, and call a function of gpt.c; `share` is of a row in the loss. */
  private call(
    function_: Exports["gpt_loss"],
    documents: readonly (readonly number[])[],
    share: (rows: number) => number,
    ahead = 1,
  ): number {
    const { buffer } = this.memory;
    const at = this.config + 64;
    const shares = new Float64Array(buffer, at, this.most);
    const [tokens, positions, targets] = [0, 1, 2].map(
      (i) => new Int32Array(buffer, at + (8 + 4 * i) * this.most, this.most),
    ) as [Int32Array, Int32Array, Int32Array];
    let [rows, sum] = [0, 0];
    const hand = (): void => {
      const columns = [tokens, positions, targets, shares].map(({ byteOffset }) => byteOffset);
      sum += function_(this.config, this.numbers, rows, ...columns);
      rows = 0;
    };
    for (const document of documents) {
      const length = Math.min(document.length - 1, this.sizes.context);
      if (rows + length > this.most) hand();
      for (let i = 0; i < length; i++, rows++) {
        tokens[rows] = document[i] as number;
        positions[rows] = i;
        targets[rows] = document[i + ahead] as number;
        shares[rows] = share(length);
      }
    }
    if (rows > 0) hand();
    return sum;
  }

  /** Loss in nats per token. */
  loss(documents: readonly (readonly number[])[]): number {
    const all = documents.reduce((sum, { length }) => sum + Math.min(length - 1, this.sizes.context), 0);
    return this.call(this.c.gpt_loss, documents, () => 1 / all);
  }

  /** Add to the gradient, and return the mean of the documents' losses. A target is so many tokens ahead. */
  addGradient(documents: readonly (readonly number[])[], ahead = 1): number {
    return this.call(this.c.gpt_gradient, documents, (rows) => 1 / (rows * documents.length), ahead);
  }

  sgd(rate: number): void {
    this.c.gpt_sgd(this.config, this.numbers, rate);
    this.steps += 1;
  }

  /** One step of Adam; without its correction, means that begin at 0 are taken as they are. */
  adam(rate: number, { beta1, beta2, epsilon, corrected } = ADAM): void {
    this.steps += 1;
    const corrections = [beta1, beta2].map((beta) => (corrected ? 1 - beta ** this.steps : 1));
    this.c.gpt_adam(this.config, this.numbers, rate, beta1, beta2, epsilon, ...corrections);
  }

  /** A logit for each token that may follow. */
  logits(tokens: readonly number[]): Float64Array {
    const at = this.config + 64 + 8 * this.most;
    new Int32Array(this.memory.buffer, at).set(tokens);
    const positions = at + 4 * this.most;
    new Int32Array(this.memory.buffer, positions).set(tokens.map((_, i) => i));
    const found = this.c.gpt_predict(this.config, this.numbers, tokens.length, at, positions);
    return new Float64Array(this.memory.buffer, found, this.sizes.vocab);
  }

  /** Where each token looked in what was predicted last: by head, then row by row. */
  attention(layer: number, tokens: number): number[][][] {
    const { heads, context } = this.sizes;
    const found = this.c.gpt_activations(this.config, this.numbers, 2 * layer, 3);
    const all = new Float64Array(this.memory.buffer, found, tokens * heads * context);
    return Array.from({ length: heads }, (_, head) =>
      Array.from({ length: tokens }, (_, t) => {
        const from = (t * heads + head) * context;
        return [...all.subarray(from, from + t + 1)];
      }),
    );
  }
}
