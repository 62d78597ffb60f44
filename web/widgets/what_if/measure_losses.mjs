/** Train with the change and the seeds that standard input gives as JSON, and print the held-out losses: for bench/. */

import { readFileSync } from "node:fs";
import { Training, whatIfSetup } from "../../dist/engine.mjs";

const { change, seeds } = JSON.parse(readFileSync(0, "utf8"));
const losses = seeds.map((seed) => {
  const { evaluations, diverged } = new Training(whatIfSetup(change, seed), "", change).trainFor(Infinity);
  return diverged ? null : evaluations.at(-1).heldOutLoss;
});
const roundNumbers = (_, value) => (typeof value === "number" ? Math.round(value * 1e5) / 1e5 : value);
console.log(JSON.stringify(losses, roundNumbers));
