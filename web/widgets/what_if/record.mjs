/** Trains what standard input asks for, with what trains in the page; bench/what_if.py calls it. */

import { readFileSync } from "node:fs";
import { changedSetup, Training } from "../../dist/engine.mjs";

const { change, seeds } = JSON.parse(readFileSync(0, "utf8"));
const losses = seeds.map((seed) => {
  const { moments, broken } = new Training(changedSetup(change, seed), "", change).advance(Infinity);
  return broken ? null : moments.at(-1).heldOut;
});
const rounded = (_, value) => (typeof value === "number" ? Math.round(value * 1e5) / 1e5 : value);
console.log(JSON.stringify(losses, rounded));
