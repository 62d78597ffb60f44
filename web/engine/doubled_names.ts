/** A dataset of made-up names, each a word said twice ("abcabc"): hard for a model with one layer. */

import { Random } from "./random.js";

/** Names drawn; fewer remain, because some are drawn again. */
const NAME_DRAWS = 10_000;
const SEED = 42;

/** Return the names, one per line: three to seven different letters from a to h, twice. */
export function generateDoubledNames(): string {
  const [rng, letters, names] = [new Random(SEED), [..."abcdefgh"], new Set<string>()];
  for (let i = 0; i < NAME_DRAWS; i++) {
    rng.shuffle(letters);
    const half = letters.slice(0, 3 + (i % 5)).join("");
    names.add(half + half);
  }
  return [...names].join("\n");
}
