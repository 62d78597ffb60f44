/** Whether a model can know a name from the dataset. */

import text from "../../../microgpt/names.txt";
import { Random } from "../../engine/random.js";

/** As the programs shuffle. */
export const SEED = 42;

export type Known = "new" | "learnt" | "held out";

const places = new Map<number, Map<string, number>>();

/** The place of each name among those that a seed has shuffled: the first of them were learnt. */
function placesOf(seed: number): Map<string, number> {
  const names = text.trim().split(/\s+/);
  new Random(seed).shuffle(names);
  return new Map(names.map((each, at) => [each, at]));
}

export function known(name: string, learnt: number, seed: number): Known {
  const all = places.get(seed) ?? placesOf(seed);
  places.set(seed, all);
  const at = all.get(name);
  return at === undefined ? "new" : at < learnt ? "learnt" : "held out";
}
