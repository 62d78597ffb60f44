/**
 * What can be trained in a page: the rungs of the ladder, and what a reader may change of them. A page knows this before
 * it has loaded what trains.
 */

/** What can be switched off. The last two are no parts of a model, but of how it learns. */
export const OFF = {
  positions: "positions",
  attention: "attention",
  queries: "queries and keys",
  root: "√d",
  residual: "residual",
  norm: "RMSNorm",
  mlp: "MLP",
  correction: "bias correction",
  zeroing: "zeroing of gradients",
} as const;
export type Off = keyof typeof OFF;

/** Tokens that a model can look back at, its own included. */
export const CONTEXT = 16;

export interface Setup {
  model: "counts" | "network" | "gpt";
  /** How many names are learnt from; after the last the first comes again. */
  seen: number;
  /** Names of a step. */
  batch: number;
  optimizer: "SGD" | "Adam";
  rate: number;
  seed: number;
  width: number;
  layers: number;
  heads: number;
  off: Off[];
}

const GPT: Setup = {
  model: "gpt",
  seen: 1000,
  batch: 1,
  optimizer: "Adam",
  rate: 0.01,
  seed: 42,
  width: 16,
  layers: 1,
  heads: 4,
  off: [],
};

/** After how many names we look: before the first, and then a few times in every power of ten. */
export const GRID: readonly number[] = [
  0,
  ...[1, 2, 3, 4, 5].flatMap((power) => [1, 1.5, 2, 3, 5, 7].map((digit) => digit * 10 ** power)),
];

/** The rungs of the ladder, from the first to the last. */
export const RUNGS = {
  counts: { name: "counting pairs", model: "counts", heads: 1, off: [] },
  network: { name: "one-letter network", model: "network", heads: 1, off: [] },
  positions: { name: "positions alone", model: "gpt", heads: 1, off: ["attention"] },
  average: { name: "an even average", model: "gpt", heads: 1, off: ["queries"] },
  one: { name: "one head", model: "gpt", heads: 1, off: [] },
  four: { name: "four heads", model: "gpt", heads: 4, off: [] },
} as const;
export type Rung = keyof typeof RUNGS;

/** The steps of the guide learn from one name at a time; who goes on to the end takes batches. */
const ALONE = 1000;
const BATCH = 32;

/** A rate that suits; from 32 numbers on, a model wants smaller steps. */
export function rateFor({ model, batch, optimizer, width }: Setup): number {
  if (optimizer === "SGD") return model === "network" ? (batch === 1 ? 1 : 3) : batch === 1 ? 0.1 : 1;
  return width < 32 ? 0.01 : 0.003;
}

/** How a rung is trained, as the guide does for a thousand names, or with Adam and in batches for more. */
export function setupOf(rung: Rung, seen: number, before: Setup = GPT): Setup {
  const { model, heads, off } = RUNGS[rung];
  const alone = seen <= ALONE;
  const optimizer = alone && rung !== "four" ? "SGD" : "Adam";
  const layers = model === "gpt" ? before.layers : 1; // more would be dead ends of a network without a residual
  const setup: Setup = { ...before, model, heads, layers, off: [...off], seen, batch: alone ? 1 : BATCH, optimizer };
  return { ...setup, rate: rateFor(setup) };
}

export function rungOf(setup: Setup): Rung {
  if (setup.model !== "gpt") return setup.model;
  if (setup.off.includes("attention")) return "positions";
  if (setup.off.includes("queries")) return "average";
  return setup.heads === 1 ? "one" : "four";
}

