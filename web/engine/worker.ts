/** The worker in which a page trains: nothing that is learnt ever makes the page wait. */

import { expose } from "comlink";
import type { Setup } from "./setup.js";
import { type Begun, type Completed, type Invented, type Part, Training } from "./training.js";
import { type Change, Experiment, type Progress } from "./what_if.js";

let training: Training | null = null;
let experiment: Experiment;

const current = (): Training => {
  if (training === null) throw new Error("nothing was trained yet");
  return training;
};

const trainer = {
  begin(setup: Setup, names: string): Begun {
    training = new Training(setup, names);
    return training.begun;
  },
  advance: (milliseconds: number): Part => current().advance(milliseconds),
  finish: (count: number): string[] => current().finish(count),
  completed: (): Completed | null => current().completed(),
  continueName: (begun: string, seed: number): Invented => current().continueName(begun, seed),
  attention: (index: number, name: string) => current().attention(index, name),
  tryOut(change: Change, seed: number): void {
    experiment = new Experiment(change, seed);
  },
  tryOn: (milliseconds: number): Progress => experiment.advance(milliseconds),
};

export type Trainer = typeof trainer;

expose(trainer);
