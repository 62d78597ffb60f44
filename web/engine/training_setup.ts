/**
 * Settings of a training run in a page: the guide's ladder of models, and what readers can set. Pages load this without
 * the code that trains.
 */

/** The parts that readers can switch off, with their names on pages. The last two are parts of the training. */
export const OPTIONAL_PARTS = {
  positions: "positions",
  attention: "attention",
  queries: "queries and keys",
  scoreScaling: "√d",
  residual: "residual",
  norm: "RMSNorm",
  mlp: "MLP",
  correction: "bias correction",
  zeroing: "zeroing of gradients",
} as const;
export type OptionalPart = keyof typeof OPTIONAL_PARTS;

/** How many tokens a model of names can attend to, the current one included. */
export const CONTEXT_LENGTH = 16;

/** The lists that a model can learn, with what their lines are and how many tokens it can attend to. */
export const DATASETS = {
  names: { name: "names", lines: "names", contextLength: CONTEXT_LENGTH },
  doubled: { name: "doubled names", lines: "names", contextLength: CONTEXT_LENGTH },
  sentences: { name: "sentences", lines: "sentences", contextLength: 72 },
  openings: { name: "sentences with openings", lines: "sentences", contextLength: 72 },
} as const;
export type Dataset = keyof typeof DATASETS;

/** A table of counts, the one-letter network, or a GPT. */
export type ModelKind = "counts" | "network" | "gpt";

/** Settings of a training run. */
export interface TrainingSetup {
  model: ModelKind;
  /** How many names to train on; after the last name of the dataset the first comes again. */
  namesToSee: number;
  /** Names per step. */
  batchSize: number;
  optimizer: "SGD" | "Adam";
  /** Initial learning rate. */
  learningRate: number;
  seed: number;
  /** Length of each token's vector. */
  width: number;
  layers: number;
  heads: number;
  disabledParts: OptionalPart[];
  /** What it learns, unless a reader brings their own lines. */
  dataset: Dataset;
}

const GPT_DEFAULTS: TrainingSetup = {
  model: "gpt",
  namesToSee: 1000,
  batchSize: 1,
  optimizer: "Adam",
  learningRate: 0.01,
  seed: 42,
  width: 16,
  layers: 1,
  heads: 4,
  disabledParts: [],
  dataset: "names",
};

/** After how many names a run is evaluated: before the first, and then six times per power of ten. */
export const EVALUATE_AFTER_NAMES: readonly number[] = [
  0,
  ...[1, 2, 3, 4, 5].flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((digit) => digit * 10 ** power)),
];

/** The models of the guide's ladder, from the simplest to the GPT, with their names on pages. */
export const LADDER_MODELS = {
  counts: { name: "counting pairs", model: "counts", heads: 1, disabledParts: [] },
  network: { name: "one-letter network", model: "network", heads: 1, disabledParts: [] },
  positions: { name: "positions alone", model: "gpt", heads: 1, disabledParts: ["attention"] },
  average: { name: "an even average", model: "gpt", heads: 1, disabledParts: ["queries"] },
  one: { name: "one head", model: "gpt", heads: 1, disabledParts: [] },
  four: { name: "four heads", model: "gpt", heads: 4, disabledParts: [] },
} as const;
export type LadderModel = keyof typeof LADDER_MODELS;

/** Up to this many names, a run trains on one name per step, as the guide's steps do; longer runs use batches. */
const MAX_NAMES_WITHOUT_BATCHES = 1000;
const LONG_RUN_BATCH_SIZE = 32;

/** Return a learning rate that works for a set-up. */
export function defaultLearningRate({ model, batchSize, optimizer, width, dataset }: TrainingSetup): number {
  if (optimizer === "SGD") return model === "network" ? (batchSize === 1 ? 1 : 3) : batchSize === 1 ? 0.1 : 1;
  return (width < 32 ? 0.01 : 0.003) * (DATASETS[dataset].lines === "sentences" ? 2 : 1);
}