/** What a set-up trains, in words. */
export function nameOf(setup: Setup): string {
  const rung = rungOf(setup);
  const { heads, width, layers, model, optimizer } = setup;
  const alone = rung !== "positions" || !setup.off.includes("positions");
  const base = rung === "four" && heads !== 4 ? `${heads} heads` : alone ? RUNGS[rung].name : "no attention";
  const off = setup.off.filter((each) => !(RUNGS[rung].off as readonly Off[]).includes(each));
  const words = [
    model === "gpt" && layers > 1 && `${layers} layers`,
    model !== "counts" && width !== 16 && `width ${width}`,
    model !== "counts" && optimizer !== setupOf(rung, setup.seen).optimizer && optimizer,
    ...off.map((each) => `no ${OFF[each]}`),
  ];
  return [base, ...words.filter(Boolean)].join(", ");
}

/** Why a set-up will not do, in a sentence; empty if it will. */
export function refusal(setup: Setup): string {
  const { seen, batch, rate, seed, width, layers, heads } = setup;
  const whole = (name: string, value: number, least: number, most: number): string =>
    Number.isInteger(value) && value >= least && value <= most
      ? ""
      : `${name}: a whole number from ${least} to ${most.toLocaleString("en")}`;
  return (
    whole("names seen", seen, 1, 300_000) ||
    whole("batch", batch, 1, 512) ||
    (rate > 0 && rate <= 100 ? "" : "learning rate: a number above 0, and at most 100") ||
    whole("seed", seed, 0, Number.MAX_SAFE_INTEGER) ||
    whole("width", width, 1, 64) ||
    whole("layers", layers, 1, 4) ||
    (setup.model === "network" && layers > 1 ? "layers: the one-letter network has one" : "") ||
    whole("heads", heads, 1, 16) ||
    (width % heads === 0 ? "" : `heads: ${width} numbers cannot be shared evenly by ${heads} heads`)
  );
}

const A_TO_Z = "abcdefghijklmnopqrstuvwxyz";

/** A character, so that readers see it: an accent alone would stand on the quotation mark. */
function inWords(character: string): string {
  if (character === " ") return "a space";
  if (/[\p{C}\p{Z}]/u.test(character))
    return `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`;
  return `“${character.replace(/^\p{M}/u, "◌$&")}”`;
}

/** Why a model can’t read the beginning of a name, in a sentence; empty if it can. */
export function unreadable(name: string, known: string | string[] = A_TO_Z, longest = CONTEXT - 1): string {
  const letters = [...name.trim()];
  const unknown = letters.find((letter) => !known.includes(letter));
  if (unknown !== undefined) {
    const which = [...A_TO_Z].every((letter) => known.includes(letter)) ? "from a to z" : "that the model knows";
    return `Type letters ${which}, not ${inWords(unknown)}.`;
  }
  return letters.length <= longest ? "" : `Type at most ${longest} letters: this has ${letters.length}.`;
}

const KEYS = ["model", "seen", "batch", "optimizer", "rate", "seed", "width", "layers", "heads"] as const;

const CHOICES = { model: ["counts", "network", "gpt"], optimizer: ["SGD", "Adam"] };

/** What differs from another set-up, as it stands in an address. */
export function written(setup: Setup, usual: Setup): string {
  const fields = KEYS.filter((key) => setup[key] !== usual[key]).map((key) => `${key}:${setup[key]}`);
  const off = setup.off.join("+");
  if (off !== usual.off.join("+")) fields.push(`off:${off}`);
  return fields.join(",");
}

/** Read what `written` wrote; null for what is none. */
export function readSetup(text: string, usual: Setup): Setup | null {
  const setup: Record<string, unknown> = { ...usual };
  for (const field of text.split(",").filter(Boolean)) {
    const [key = "", value = ""] = field.split(":");
    if (key === "off") setup["off"] = [...new Set(value.split("+"))].filter((each) => Object.hasOwn(OFF, each));
    else if (key === "model" || key === "optimizer") {
      if (!CHOICES[key].includes(value)) return null;
      setup[key] = value;
    } else if ((KEYS as readonly string[]).includes(key)) setup[key] = Number(value);
    else return null;
  }
  const read = setup as unknown as Setup;
  return refusal(read) ? null : read;
}
