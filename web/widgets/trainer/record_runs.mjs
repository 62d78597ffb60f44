/** Train the runs that pages show before a reader trains, all or those named; print them, and the weights that pages need. */

import { defaultLearningRate, ladderSetup, Training } from "../../dist/engine.mjs";

const RUNS = {
  counts: { model: "counts", namesToSee: 1000 },
  "counts-end": { model: "counts", namesToSee: 100000 },
  network: { model: "network", namesToSee: 1000 },
  one: { model: "one", namesToSee: 1000 },
  four: { model: "four", namesToSee: 1000 },
  "four-sgd": { model: "four", namesToSee: 1000, optimizer: "SGD" },
  "network-end": { model: "network", namesToSee: 100000 },
  "positions-end": { model: "positions", namesToSee: 100000 },
  "average-end": { model: "average", namesToSee: 100000 },
  "one-end": { model: "one", namesToSee: 100000 },
  "four-end": { model: "four", namesToSee: 100000 },
  "adam-30k": { model: "four", namesToSee: 30000 },
  "sgd-30k": { model: "four", namesToSee: 30000, optimizer: "SGD", learningRate: 0.01 },
  "doubled-one-30k": { model: "one", namesToSee: 30000, dataset: "doubled" },
  "doubled-four-30k": { model: "four", namesToSee: 30000, dataset: "doubled" },
  "doubled-two-30k": { model: "four", namesToSee: 30000, layers: 2, dataset: "doubled" },
  "doubled-sgd-30k": {
    model: "four",
    namesToSee: 30000,
    layers: 2,
    optimizer: "SGD",
    learningRate: 3,
    dataset: "doubled",
  },
  "sentences-one-30k": { model: "one", namesToSee: 30000, dataset: "sentences" },
  "sentences-average-30k": { model: "average", namesToSee: 30000, dataset: "sentences" },
  "sentences-positions-30k": { model: "positions", namesToSee: 30000, dataset: "sentences" },
  "openings-one-end": { model: "one", namesToSee: 100000, dataset: "openings" },
  "openings-average-end": { model: "average", namesToSee: 100000, dataset: "openings" },
  "openings-four-end": { model: "four", namesToSee: 100000, dataset: "openings" },
  zeroed: { model: "network", namesToSee: 1000, learningRate: 0.3 },
  unzeroed: { model: "network", namesToSee: 1000, learningRate: 0.3, disabledParts: ["zeroing"] },
};
const RUNS_WITH_WEIGHTS = ["one-end", "four-end", "doubled-two-30k", "sentences-one-30k", "openings-four-end"];
const requestedRuns = process.argv.slice(2);
const roundNumbers = (digits) => (_, value) => (typeof value === "number" ? Number(value.toPrecision(digits)) : value);
const runs = {};
const weights = {};
for (const [key, { model, namesToSee, ...changes }] of Object.entries(RUNS)) {
  if (requestedRuns.length > 0 && !requestedRuns.includes(key)) continue;
  const setup = { ...ladderSetup(model, namesToSee), ...changes };
  const training = new Training({ ...setup, learningRate: changes.learningRate ?? defaultLearningRate(setup) });
  const { evaluations, diverged } = training.trainFor(Infinity);
  runs[key] = { facts: training.facts, evaluations, diverged };
  if (RUNS_WITH_WEIGHTS.includes(key)) weights[key] = training.matrices();
}
console.log(`{"runs":${JSON.stringify(runs, roundNumbers(6))},"weights":${JSON.stringify(weights, roundNumbers(5))}}`);
