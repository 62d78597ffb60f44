/** Trains what standard input asks for, with what trains in the page; bench/what_if.py calls it. */

import { readFileSync } from "node:fs";
import { Training, whatIfSetup } from "../../dist/engine.mjs";

const { change, seeds } = JSON.parse(readFileSync(0, "utf8"));
const losses = seeds.map((seed) => {
  const { evaluations, diverged } = new Training(whatIfSetup(change, seed), "", change).trainFor(Infinity);
  return diverged ? null : evaluations.at(-1).heldOutLoss;
});
const rounded = (_, value) => (typeof value === "number" ? Math.round(value * 1e5) / 1e5 : value);
console.log(JSON.stringify(losses, rounded));
