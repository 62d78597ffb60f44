/** The Web Worker in which a page trains a model, so that the page stays responsive. */

import { expose } from "comlink";
import { Training } from "./training.js";
import type { TrainingChange } from "./training_change.js";
import type { TrainingSetup } from "./training_setup.js";

let training: Training | null = null;

const startedTraining = (): Training => {
  if (training === null) throw new Error("expected a training run, and none has started: call start() first");
  return training;
};

/** What the page can call, through Comlink; the methods are those of `Training`. */
const workerApi = {
  start(setup: TrainingSetup, names: string, change?: TrainingChange) {
    training = new Training(setup, names, change);
    return training.facts;
  },
  trainFor: (milliseconds: number) => startedTraining().trainFor(milliseconds),
  savableModel: () => startedTraining().savableModel(),
  continueName: (prefix: string, seed: number) => startedTraining().continueName(prefix, seed),
};

export type TrainingWorker = typeof workerApi;

expose(workerApi);
