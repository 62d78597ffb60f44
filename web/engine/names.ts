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

/** Whether a model has learnt from a name of the list, or could have. */
export type Fate = "new" | "learnt" | "held out";

const orders = new Map<number, Map<string, number>>();

/** What a model knows of a name that has learnt the first names of a seed's order. */
export function fateOf(name: string, learnt: number, seed: number): Fate {
  const order = orders.get(seed) ?? new Map(shuffled(seed).map((each, place) => [each, place]));
  orders.set(seed, order);
  const place = order.get(name);
  return place === undefined ? "new" : place < learnt ? "learnt" : "held out";
}
