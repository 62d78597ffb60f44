/** Measures which models learn to say a name twice, and how soon, over ten seeds each; prints docs/data/doubled.json. */

import { generateDoubledNames, ladderSetup, Training } from "../../dist/engine.mjs";

const SEEDS = 10;
/** Steps between two looks. */
const APART = 50;
const without = (...off) => ({ layers: 2, off });
/** Each model, and the rates that are tried; the best of them is told. */
const ADAM = [0.01, 0.02, 0.03];
const MODELS = {
  "one layer, one head": [ADAM, { heads: 1 }],
  "one layer": [ADAM, {}],
  "one wider layer": [ADAM, { width: 24 }],
  "two layers, one head": [ADAM, { layers: 2, heads: 1 }],
  "two layers": [ADAM, { layers: 2 }],
  ...Object.fromEntries(
    ["mlp", "root", "norm", "queries", "positions", "residual"].map((part) => [
      `without ${part}`,
      [ADAM, without(part)],
    ]),
  ),
  SGD: [[1, 2, 3], { layers: 2, optimizer: "SGD" }],
  "SGD, longer": [[1], { layers: 2, optimizer: "SGD", seen: 100_000 }],
};
const text = generateDoubledNames();

/** Of a hundred names that a model invents, how many are something said twice. */
const rightOf = (training) =>
  training
    .sampleAfterTraining(100)
    .filter((name) => name.length >= 6 && name === name.slice(0, name.length / 2).repeat(2)).length;

/** What a run of that seed gets right, from the first step to the last, and its held-out loss. */
function learn(changes, seed) {
  const training = new Training({ ...ladderSetup("four", 30_000), ...changes, seed }, text);
  const steps = Math.ceil(training.setup.seen / training.setup.batch);
  const right = [];
  for (let step = 0; step < steps; step++) {
    if (step % APART === 0) right.push(rightOf(training));
    if (!Number.isFinite(training.takeStep())) return { right: [...right, 0], heldOut: null };
  }
  const { heldOutLoss } = training.trainFor(1).evaluations[0];
  return { right: [...right, rightOf(training)], heldOut: Number(heldOutLoss.toPrecision(6)) };
}

const mean = (runs) => runs.reduce((sum, { heldOut }) => sum + (heldOut ?? Number.POSITIVE_INFINITY), 0) / runs.length;

const asked = process.argv.slice(2);
const found = {};
for (const [model, [rates, changes]] of Object.entries(MODELS)) {
  if (asked.length > 0 && !asked.includes(model)) continue;
  const tried = rates.map((rate) => ({
    rate,
    runs: Array.from({ length: SEEDS }, (_, i) => learn({ ...changes, rate }, i + 1)),
  }));
  found[model] = tried.reduce((best, each) => (mean(each.runs) < mean(best.runs) ? each : best));
}
console.log(JSON.stringify(found));
