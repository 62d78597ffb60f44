/** The guide's dataset of names, and its training order. */

import text from "../../microgpt/names.txt";
import { DEFAULT_SEED, Random } from "./random.js";

export const NAMES = text.trim().split(/\s+/);

/** Return the names in the order in which a program with this seed trains on them. */
export function shuffledNames(seed = DEFAULT_SEED): string[] {
  const names = [...NAMES];
  new Random(seed).shuffle(names);
  return names;
}

/** Where a sampled name comes from: not in the dataset, trained on, or in the dataset but not trained on. */
export type NameOrigin = "new" | "learnt" | "held out";

/** By seed: the position of each name in the training order. */
const namePositionsBySeed = new Map<number, Map<string, number>>();

/** Return the origin of a name for a model that has trained on the first `trainingNameCount` names of a seed's order. */
export function nameOrigin(name: string, trainingNameCount: number, seed: number): NameOrigin {
  const positions = namePositionsBySeed.get(seed) ?? new Map(shuffledNames(seed).map((each, index) => [each, index]));
  namePositionsBySeed.set(seed, positions);
  const position = positions.get(name);
  return position === undefined ? "new" : position < trainingNameCount ? "learnt" : "held out";
}
