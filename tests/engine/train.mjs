/** Trains what standard input asks for, under Node, with what trains in a page. */

import { readFileSync } from "node:fs";
import { Training } from "../../web/dist/engine.mjs";

const { setup, names } = JSON.parse(readFileSync(0, "utf8"));
try {
  const training = new Training(setup, names);
  const { evaluations, diverged } = training.trainFor(Infinity);
  const { losses, facts } = training;
  console.log(JSON.stringify({ facts, evaluations, losses, diverged, names: training.sampleAfterTraining(20) }));
} catch ({ message }) {
  console.log(JSON.stringify({ refused: message }));
}
