/** Trains the runs that pages show before a reader trains: `uv run poe record-trainer`. */

import { readFile, writeFile } from "node:fs/promises";
import { rateFor, setupOf, Training } from "../../dist/training.mjs";

const at = (file) => new URL(file, import.meta.url);
const runs = JSON.parse(await readFile(at("runs.json"), "utf8"));
const recorded = {};
for (const [key, { rung, seen, ...changes }] of Object.entries(runs)) {
  const changed = { ...setupOf(rung, seen), ...changes };
  const setup = { ...changed, rate: changes.rate ?? rateFor(changed) };
  const training = new Training(setup);
  const { moments, broken } = training.advance(Infinity);
  recorded[key] = { begun: training.begun, moments, broken };
}
const rounded = (_, value) => (typeof value === "number" ? Number(value.toPrecision(6)) : value);
await writeFile(at(process.argv[2] ?? "recorded.json"), `${JSON.stringify(recorded, rounded)}\n`);
