/** Trains the runs that pages show before a reader trains, all or those named after the file; snippets/records calls it. */

import { doubled, rateFor, setupOf, Training } from "../../dist/engine.mjs";
import { others, write } from "./write.mjs";

const at = (file) => new URL(file, import.meta.url);
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
const [name = "recorded.json", ...asked] = process.argv.slice(2);
const file = at(name);
const recorded = {};
for (const [key, { rung, seen, doubled: other, ...changes }] of Object.entries(RUNS)) {
  if (asked.length > 0 && !asked.includes(key)) continue;
  const changed = { ...setupOf(rung, seen), ...changes };
  const setup = { ...changed, rate: changes.rate ?? rateFor(changed) };
  const text = other ? doubled() : "";
  const training = new Training(setup, text);
  const { moments, broken } = training.advance(Infinity);
  recorded[key] = { begun: training.begun, moments, broken, ...(other && { doubled: true }) };
  if (name === "recorded.json" && (key === "one-end" || key === "four-end")) {
    const digits = (_, value) => (typeof value === "number" ? Number(value.toPrecision(5)) : value);
    const text = JSON.stringify(training.matrices(), digits);
    await write(at(`../../../docs/data/${key}-weights.json`), `${text}\n`);
  }
}
const rounded = (_, value) => (typeof value === "number" ? Number(value.toPrecision(6)) : value);
await write(file, `${JSON.stringify({ ...(await others(file, asked)), ...recorded }, rounded)}\n`);
