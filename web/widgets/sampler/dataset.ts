/** Whether a model can know a name from the dataset. */

import { shuffled } from "../../engine/names.js";

export type Known = "new" | "learnt" | "held out";

const places = new Map<number, Map<string, number>>();

/** The place of each name among those that a seed has shuffled: the first of them were learnt. */
const placesOf = (seed: number): Map<string, number> => new Map(shuffled(seed).map((each, at) => [each, at]));

export function known(name: string, learnt: number, seed: number): Known {
  const all = places.get(seed) ?? placesOf(seed);
  places.set(seed, all);
  const at = all.get(name);
  return at === undefined ? "new" : at < learnt ? "learnt" : "held out";
}
