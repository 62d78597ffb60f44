/** The worker in which a page trains: nothing that is learnt ever makes the page wait. */

import { expose } from "comlink";
import type { Change } from "./change.js";
import type { Setup } from "./setup.js";
import { type Begun, type Completed, type Invented, type Progress, Training } from "./training.js";

let training: Training | null = null;

const current = (): Training => {
  if (training === null) throw new Error("nothing was trained yet");
  return training;
};

const trainer = {
  begin(setup: Setup, names: string, change?: Change): Begun {
    training = new Training(setup, names, change);
    return training.begun;
  },
  advance: (milliseconds: number): Progress => current().advance(milliseconds),
  completed: (): Completed | null => current().completed(),
  continueName: (begun: string, seed: number): Invented => current().continueName(begun, seed),
};

export type Trainer = typeof trainer;

expose(trainer);