/**
 * Return the set-up of a model of the ladder: up to 1,000 names as the guide trains it, for more names with Adam and
 * batches. Dataset, seed, width and layers are those of `base`.
 */
export function ladderSetup(ladderModel: LadderModel, namesToSee: number, base = GPT_DEFAULTS): TrainingSetup {
  const { model, heads, disabledParts } = LADDER_MODELS[ladderModel];
  const oneByOne = namesToSee <= MAX_NAMES_WITHOUT_BATCHES;
  const optimizer = oneByOne && ladderModel !== "four" ? "SGD" : "Adam";
  const layers = model === "gpt" ? base.layers : 1; // more would be dead ends of a network without a residual
  const batchSize = oneByOne ? 1 : LONG_RUN_BATCH_SIZE;
  const parts = { model, heads, layers, disabledParts: [...disabledParts] };
  const setup: TrainingSetup = { ...base, ...parts, namesToSee, batchSize, optimizer };
  return { ...setup, learningRate: defaultLearningRate(setup) };
}

/** Return which model of the ladder a set-up trains. */
export function ladderModelOf(setup: TrainingSetup): LadderModel {
  if (setup.model !== "gpt") return setup.model;
  if (setup.disabledParts.includes("attention")) return "positions";
  if (setup.disabledParts.includes("queries")) return "average";
  return setup.heads === 1 ? "one" : "four";
}

/** Return in a few words what a set-up trains, such as "four heads, width 32, no MLP". */
export function describeSetup(setup: TrainingSetup): string {
  const ladderModel = ladderModelOf(setup);
  const { heads, width, layers, model, optimizer } = setup;
  const hasPositions = ladderModel !== "positions" || !setup.disabledParts.includes("positions");
  const base =
    ladderModel === "four" && heads !== 4
      ? `${heads} heads`
      : hasPositions
        ? LADDER_MODELS[ladderModel].name
        : "no attention";
  const extraDisabledParts = setup.disabledParts.filter(
    (part) => !(LADDER_MODELS[ladderModel].disabledParts as readonly OptionalPart[]).includes(part),
  );
  const words = [
    model === "gpt" && layers > 1 && `${layers} layers`,
    model !== "counts" && width !== 16 && `width ${width}`,
    model !== "counts" && optimizer !== ladderSetup(ladderModel, setup.namesToSee).optimizer && optimizer,
    ...extraDisabledParts.map((part) => `no ${OPTIONAL_PARTS[part]}`),
  ];
  return [base, ...words.filter(Boolean)].join(", ");
}

/** Return, for readers, why a set-up is invalid; empty if it is valid. */
export function setupError(setup: TrainingSetup): string {
  const { namesToSee, batchSize, learningRate, seed, width, layers, heads } = setup;
  const formatValue = (value: number): string => (Number.isNaN(value) ? "no number" : value.toLocaleString("en"));
  const integerError = (name: string, value: number, min: number, max: number): string =>
    Number.isInteger(value) && value >= min && value <= max
      ? ""
      : `${name}: expected a whole number from ${min} to ${max.toLocaleString("en")}, got ${formatValue(value)}`;
  return (
    integerError("names seen", namesToSee, 1, 300_000) ||
    integerError("batch", batchSize, 1, 512) ||
    (learningRate > 0 && learningRate <= 100
      ? ""
      : `learning rate: expected a number above 0 and at most 100, got ${formatValue(learningRate)}`) ||
    integerError("seed", seed, 0, Number.MAX_SAFE_INTEGER) ||
    integerError("width", width, 1, 64) ||
    integerError("layers", layers, 1, 4) ||
    (setup.model === "network" && layers > 1 ? `layers: the one-letter network has 1 layer, got ${layers}` : "") ||
    integerError("heads", heads, 1, 16) ||
    (width % heads === 0 ? "" : `heads: width ${width} is not a multiple of ${heads} heads; change one of them`)
  );
}

