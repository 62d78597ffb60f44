/** The names of the guide. */

import text from "../../microgpt/names.txt";
import { Random, SEED } from "./random.js";

export const NAMES = text.trim().split(/\s+/);

/** The names in the order in which a program learns them that has this seed. */
export function shuffled(seed = SEED): string[] {
  const names = [...NAMES];
  new Random(seed).shuffle(names);
  return names;
}
