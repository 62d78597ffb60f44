/** A GPT, computed by the package's C engine compiled to WebAssembly: losses, gradients, steps and activations. */

import lessonBinary from "./gpt.wasm";
import { encodeVariant, type ModelVariant } from "./model_variant.js";
import { INITIAL_WEIGHT_STD, type Random } from "./random.js";
import variantsBinary from "./variants.wasm";
import { dot, type Vector } from "./vectors.js";

/** The functions of gpt.c and variants.c; `config`, `memory`, `tokens` and `positions` are addresses. */
interface WasmExports {
  gpt_num_parameters(config: number): number;
  gpt_num_memory_elements(config: number): number;
  gpt_loss(config: number, memory: number, rows: number, ...columnsAndFlag: number[]): number;
  gpt_logits(config: number, memory: number, rows: number, tokens: number, positions: number): number;
  /** Only of gpt.c. */
  gpt_activations(config: number, memory: number, sublayer: number, kind: number): number;
  /** Only of variants.c. */
  gpt_sgd_step?(config: number, memory: number, learningRate: number): void;
  gpt_adam_step(config: number, memory: number, learningRate: number, ...betasAndCorrections: number[]): void;
  __heap_base: WebAssembly.Global;
}

/** Where a matrix lies among the weights: `offset` is the index of its first element. */
export interface MatrixSlice {
  name: string;
  offset: number;
  rows: number;
  columns: number;
}

/** The activations of a layer, in the order of computation, with a row per token; heads lie side by side in a row. */
export interface LayerActivations {
  /** The residual stream before the layer. */
  input: Vector[];
  /** The input after RMSNorm. */
  attentionInput: Vector[];
  query: Vector[];
  key: Vector[];
  value: Vector[];
  /** By head, then token: the attention weights over the tokens so far. */
  attentionWeights: Vector[][];
  headOutputs: Vector[];
  /** The residual stream after attention. */
  afterAttention: Vector[];
  /** `afterAttention` after RMSNorm. */
  mlpInput: Vector[];
  /** The MLP's hidden values after ReLU. */
  mlpActivations: Vector[];
  /** The residual stream after the layer. */
  output: Vector[];
}

/** All activations of the GPT; `logits` has a row per token, for the token that follows it. */
export interface Activations {
  layers: LayerActivations[];
  logits: Vector[];
}

/** The attention of one token in one head. */
export interface HeadAttention {
  query: Vector;
  key: Vector;
  value: Vector;
  /** For each token so far: query · key / √d. */
  scores: Vector;
  /** Softmax of the scores. */
  weights: Vector;
  /** Average of the values, weighted with `weights`. */
  output: Vector;
}

/** Return the attention of each token in one head of a layer. */
export function headAttentionPerToken(
  { query, key, value, headOutputs, attentionWeights }: LayerActivations,
  head: number,
): HeadAttention[] {
  const size = (query[0] as Vector).length / attentionWeights.length;
  const headSlice = (row: Vector): Vector => row.slice(head * size, (head + 1) * size);
  const keys = key.map(headSlice);
  return query.map((row, t) => ({
    query: headSlice(row),
    key: keys[t] as Vector,
    value: headSlice(value[t] as Vector),
    scores: keys.slice(0, t + 1).map((each) => dot(headSlice(row), each) * size ** -0.5),
    weights: attentionWeights[head]?.[t] as Vector,
    output: headSlice(headOutputs[t] as Vector),
  }));
}

/** The arrays at the start of the model's memory, in this order; each has an element per parameter. */
const MEMORY_SECTIONS = ["weights", "gradient", "firstMoments", "secondMoments"] as const;
/** What gpt_activations returns of a sublayer, attention or MLP: its `kind` is an index of this list. */
const SUBLAYER_ACTIVATIONS = ["normed", "inverseRms", "hidden", "attentionWeights", "mixed"] as const;
const WASM_PAGE_BYTES = 65536;
const MAX_CONFIG_BYTES = 128;
/** Tokens that the input in memory has room for: 5,000 names of 16 tokens. */
export const INPUT_BUFFER_TOKENS = 80_000;
/** The guide's settings of Adam. */
export const ADAM_DEFAULTS = { beta1: 0.85, beta2: 0.99, epsilon: 1e-8, biasCorrection: true };

