/** Measure which models learn to write a name twice, and how soon, over ten seeds each; print docs/data/doubled.json. */

import { generateDoubledNames, ladderSetup, Training } from "../../dist/engine.mjs";

const SEED_COUNT = 10;
/** Steps between two evaluations. */
const EVALUATION_INTERVAL = 50;
const ADAM_RATES = [0.01, 0.02, 0.03];
/** The parts that a model of two layers learns without, by their keys in the record. */
const PART_KEYS = ["mlp", "root", "norm", "queries", "positions", "residual"];
const setupWithout = (key) => ({ layers: 2, disabledParts: [key.replace("root", "scoreScaling")] });
/** Each model with the learning rates to try, of which the best is recorded, and its changes to the set-up. */
const MODELS = {
  "one layer, one head": [ADAM_RATES, { heads: 1 }],
  "one layer": [ADAM_RATES, {}],
  "one wider layer": [ADAM_RATES, { width: 24 }],
  "two layers, one head": [ADAM_RATES, { layers: 2, heads: 1 }],
  "two layers": [ADAM_RATES, { layers: 2 }],
  ...Object.fromEntries(PART_KEYS.map((key) => [`without ${key}`, [ADAM_RATES, setupWithout(key)]])),
  SGD: [[1, 2, 3], { layers: 2, optimizer: "SGD" }],
  "SGD, longer": [[1], { layers: 2, optimizer: "SGD", namesToSee: 100_000 }],
};
const text = generateDoubledNames();

/** Return how many of a hundred sampled names are something written twice. */
const countDoubledNames = (training) =>
  training
    .sampleAfterTraining(100)
    .filter((name) => name.length >= 6 && name === name.slice(0, name.length / 2).repeat(2)).length;

/** Train with a seed; return the counts of doubled names from the first step to the last, and the held-out loss. */
function train(changes, seed) {
  const training = new Training({ ...ladderSetup("four", 30_000), ...changes, seed }, text);
  const steps = Math.ceil(training.setup.namesToSee / training.setup.batchSize);
  const right = [];
  for (let step = 0; step < steps; step++) {
    if (step % EVALUATION_INTERVAL === 0) right.push(countDoubledNames(training));
    if (!Number.isFinite(training.takeStep())) return { right: [...right, 0], heldOut: null };
  }
  const { heldOutLoss } = training.trainFor(1).evaluations[0];
  return { right: [...right, countDoubledNames(training)], heldOut: Number(heldOutLoss.toPrecision(6)) };
}

const meanHeldOutLoss = (runs) =>
  runs.reduce((sum, { heldOut }) => sum + (heldOut ?? Number.POSITIVE_INFINITY), 0) / runs.length;

const requestedModels = process.argv.slice(2);
const results = {};
for (const [model, [rates, changes]] of Object.entries(MODELS)) {
  if (requestedModels.length > 0 && !requestedModels.includes(model)) continue;
  const candidates = rates.map((rate) => ({
    rate,
    runs: Array.from({ length: SEED_COUNT }, (_, i) => train({ ...changes, learningRate: rate }, i + 1)),
  }));
  results[model] = candidates.reduce((best, each) =>
    meanHeldOutLoss(each.runs) < meanHeldOutLoss(best.runs) ? each : best,
  );
}
console.log(JSON.stringify(results));
