/** A training run in a page: its dataset, its steps, and evaluations of the model on the way. */

import text from "../../microgpt/names.txt";
import { BigramTable } from "./bigram_table.js";
import { generateDoubledNames } from "./doubled_names.js";
import { ADAM_DEFAULTS, Gpt, INPUT_BUFFER_TOKENS } from "./gpt.js";
import type { NameOrigin } from "./names.js";
import { Random } from "./random.js";
import { sampleTokens } from "./sampling.js";
import { isHardSentence, makeSentences, withWrongVerb } from "./sentences.js";
import {
  changeDocuments,
  changeFromSetup,
  changeInitialWeights,
  learningRateFactor,
  mapInPlace,
  reverseOrScrambleName,
  roundToBits,
  type TrainingChange,
  tieEmbeddings,
  zeroMatrices,
} from "./training_change.js";
import {
  CONTEXT_LENGTH,
  DATASETS,
  type Dataset,
  EVALUATE_AFTER_NAMES,
  prefixError,
  setupError,
  type TrainingSetup,
} from "./training_setup.js";
import { mean, softmax, type Vector } from "./vectors.js";

/** The losses and samples of a model after it has trained on some names. */
export interface ModelEvaluation {
  /** Index of `namesSeen` in EVALUATE_AFTER_NAMES. */
  gridIndex: number;
  /** Names trained on so far. */
  namesSeen: number;
  /** Mean training loss since the evaluation before, in nats per token; null before the first step. */
  trainingLoss: number | null;
  /** In nats per token; null if no name is held out. */
  heldOutLoss: number | null;
  /** Names sampled from the model, always with the same random numbers. */
  names: string[];
  /** In which share of hard held-out sentences the right verb is likelier than the wrong one; not for names. */
  hardCasesRight?: number;
}

/** Facts about a run that are known before its first step. */
export interface RunFacts {
  setup: TrainingSetup;
  /** Includes the parameters of parts that are switched off. */
  parameterCount: number;
  heldOutCount: number;
  /** The vocabulary without BOS. */
  characters: string;
  /** Held-out loss of a bigram table, as a baseline; null if no name is held out. */
  bigramLoss: number | null;
}

/** A name that a model has continued. */
export interface SampledName {
  name: string;
  /** Each drawn letter and the probability it had; an empty letter at the end is BOS. */
  letters: [letter: string, probability: number][];
  origin: NameOrigin;
}

/** The progress of a run since the last call of `trainFor`. */
export interface TrainingProgress {
  /** Names trained on so far. */
  namesSeen: number;
  /** The new evaluations. */
  evaluations: ModelEvaluation[];
  /** Whether the loss is no longer finite, which ends the run. */
  diverged: boolean;
}

const DATASET_TEXTS: Record<Dataset, () => string> = {
  names: () => text,
  doubled: generateDoubledNames,
  sentences: () => makeSentences(false),
  openings: () => makeSentences(true),
};
/** Own lines longer than this are cut. */
const MAX_CONTEXT_LENGTH = 128;
const MAX_HARD_SENTENCES = 200;
/** An upper bound, because evaluating on more names would take longer than training. */
const MAX_HELD_OUT_NAMES = 5000;
const SAMPLE_TEMPERATURE = 0.5;
const MOMENTUM = 0.9;
const SAMPLES_PER_EVALUATION = 6;
const MIN_NAMES = 20;
const MAX_NAMES = 50_000;
const MAX_DISTINCT_CHARACTERS = 100;

/**
 * Parse a reader's names, one per line, or those of a dataset if there are none.
 *
 * @throws Error with a sentence for readers if the names cannot be trained on
 */
export function parseNamesOrDefault(ownNames: string, dataset: Dataset = "names"): string[] {
  const names = (ownNames || DATASET_TEXTS[dataset]())
    .split("\n")
    .map((name) => name.trim().normalize("NFC"))
    .filter(Boolean);
  const characterCount = new Set(names.join("")).size;
  if (names.length < MIN_NAMES)
    throw new Error(`your lines: expected at least ${MIN_NAMES}, one per line, got ${names.length}; add some`);
  if (names.length > MAX_NAMES)
    throw new Error(`your lines: expected at most 50,000, got ${names.length.toLocaleString("en")}; remove some`);
  if (characterCount > MAX_DISTINCT_CHARACTERS)
    throw new Error(
      `your lines: expected at most ${MAX_DISTINCT_CHARACTERS} different characters, got ${characterCount}; remove rare ones`,
    );
  return names;
}