const compiledModuleByBinary = new Map<Uint8Array, WebAssembly.Module>();

/** A GPT whose weights, gradient and activations lie in the memory of a WebAssembly instance. */
export class Gpt {
  readonly parameterCount: number;
  stepsTaken = 0;
  private readonly wasm: WasmExports;
  private readonly memory = new WebAssembly.Memory({ initial: 2 });
  // In memory, in this order: the sizes, then MEMORY_SECTIONS and activations, then the input.
  private readonly configAddress: number;
  private readonly modelAddress: number;
  private readonly inputAddress: number;

  /** Create the lesson's model, computed by gpt.c, or a variant, computed by variants.c. All weights are 0. */
  constructor(
    readonly sizes: { vocabSize: number; layers: number; width: number; heads: number; context: number },
    readonly variant: ModelVariant | null = null,
  ) {
    const binary = variant ? variantsBinary : lessonBinary;
    const module = compiledModuleByBinary.get(binary) ?? new WebAssembly.Module(binary);
    compiledModuleByBinary.set(binary, module);
    const env = { memory: this.memory, log: Math.log };
    this.wasm = new WebAssembly.Instance(module, { env }).exports as unknown as WasmExports;
    this.configAddress = this.wasm.__heap_base.value as number;
    const { vocabSize, layers, width, heads, context } = sizes;
    const choices = variant ? encodeVariant(variant) : [];
    new Int32Array(this.memory.buffer, this.configAddress).set([vocabSize, layers, width, heads, context, ...choices]);
    this.parameterCount = this.wasm.gpt_num_parameters(this.configAddress);
    this.modelAddress = this.configAddress + MAX_CONFIG_BYTES;
    this.inputAddress = this.modelAddress + 8 * this.wasm.gpt_num_memory_elements(this.configAddress);
    const endAddress = this.inputAddress + 8 * 4 * INPUT_BUFFER_TOKENS;
    this.memory.grow(Math.ceil((endAddress - this.memory.buffer.byteLength) / WASM_PAGE_BYTES));
  }

  /** Return a view of a section of the memory. */
  private memorySection(section: (typeof MEMORY_SECTIONS)[number]): Float64Array {
    const offset = 8 * MEMORY_SECTIONS.indexOf(section) * this.parameterCount;
    return new Float64Array(this.memory.buffer, this.modelAddress + offset, this.parameterCount);
  }

  get weights(): Float64Array {
    return this.memorySection("weights");
  }
  get gradient(): Float64Array {
    return this.memorySection("gradient");
  }
  /** Adam's running means of the gradient; free for other uses in SGD. */
  get firstMoments(): Float64Array {
    return this.memorySection("firstMoments");
  }

  /** Return where each matrix lies, in the order of `microgpt.Config.shapes`. */
  matrixSlices(): MatrixSlice[] {
    const { vocabSize, layers, width, context } = this.sizes;
    const hidden = this.variant?.mlp_width ?? 4 * width;
    const head = this.variant?.head_input === "hidden" ? hidden : width;
    const shapes: [name: string, rows: number, columns: number][] = [
      ["wte", vocabSize, width],
      ["wpe", context, width],
      ["lm_head", vocabSize, head],
    ];
    for (let layer = 0; layer < layers; layer++) {
      for (const to of ["q", "k", "v", "o"]) shapes.push([`layer${layer}.attn_w${to}`, width, width]);
      shapes.push([`layer${layer}.mlp_fc1`, hidden, width], [`layer${layer}.mlp_fc2`, width, hidden]);
    }
    let end = 0;
    return shapes.map(([name, rows, columns]) => {
      end += rows * columns;
      return { name, offset: end - rows * columns, rows, columns };
    });
  }

