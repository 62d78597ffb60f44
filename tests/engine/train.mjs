/** Trains what standard input asks for, under Node, with what trains in a page. */

import { readFileSync } from "node:fs";
import { Training } from "../../web/dist/training.mjs";

const { setup, names = "", file = "", stop = Infinity } = JSON.parse(readFileSync(0, "utf8"));
try {
  const training = file ? await Training.open(file, names) : new Training(setup, names);
  const moments = file ? [training.now()] : [];
  let part = { done: false, broken: false };
  while (!part.done && !part.broken && training.losses.length < stop) {
    part = training.advance(stop === Infinity ? 1000 : 0.5);
    moments.push(...part.moments);
  }
  const { losses, begun } = training;
  const saved = await training.save().catch(({ message }) => message);
  const name = begun.shapes.length > 0 ? [...begun.characters].slice(0, 3).join("") : "";
  const attention = name ? training.attention(moments.at(-1).index, name).layers : [];
  console.log(JSON.stringify({ begun, moments, losses, saved, attention, broken: part.broken, names: training.finish(20) }));
} catch ({ message }) {
  console.log(JSON.stringify({ refused: message }));
}
