/** Changes to a training run that a set-up has no field for: to the model, the dataset, the first weights and the optimizer. */

import { sort } from "d3-array";
import type { ADAM_DEFAULTS, MatrixSlice } from "./gpt.js";
import type { ModelVariant } from "./model_variant.js";
import type { Random } from "./random.js";
import { CONTEXT_LENGTH, ladderSetup, type OptionalPart, type TrainingSetup } from "./training_setup.js";

type ModelAndBatchSizes = Partial<Pick<TrainingSetup, "width" | "layers" | "heads" | "batchSize">>;

/** A difference from the guide's training run, for the page What if? A field that is left out changes nothing. */
export interface TrainingChange extends ModelAndBatchSizes {
  variant?: ModelVariant;
  /** Use one matrix as token embedding and as output head. */
  tiedEmbeddings?: boolean;
  /** Matrices whose names match this regular expression begin at zero. */
  zeroedPattern?: string;
  /** Multiplies all initial weights. */
  initialScale?: number;
  /** Begin each matrix with copies of its first row. */
  identicalRows?: boolean;
  /** Draw other initial weights, and another order of the same names. */
  otherSeed?: boolean;
  dataset?:
    | "backwards"
    | "scrambled"
    | "sorted"
    | "few"
    | "leaked"
    | "mistyped"
    | "joined"
    | "without-start"
    | "without-end";
  /** Multiplies the learning rate. */
  rateFactor?: number;
  schedule?: "constant" | "warm-up";
  optimizer?: "SGD" | "momentum";
  adam?: Partial<typeof ADAM_DEFAULTS>;
  /** Decoupled weight decay: a step multiplies each weight by 1 - learning rate · weightDecay. */
  weightDecay?: number;
  /** Multiplies the gradient. */
  gradientFactor?: number;
  /** Clips the gradient to this Euclidean norm. */
  maxGradientNorm?: number;
  /** Never set gradients back to zero. */
  keepGradients?: boolean;
  /** Matrices whose names match this regular expression are not trained. */
  frozenPattern?: string;
  /** Round weights after each step to a significand of this many bits after the leading one. */
  mantissaBits?: number;
  /** How many positions ahead the target is; the guide predicts the next token, 1 ahead. */
  targetOffset?: number;
}

/** How many names each model of the page What if? trains on. */
export const WHAT_IF_NAMES_SEEN = 30_000;
/** Size of the dataset "few". */
const FEW_DATASET_SIZE = 100;
/** Share of letters that the dataset "mistyped" replaces. */
const TYPO_PROBABILITY = 0.1;
/** Share of the steps over which the schedule "warm-up" raises the learning rate. */
const WARM_UP_FRACTION = 0.1;

/** Return the set-up of the guide's final model for What if?, with a change's sizes alone. */
export function whatIfSetup(sizes: ModelAndBatchSizes, seed: number): TrainingSetup {
  const { width = 16, layers = 1, heads = 4, batchSize = 32 } = sizes;
  return { ...ladderSetup("four", WHAT_IF_NAMES_SEEN), seed, width, layers, heads, batchSize };
}

/** The change that disables each part; if two set the same field, the later one wins. */
const CHANGE_WITHOUT_PART: Record<OptionalPart, TrainingChange> = {
  positions: { variant: { positions: "none" } },
  queries: { variant: { attention: "uniform" } },
  attention: { variant: { attention: "none" } },
  scoreScaling: { variant: { score_scale: "none" } },
  residual: { variant: { residual: "no" } },
  norm: { variant: { norm: "none" } },
  mlp: { variant: { mlp: "no" } },
  correction: { adam: { biasCorrection: false } },
  zeroing: { keepGradients: true },
};
const ONE_LETTER_NETWORK: ModelVariant = {
  positions: "none",
  attention: "none",
  residual: "no",
  norm: "none",
  head_input: "hidden",
};

/** Return how a set-up differs from the guide's GPT trained with Adam: its parts that are off, and its optimizer. */
export function changeFromSetup({ model: modelKind, disabledParts, optimizer }: TrainingSetup): TrainingChange {
  const changes = Object.entries(CHANGE_WITHOUT_PART).flatMap(([part, change]) =>
    disabledParts.includes(part as OptionalPart) ? [change] : [],
  );
  const variant: ModelVariant =
    modelKind === "network" ? ONE_LETTER_NETWORK : Object.assign({}, ...changes.map((change) => change.variant));
  return {
    ...Object.assign({}, ...changes),
    ...{ variant: Object.keys(variant).length > 0 ? variant : undefined },
    ...(optimizer === "SGD" && { optimizer }),
  };
}

