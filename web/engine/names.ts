/** The names of the guide. */

import text from "../../microgpt/names.txt";
import { Random } from "./random.js";

export const NAMES = text.trim().split(/\s+/);
/** As the programs shuffle. */
export const SEED = 42;

/** The names in the order in which a program learns them that has this seed. */
export function shuffled(seed = SEED): string[] {
  const names = [...NAMES];
  new Random(seed).shuffle(names);
  return names;
}