/** A model that was trained on the guide's names, as readers' browsers save it for other pages. */
export interface SavableTrainedModel {
  setup: TrainingSetup;
  /** How many different names it has trained on: the first of them, shuffled with the seed. */
  trainingNameCount: number;
  /** In nats per token; null if no name is held out. */
  heldOutLoss: number | null;
  /** The weights, or a bigram table's counts, row by row. */
  weights: Float64Array;
}

type TrainableModel = BigramTable | Gpt;

/** Create the GPT of a set-up and a change, with all weights 0. */
export const createZeroWeightGpt = (
  { width, layers, heads, dataset }: TrainingSetup,
  vocabSize: number,
  { variant, optimizer }: TrainingChange,
  context: number = DATASETS[dataset].contextLength,
): Gpt => new Gpt({ vocabSize, width, layers, heads, context }, variant || optimizer ? { ...variant } : null);

/** Return a function from tokens to the probabilities of the token that follows them. */
const probabilityFunction = (model: TrainableModel) => (tokens: readonly number[]) =>
  softmax(model.logits(tokens).map((logit) => logit / SAMPLE_TEMPERATURE));

/**
 * Return the characters of a dataset, in the order of `microgpt.Tokenizer`, and a function that encodes a name as token
 * ids with BOS at both ends, cut to the context.
 */
function createTokenizer(names: string[], contextLength: number) {
  const codePoint = (character: string): number => character.codePointAt(0) as number;
  const characters = [...new Set(names.join(""))].sort((a, b) => codePoint(a) - codePoint(b));
  const ids = new Map(characters.map((character, id) => [character, id]));
  const bos = characters.length;
  const tokens = (name: string): number[] => [...name].map((character) => ids.get(character) as number);
  return {
    characters,
    encodeDocument: (name: string): number[] => [bos, ...tokens(name), bos].slice(0, contextLength + 1),
  };
}

/** Return the last of some documents, as many as a GPT can read at once: sentences are longer than names. */
function lastReadableAtOnce(documents: number[][]): number[][] {
  let tokenCount = 0;
  const firstUnread = documents.findLastIndex(({ length }) => {
    tokenCount += length - 1;
    return tokenCount > INPUT_BUFFER_TOKENS;
  });
  return documents.slice(firstUnread + 1);
}

/** A training run. Call `trainFor` until all names are seen, or the loss diverges. */
export class Training {
  readonly facts: RunFacts;
  readonly losses: number[] = [];
  private readonly rng: Random;
  private readonly characters: string[];
  private readonly names: string[];
  private readonly documents: number[][];
  private readonly heldOut: number[][];
  private readonly hardSentences: string[];
  private readonly encodeDocument: (text: string) => number[];
  private readonly contextLength: number;
  private readonly model: TrainableModel;
  private readonly trainingNameCount: number;
  /** Documents per step: names, or pieces of one long text with as many letters. */
  private readonly batchSize: number;
  private stepsTaken = 0;
  private lossesSinceEvaluation: number[] = [];
  private lastEvaluated = -1;