/** Reverse or scramble a name's letters, if the change does so with the dataset. */
export function reverseOrScrambleName(name: string, { dataset }: TrainingChange, rng: Random): string {
  const letters = [...name];
  if (dataset === "backwards") letters.reverse();
  if (dataset === "scrambled") rng.shuffle(letters);
  return letters.join("");
}

/**
 * Return the training documents of a changed dataset. A document is a list of token ids with `bos`, the highest id, at
 * both ends, unless the dataset leaves one out.
 */
export function changeDocuments(
  documents: number[][],
  heldOut: number[][],
  bos: number,
  { dataset }: TrainingChange,
  rng: Random,
): number[][] {
  const addTypo = (token: number): number =>
    token < bos && rng.random() < TYPO_PROBABILITY ? Math.floor(bos * rng.random()) : token;
  const allTokens = documents.flatMap((document) => document.slice(1));
  switch (dataset) {
    case "sorted":
      // Without BOS: after "adalbert" it would come after any letter.
      return sort(documents, (document) => String.fromCharCode(...document.filter((token) => token < bos)));
    case "few":
      return documents.slice(0, FEW_DATASET_SIZE);
    case "leaked":
      return [...documents, ...heldOut];
    case "mistyped":
      return documents.map((document) => document.map(addTypo));
    case "joined":
      return Array.from({ length: Math.floor((allTokens.length - 1) / CONTEXT_LENGTH) }, (_, i) =>
        allTokens.slice(i * CONTEXT_LENGTH, (i + 1) * CONTEXT_LENGTH + 1),
      );
    case "without-start":
      return documents.map((document) => document.slice(1));
    case "without-end":
      return documents.map((document) => (document.at(-1) === bos ? document.slice(0, -1) : document));
    default:
      return documents;
  }
}

/** Return the factor of the learning rate once a share of the steps, `progress` from 0 to 1, is done. */
export function learningRateFactor(progress: number, { rateFactor = 1, schedule }: TrainingChange): number {
  const decayed = schedule === "constant" ? 1 : 1 - progress;
  return rateFactor * (schedule === "warm-up" ? Math.min(decayed, progress / WARM_UP_FRACTION) : decayed);
}

/** Apply a change to the initial weights, in place. */
export function changeInitialWeights(
  weights: Float64Array,
  slices: MatrixSlice[],
  { zeroedPattern, initialScale = 1, identicalRows, tiedEmbeddings }: TrainingChange,
): void {
  if (initialScale !== 1) mapInPlace(weights, (weight) => weight * initialScale);
  if (identicalRows)
    for (const { offset, rows, columns } of slices)
      for (let row = 1; row < rows; row++) weights.copyWithin(offset + row * columns, offset, offset + columns);
  if (zeroedPattern !== undefined) zeroMatrices(weights, slices, zeroedPattern);
  if (tiedEmbeddings) tieEmbeddings(weights, slices, (first) => first);
}

/** Set each matrix whose name matches a regular expression to zero. */
export function zeroMatrices(values: Float64Array, slices: MatrixSlice[], pattern: string): void {
  for (const { name, offset, rows, columns } of slices)
    if (new RegExp(pattern).test(name)) values.fill(0, offset, offset + rows * columns);
}

/** Set each value of both the token embedding and the output head to `combine` of the two. */
export function tieEmbeddings(
  values: Float64Array,
  slices: MatrixSlice[],
  combine: (first: number, last: number) => number,
): void {
  const [first, , last] = slices.map(({ offset, rows, columns }) => values.subarray(offset, offset + rows * columns));
  if (first && last) mapInPlace(first, (number, i) => (last[i] = combine(number, last[i] as number)));
}

/** Replace each value by its transform. */
export function mapInPlace(values: Float64Array, transform: (value: number, i: number) => number): void {
  for (const [i, number] of values.entries()) values[i] = transform(number, i);
}

/** Round a value to a significand of `mantissaBits` bits after the leading one, as a shorter number format stores it. */
export function roundToBits(value: number, mantissaBits: number): number {
  const spacing = 2 ** (Math.floor(Math.log2(Math.abs(value))) - mantissaBits);
  return spacing > 0 ? Math.round(value / spacing) * spacing : value;
}