  /** Draw the initial weights of the named matrices, in that order; without names, of all. */
  initializeWeights(rng: Random, names = this.matrixSlices().map(({ name }) => name)): this {
    const slices = new Map(this.matrixSlices().map((slice) => [slice.name, slice]));
    for (const name of names) {
      const { offset, rows, columns } = slices.get(name) as MatrixSlice;
      for (let i = 0; i < rows * columns; i++) this.weights[offset + i] = rng.gauss(INITIAL_WEIGHT_STD);
    }
    return this;
  }

  /** Return a copy of each matrix's rows, by its name. */
  matrices(): Record<string, Vector[]> {
    const { weights } = this;
    const rows = ({ offset, rows, columns }: MatrixSlice): Vector[] =>
      Array.from({ length: rows }, (_, i) => [...weights.subarray(offset + i * columns, offset + (i + 1) * columns)]);
    return Object.fromEntries(this.matrixSlices().map((slice) => [slice.name, rows(slice)]));
  }

  /** Copy the rows of the given matrices into the weights; the others stay as they are. */
  loadMatrices(matrices: Record<string, Vector[]>): this {
    for (const { name, offset } of this.matrixSlices()) this.weights.set((matrices[name] ?? []).flat(), offset);
    return this;
  }

  /**
   * Write the input into memory, as columns with a number per token: token id, position, target, share of the loss.
   * Return the address of each column.
   */
  private writeColumns(...columns: Vector[]): number[] {
    return columns.map((column, i) => {
      const address = this.inputAddress + 8 * INPUT_BUFFER_TOKENS * i;
      new (i < 3 ? Int32Array : Float64Array)(this.memory.buffer, address).set(column);
      return address;
    });
  }

  /**
   * Return the loss of some documents in nats; with `withGradient`, add its gradient to `gradient`.
   *
   * @param lossShare - the share of each token in the loss, from the token count of its document
   * @param targetOffset - how many positions ahead each target is
   */
  private computeLoss(
    documents: readonly (readonly number[])[],
    lossShare: (rows: number) => number,
    withGradient: boolean,
    targetOffset = 1,
  ): number {
    const [tokens, positions, targets, shares] = [[], [], [], []] as [Vector, Vector, Vector, Vector];
    for (const document of documents) {
      const length = Math.min(document.length - 1, this.sizes.context);
      for (let i = 0; i < length; i++) {
        tokens.push(document[i] as number);
        positions.push(i);
        targets.push(document[i + targetOffset] as number);
        shares.push(lossShare(length));
      }
    }
    const columns = this.writeColumns(tokens, positions, targets, shares);
    return this.wasm.gpt_loss(this.configAddress, this.modelAddress, tokens.length, ...columns, Number(withGradient));
  }

  /** Return the mean loss in nats per token. */
  loss(documents: readonly (readonly number[])[]): number {
    const tokenCount = documents.reduce((sum, { length }) => sum + Math.min(length - 1, this.sizes.context), 0);
    return this.computeLoss(documents, () => 1 / tokenCount, false);
  }

  /** Add the gradient of the mean of the documents' losses to `gradient`, and return that mean. */
  accumulateGradient(documents: readonly (readonly number[])[], targetOffset = 1): number {
    return this.computeLoss(documents, (rows) => 1 / (rows * documents.length), true, targetOffset);
  }

  /**
   * Take a step of gradient descent.
   *
   * @throws Error if this is not a variant: gpt.c has no such step
   */
  takeSgdStep(learningRate: number): void {
    if (!this.wasm.gpt_sgd_step) throw new Error("expected a variant: gpt.c only has Adam");
    this.wasm.gpt_sgd_step(this.configAddress, this.modelAddress, learningRate);
    this.stepsTaken += 1;
  }

