/** Trains what standard input asks for, under Node, with what trains in a page. */

import { readFileSync } from "node:fs";
import { Training } from "../../web/dist/engine.mjs";

const { setup, names } = JSON.parse(readFileSync(0, "utf8"));
try {
  const training = new Training(setup, names);
  const { moments, broken } = training.advance(Infinity);
  const { losses, begun } = training;
  console.log(JSON.stringify({ begun, moments, losses, broken, names: training.finish(20) }));
} catch ({ message }) {
  console.log(JSON.stringify({ refused: message }));
}