  /**
   * Prepare the dataset and the initial weights.
   *
   * @param ownNames - a reader's lines; empty for those of the dataset
   * @throws Error with a sentence for readers if the set-up or the names cannot be trained
   */
  constructor(
    readonly setup: TrainingSetup,
    private readonly ownNames = "",
    private readonly change = changeFromSetup(setup),
  ) {
    const reason = setupError(setup);
    if (reason) throw new Error(reason);
    const [rng, otherRng] = [new Random(setup.seed), new Random(setup.seed + 1000)];
    this.rng = rng;
    this.names = parseNamesOrDefault(ownNames, setup.dataset);
    rng.shuffle(this.names);
    const { lines, contextLength } = DATASETS[setup.dataset];
    const longest = Math.max(...this.names.map((name) => [...name].length));
    this.contextLength = ownNames ? Math.min(Math.max(CONTEXT_LENGTH, longest + 1), MAX_CONTEXT_LENGTH) : contextLength;
    const { characters, encodeDocument } = createTokenizer(this.names, this.contextLength);
    this.characters = characters;
    this.encodeDocument = encodeDocument;
    const bos = characters.length;
    const documents = this.names.map((name) => encodeDocument(reverseOrScrambleName(name, change, otherRng)));
    const trainingSplitSize = Math.floor(0.9 * documents.length);
    const nameCount = this.numSteps * setup.batchSize;
    this.trainingNameCount = Math.min(nameCount, trainingSplitSize);
    const trainingNames = new Set(this.names.slice(0, this.trainingNameCount));
    const unseenDocuments = documents.filter((_, i) => !trainingNames.has(this.names[i] as string));
    this.heldOut = lastReadableAtOnce(unseenDocuments.slice(-MAX_HELD_OUT_NAMES));
    const unseenSentences = lines === "names" || ownNames ? [] : this.names.filter((name) => !trainingNames.has(name));
    this.hardSentences = unseenSentences.filter(isHardSentence).slice(-MAX_HARD_SENTENCES);
    const unchangedDocuments = nameCount <= trainingSplitSize ? documents : documents.slice(0, trainingSplitSize);
    this.documents = changeDocuments(unchangedDocuments, this.heldOut, bos, change, otherRng);
    const lengthFactor = change.dataset === "joined" ? this.documents.length / unchangedDocuments.length : 1;
    this.batchSize = Math.round(setup.batchSize * lengthFactor);
    this.model =
      setup.model === "counts"
        ? new BigramTable(bos + 1)
        : createZeroWeightGpt(setup, bos + 1, change, this.contextLength);
    if (this.model instanceof Gpt) this.initialize(this.model, change.otherSeed ? otherRng : rng);
    if (change.otherSeed) otherRng.shuffle(this.documents);
    const bigrams = new BigramTable(bos + 1).countPairs(documents.slice(0, this.trainingNameCount));
    this.facts = {
      setup,
      parameterCount: this.model.weights.length,
      heldOutCount: this.heldOut.length,
      characters: characters.join(""),
      bigramLoss: this.heldOut.length > 0 ? bigrams.loss(this.heldOut) : null,
    };
  }

  /** Draw initial weights; the network of Step 1 has only three matrices, and draws them in its own order. */
  private initialize(gpt: Gpt, rng: Random): void {
    gpt.initializeWeights(rng, this.setup.model === "network" ? ["wte", "layer0.mlp_fc1", "lm_head"] : undefined);
    changeInitialWeights(gpt.weights, gpt.matrixSlices(), this.change);
  }

  private get numSteps(): number {
    return Math.ceil(this.setup.namesToSee / this.setup.batchSize);
  }

  private get namesSeen(): number {
    return Math.min(this.stepsTaken * this.setup.batchSize, this.setup.namesToSee);
  }

  /** Train for about this many milliseconds, or to the end, and return the progress since the last call. */
  trainFor(milliseconds: number): TrainingProgress {
    const end = performance.now() + milliseconds;
    const evaluations: ModelEvaluation[] = [];
    let diverged = false;
    if (this.lastEvaluated < 0) evaluations.push(this.evaluate(0));
    while (this.stepsTaken < this.numSteps && !diverged && performance.now() < end) {
      diverged = !Number.isFinite(this.takeStep());
      const before = EVALUATE_AFTER_NAMES.findLastIndex((count) => count <= this.namesSeen);
      const after = EVALUATE_AFTER_NAMES.findIndex((count) => count >= this.namesSeen);
      const index = diverged || this.stepsTaken === this.numSteps ? Math.max(after, this.lastEvaluated + 1) : before;
      if (index > this.lastEvaluated) evaluations.push(this.evaluate(index));
    }
    return { namesSeen: this.namesSeen, evaluations, diverged };
  }

  /** Train on one batch; return its loss before the step. */
  private takeStep(): number {
    const { model, documents, batchSize, change } = this;
    const start = this.stepsTaken * batchSize; // after the last document the first comes again
    const batch = Array.from({ length: batchSize }, (_, i) => documents[(start + i) % documents.length] as number[]);
    const learningRate = this.setup.learningRate * learningRateFactor(this.stepsTaken / this.numSteps, change);
    const loss = model instanceof Gpt ? this.takeGptStep(model, batch, learningRate) : model.trainStep(batch);
    this.stepsTaken += 1;
    this.losses.push(loss);
    this.lossesSinceEvaluation.push(loss);
    return loss;
  }

