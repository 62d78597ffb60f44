/** Whether a model can know a name from the dataset. */

import text from "../../../microgpt/names.txt";
import { Random } from "../../engine/random.js";

/** As the programs shuffle. */
const SEED = 42;

export type Known = "new" | "learnt" | "held out";

let places: Map<string, number> | null = null;

/** A name's place among the shuffled: the first of them were learnt. */
function place(name: string): number | undefined {
  if (places === null) {
    const names = text.trim().split(/\s+/);
    new Random(SEED).shuffle(names);
    places = new Map(names.map((each, at) => [each, at]));
  }
  return places.get(name);
}

export function known(name: string, learnt: number): Known {
  const at = place(name);
  return at === undefined ? "new" : at < learnt ? "learnt" : "held out";
}