const A_TO_Z = "abcdefghijklmnopqrstuvwxyz";

/** Return a character in a form that readers can see: a lone accent would stand on the quotation mark. */
function describeCharacter(character: string): string {
  if (character === " ") return "a space";
  if (/[\p{C}\p{Z}]/u.test(character))
    return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
  return `“${character.replace(/^\p{M}/u, "◌$&")}”`;
}

/**
 * Return why a model cannot continue the beginning of a name, for readers; empty if it can.
 * `characters` are those that the model knows.
 */
export function prefixError(prefix: string, characters = A_TO_Z, maxLength = CONTEXT_LENGTH - 1): string {
  const letters = [...prefix.trim()];
  const unknown = letters.find((letter) => !characters.includes(letter));
  if (unknown !== undefined) {
    const which = [...A_TO_Z].every((letter) => characters.includes(letter)) ? "from a to z" : "that the model knows";
    return `Type letters ${which}, not ${describeCharacter(unknown)}.`;
  }
  return letters.length <= maxLength ? "" : `Type at most ${maxLength} letters: this has ${letters.length}.`;
}

/** Short keys of fields and parts; they stay, because addresses and runs that readers have saved use them. */
const SHORT_KEYS = {
  namesToSee: "seen",
  batchSize: "batch",
  learningRate: "rate",
  disabledParts: "off",
  scoreScaling: "root",
};
const shortKey = (name: string): string => (SHORT_KEYS as Record<string, string>)[name] ?? name;
const LONG_NAMES = new Map(Object.entries(SHORT_KEYS).map(([name, key]) => [key, name]));
const expandShortKey = (key: string): string => LONG_NAMES.get(key) ?? key;

/** Return the fields of a set-up by the short keys of addresses and saved runs. */
export const setupToShortKeys = (setup: TrainingSetup): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(setup).map(([name, value]) => [shortKey(name), Array.isArray(value) ? value.map(shortKey) : value]),
  );

/** Return `defaults` with these fields changed; null if the result is invalid. Numbers and lists may be text. */
export function setupFromShortKeys(fields: Record<string, unknown>, defaults: TrainingSetup): TrainingSetup | null {
  const setup: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(fields)) {
    const name = expandShortKey(key);
    if (!Object.hasOwn(GPT_DEFAULTS, name)) return null;
    if (["model", "optimizer", "dataset"].includes(name)) setup[name] = value;
    else if (name !== "disabledParts") setup[name] = Number(value);
    else {
      const parts = new Set(String(value).split(/[+,]/).map(expandShortKey));
      setup[name] = [...parts].filter((part) => Object.hasOwn(OPTIONAL_PARTS, part));
    }
  }
  const valid = setup as unknown as TrainingSetup;
  const isKnown =
    Object.hasOwn(DATASETS, valid.dataset) &&
    ["counts", "network", "gpt"].includes(valid.model) &&
    ["SGD", "Adam"].includes(valid.optimizer);
  return isKnown && !setupError(valid) ? valid : null;
}

/** Return the fields that differ from `defaults`, as an address holds them: `width:32,off:norm+mlp`. */
export function formatSetupForAddress(setup: TrainingSetup, defaults: TrainingSetup): string {
  const [texts, defaultTexts] = [setup, defaults].map((each) =>
    Object.entries(setupToShortKeys(each)).map(([key, value]) => `${key}:${String(value).replaceAll(",", "+")}`),
  ) as [string[], string[]];
  return texts.filter((text) => !defaultTexts.includes(text)).join(",");
}

/** Parse what `formatSetupForAddress` returned; null if it is not a valid set-up. */
export function parseSetupFromAddress(text: string, defaults: TrainingSetup): TrainingSetup | null {
  const fields = text.split(",").filter(Boolean);
  return setupFromShortKeys(Object.fromEntries(fields.map((field) => field.split(":"))), defaults);
}
