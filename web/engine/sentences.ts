/** Made-up sentences in which a verb must agree with a noun far in front of it: those of snippets/sentences.py. */

import { Random } from "./random.js";

const NOUNS = "dog cat bird king girl boy bee cow".split(" ");
const PREPOSITIONS = "near behind above".split(" ");
const VERBS = "sleep sing hide run jump wait".split(" ");
const OPENINGS = ["", "today ", "at night ", "we know ", "a king says ", "my aunt in rome says "];
const SENTENCE_COUNT = 30_000;
const SEED = 42;

/** Return a sentence such as "the dogs near the cat sleep". */
function makeSentence(rng: Random, openings: readonly string[]): string {
  const count = rng.choose([1, 1, 2, 3]);
  const nouns = Array.from({ length: count }, () => rng.choose(NOUNS) + rng.choose(["", "s"]));
  const subject = nouns.reduce((phrase, noun) => `${phrase} ${rng.choose(PREPOSITIONS)} the ${noun}`);
  const verb = rng.choose(VERBS) + (nouns[0]?.endsWith("s") ? "" : "s");
  return `${rng.choose(openings)}the ${subject} ${verb}`;
}

/** Return the sentences, one per line, some of them more than once. */
export function makeSentences(withOpenings: boolean): string {
  const rng = new Random(SEED);
  const openings = withOpenings ? OPENINGS : [""];
  return Array.from({ length: SENTENCE_COUNT }, () => makeSentence(rng, openings)).join("\n");
}

/** Return whether only one of the first and the last noun is plural. */
export function isHardSentence(sentence: string): boolean {
  const isPlural = Array.from(sentence.matchAll(/\bthe \w+/g), ([noun]) => noun.endsWith("s"));
  return isPlural[0] !== isPlural.at(-1);
}

/** Return the sentence with the other form of its verb. */
export const withWrongVerb = (sentence: string): string =>
  sentence.endsWith("s") ? sentence.slice(0, -1) : `${sentence}s`;
