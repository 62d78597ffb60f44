/** Names of another kind, each of them something said twice: hard for a model of one layer. */

import { Random } from "./random.js";

/** As many are drawn; some come twice. */
const DRAWN = 10_000;
const SEED = 42;

/** The list, one name on each line: three to seven of eight letters, twice. */
export function doubled(): string {
  const [random, letters, names] = [new Random(SEED), [..."abcdefgh"], new Set<string>()];
  for (let i = 0; i < DRAWN; i++) {
    random.shuffle(letters);
    const half = letters.slice(0, 3 + (i % 5)).join("");
    names.add(half + half);
  }
  return [...names].join("\n");
}
