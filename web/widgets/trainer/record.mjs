/** Trains the runs that pages show before a reader trains, all or those named, and prints them, and weights that pages need. */

import { doubled, rateFor, setupOf, Training } from "../../dist/engine.mjs";

const RUNS = {
  counts: { rung: "counts", seen: 1000 },
  "counts-end": { rung: "counts", seen: 100000 },
  network: { rung: "network", seen: 1000 },
  one: { rung: "one", seen: 1000 },
  four: { rung: "four", seen: 1000 },
  "four-sgd": { rung: "four", seen: 1000, optimizer: "SGD" },
  "network-end": { rung: "network", seen: 100000 },
  "positions-end": { rung: "positions", seen: 100000 },
  "average-end": { rung: "average", seen: 100000 },
  "one-end": { rung: "one", seen: 100000 },
  "four-end": { rung: "four", seen: 100000 },
  "adam-30k": { rung: "four", seen: 30000 },
  "sgd-30k": { rung: "four", seen: 30000, optimizer: "SGD" },
  "doubled-one-30k": { rung: "one", seen: 30000, doubled: true },
  "doubled-four-30k": { rung: "four", seen: 30000, doubled: true },
  "doubled-two-30k": { rung: "four", seen: 30000, layers: 2, doubled: true },
  "doubled-sgd-30k": { rung: "four", seen: 30000, layers: 2, optimizer: "SGD", rate: 3, doubled: true },
  zeroed: { rung: "network", seen: 1000, rate: 0.3 },
  unzeroed: { rung: "network", seen: 1000, rate: 0.3, off: ["zeroing"] },
};
const asked = process.argv.slice(2);
const rounded = (digits) => (_, value) => (typeof value === "number" ? Number(value.toPrecision(digits)) : value);
const runs = {};
const weights = {};
for (const [key, { rung, seen, doubled: other, ...changes }] of Object.entries(RUNS)) {
  if (asked.length > 0 && !asked.includes(key)) continue;
  const changed = { ...setupOf(rung, seen), ...changes };
  const training = new Training({ ...changed, rate: changes.rate ?? rateFor(changed) }, other ? doubled() : "");
  const { moments, broken } = training.advance(Infinity);
  runs[key] = { begun: training.begun, moments, broken, ...(other && { doubled: true }) };
  if (key === "one-end" || key === "four-end") weights[key] = training.matrices();
}
console.log(`{"runs":${JSON.stringify(runs, rounded(6))},"weights":${JSON.stringify(weights, rounded(5))}}`);