  /** Move the weights against their gradient; return the loss before the step. */
  private takeGptStep(gpt: Gpt, documents: number[][], learningRate: number): number {
    const { gradientFactor = 1, maxGradientNorm, weightDecay = 0, mantissaBits, optimizer, adam } = this.change;
    const { gradient, weights } = gpt;
    if (!this.change.keepGradients) gradient.fill(0);
    const loss = gpt.accumulateGradient(documents, this.change.targetOffset);
    if (this.change.tiedEmbeddings) tieEmbeddings(gradient, gpt.matrixSlices(), (first, last) => first + last);
    if (this.change.frozenPattern) zeroMatrices(gradient, gpt.matrixSlices(), this.change.frozenPattern);
    const norm = maxGradientNorm === undefined ? 0 : Math.hypot(...gradient);
    const factor = maxGradientNorm !== undefined && norm > maxGradientNorm ? maxGradientNorm / norm : gradientFactor;
    if (factor !== 1) mapInPlace(gradient, (slope) => slope * factor);
    if (weightDecay) mapInPlace(weights, (weight) => weight * (1 - learningRate * weightDecay));
    const velocity = gpt.firstMoments;
    if (optimizer === "momentum")
      mapInPlace(gradient, (slope, i) => (velocity[i] = MOMENTUM * (velocity[i] as number) + slope));
    if (optimizer) gpt.takeSgdStep(learningRate);
    else gpt.takeAdamStep(learningRate, { ...ADAM_DEFAULTS, ...adam });
    if (mantissaBits) mapInPlace(weights, (weight) => roundToBits(weight, mantissaBits));
    return loss;
  }

  private evaluate(gridIndex: number): ModelEvaluation {
    this.lastEvaluated = gridIndex;
    const trainingLoss = this.lossesSinceEvaluation.length > 0 ? mean(this.lossesSinceEvaluation) : null;
    const sampleCount = Number.isFinite(trainingLoss ?? 0) ? SAMPLES_PER_EVALUATION : 0;
    const names = this.sampleNames(sampleCount);
    this.lossesSinceEvaluation = [];
    const heldOutLoss = this.computeHeldOutLoss();
    const hardCases = this.hardSentences.length > 0 && { hardCasesRight: this.computeHardCasesRight() };
    return { gridIndex, namesSeen: this.namesSeen, trainingLoss, heldOutLoss, names, ...hardCases };
  }

  /** Sample names from the model; without `rng`, always with the same random numbers. */
  private sampleNames(count: number, rng = new Random(1)): string[] {
    const { characters, model, contextLength } = this;
    return Array.from({ length: count }, () => {
      const [, ...tokens] = sampleTokens([characters.length], probabilityFunction(model), rng, contextLength);
      return tokens.map((token) => characters[token]).join("");
    });
  }

  private computeHardCasesRight(): number {
    const totalLoss = (sentence: string): number => {
      const document = this.encodeDocument(sentence);
      return this.model.loss([document]) * (document.length - 1);
    };
    const isRight = (sentence: string): boolean => totalLoss(sentence) < totalLoss(withWrongVerb(sentence));
    return this.hardSentences.filter(isRight).length / this.hardSentences.length;
  }

  private computeHeldOutLoss(): number | null {
    return this.heldOut.length > 0 ? this.model.loss(this.heldOut) : null;
  }

  /** Return the model for other pages; null if it learnt other lines than the guide's names, which those pages cannot use. */
  savableModel(): SavableTrainedModel | null {
    const { setup, trainingNameCount, model, ownNames } = this;
    return ownNames || setup.dataset !== "names"
      ? null
      : { setup, trainingNameCount, heldOutLoss: this.computeHeldOutLoss(), weights: model.weights.slice() };
  }

  /** Sample names as `microgpt train` does at its end: with the random numbers that follow those of the training. */
  sampleAfterTraining(count: number): string[] {
    return this.sampleNames(count, this.rng);
  }

  /** Return the rows of each matrix by its name; a bigram table has none. */
  matrices(): Record<string, Vector[]> {
    return this.model instanceof Gpt ? this.model.matrices() : {};
  }

  /**
   * Continue a name that a reader has begun; the same seed gives the same name.
   *
   * @throws Error with a sentence for readers if the prefix is too long or has characters that the model doesn't know
   */
  continueName(prefix: string, seed: number): SampledName {
    const { characters, model, names, trainingNameCount } = this;
    const letters = [...prefix.normalize("NFC").trim()];
    const reason = prefixError(letters.join(""), this.facts.characters, this.contextLength - 1);
    if (reason) throw new Error(reason);
    const tokens = [characters.length, ...letters.map((letter) => characters.indexOf(letter))];
    const drawn: SampledName["letters"] = [];
    sampleTokens(tokens, probabilityFunction(model), new Random(seed), this.contextLength, (token, p) =>
      drawn.push([characters[token] ?? "", p]),
    );
    const name = letters.concat(drawn.map(([letter]) => letter)).join("");
    const index = names.indexOf(name);
    return { name, letters: drawn, origin: index < 0 ? "new" : index < trainingNameCount ? "learnt" : "held out" };
  }
}