  /** Take a step of Adam. */
  takeAdamStep(learningRate: number, { beta1, beta2, epsilon, biasCorrection } = ADAM_DEFAULTS): void {
    this.stepsTaken += 1;
    const corrections = [beta1, beta2].map((beta) => (biasCorrection ? 1 - beta ** this.stepsTaken : 1));
    this.wasm.gpt_adam_step(this.configAddress, this.modelAddress, learningRate, beta1, beta2, epsilon, ...corrections);
  }

  /** Compute the logits after each token, and return the address of those after the last. */
  private computeLogits(tokens: readonly number[]): number {
    const columns = this.writeColumns([...tokens], [...tokens.keys()]) as [number, number];
    return this.wasm.gpt_logits(this.configAddress, this.modelAddress, tokens.length, ...columns);
  }

  /** Return a logit for each token that may follow `tokens`. */
  logits(tokens: readonly number[]): Vector {
    return [...new Float64Array(this.memory.buffer, this.computeLogits(tokens), this.sizes.vocabSize)];
  }

  /** Return every activation as the model reads `tokens`. Only gpt.c can, so this must not be a variant. */
  computeActivations(tokens: readonly number[]): Activations {
    const { vocabSize, layers, width, heads, context } = this.sizes;
    const lastLogits = this.computeLogits(tokens);
    const readRows = (address: number, columns: number): Vector[] =>
      tokens.map((_, t) => [...new Float64Array(this.memory.buffer, address + 8 * columns * t, columns)]);
    const readSublayer = (index: number, kind: (typeof SUBLAYER_ACTIVATIONS)[number], columns: number): Vector[] => {
      const kindIndex = SUBLAYER_ACTIVATIONS.indexOf(kind);
      return readRows(this.wasm.gpt_activations(this.configAddress, this.modelAddress, index, kindIndex), columns);
    };
    // Memory holds the stream only after RMSNorm, with the factor by which that scaled it.
    const residualStream = (sublayer: number): Vector[] => {
      const normed = readSublayer(sublayer, "normed", width);
      if (sublayer === 2 * layers) return normed;
      const factors = readSublayer(sublayer, "inverseRms", 1);
      return normed.map((row, t) => row.map((x) => x / (factors[t]?.[0] as number)));
    };
    const readLayer = (sublayer: number): LayerActivations => {
      const queryKeyValue = readSublayer(sublayer, "hidden", 3 * width);
      const columnsFrom = (start: number): Vector[] => queryKeyValue.map((row) => row.slice(start, start + width));
      const weightRows = readSublayer(sublayer, "attentionWeights", heads * context);
      return {
        input: residualStream(sublayer),
        attentionInput: readSublayer(sublayer, "normed", width),
        query: columnsFrom(0),
        key: columnsFrom(width),
        value: columnsFrom(2 * width),
        attentionWeights: Array.from({ length: heads }, (_, head) =>
          weightRows.map((row, t) => row.slice(head * context, head * context + t + 1)),
        ),
        headOutputs: readSublayer(sublayer, "mixed", width),
        afterAttention: residualStream(sublayer + 1),
        mlpInput: readSublayer(sublayer + 1, "normed", width),
        mlpActivations: readSublayer(sublayer + 1, "mixed", 4 * width),
        output: residualStream(sublayer + 2),
      };
    };
    return {
      layers: Array.from({ length: layers }, (_, i) => readLayer(2 * i)),
      logits: readRows(lastLogits - 8 * vocabSize * (tokens.length - 1), vocabSize),
    };
  }
}

/** Create a GPT with these weights; all its other sizes follow from the shapes of the matrices. */
export function gptFromMatrices(heads: number, matrices: Record<string, Vector[]>): Gpt {
  const { wte, wpe } = matrices as { wte: Vector[]; wpe: Vector[] };
  const layers = Object.keys(matrices).filter((name) => name.endsWith("attn_wq")).length;
  const sizes = { vocabSize: wte.length, layers, width: (wte[0] as Vector).length, heads, context: wpe.length };
  return new Gpt(sizes).loadMatrices(matrices);
}
