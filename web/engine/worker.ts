/** The worker in which a page trains: nothing that is learnt ever makes the page wait. */

import { expose } from "comlink";
import type { Setup } from "./setup.js";
import { type Begun, type Completed, type Invented, type Progress, Training } from "./training.js";
import { type Change, type Comparison, Experiment } from "./what_if.js";

let training: Training | null = null;
/** The model as it is, trained once with each seed, and what is compared now. */
const usual = new Map<number, Experiment>();
let compared: [plain: Experiment, changed: Experiment];

const current = (): Training => {
  if (training === null) throw new Error("nothing was trained yet");
  return training;
};

const trainer = {
  begin(setup: Setup, names: string): Begun {
    training = new Training(setup, names);
    return training.begun;
  },
  advance: (milliseconds: number): Progress => current().advance(milliseconds),
  finish: (count: number): string[] => current().finish(count),
  completed: (): Completed | null => current().completed(),
  continueName: (begun: string, seed: number): Invented => current().continueName(begun, seed),
  attention: (index: number, name: string) => current().attention(index, name),
  compare(change: Change, seed: number): void {
    const plain = usual.get(seed) ?? new Experiment({}, seed);
    usual.set(seed, plain);
    compared = [plain, new Experiment(change, seed)];
  },
  compareOn(milliseconds: number): Comparison {
    const [plain, changed] = compared;
    (plain.progress < 1 ? plain : changed).advance(milliseconds);
    const progress = (plain.progress + changed.progress) / 2;
    return { plain: plain.evaluations, changed: changed.evaluations, progress };
  },
};

export type Trainer = typeof trainer;

expose(trainer);
