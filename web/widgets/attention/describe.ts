/** What an attention picture says in a sentence. */

import type { Vector } from "../../engine/vectors.js";
import { joinWithAnd } from "../../parts/format.js";

/** From this part of all tokens on, what is listened to in effect is about all of them. */
const ALIKE = 0.93;

const ORDER = ["first", "second", "third", "fourth"];

/** A token by its name, and which it is where there are several. */
export function called(tokens: string[], index: number): string {
  const token = tokens[index] as string;
  if (index === 0) return "the start";
  const alike = [...tokens.keys()].filter((other) => tokens[other] === token);
  const place = alike.indexOf(index);
  if (alike.length === 1) return `the ${token}`;
  return `the ${place === alike.length - 1 ? "last" : (ORDER[place] ?? `${place + 1}th`)} ${token}`;
}

const whole = (weight: number): string => `${Math.round(100 * weight)}%`;

/** Whom a token listens to: the most, and whoever comes near. */
export function saying(tokens: string[], weights: Vector): string {
  const asks = weights.length - 1;
  const who = called(tokens, asks).replace(/^t/, "T") + (asks === 0 ? "" : ` of ${tokens.slice(1).join("")}`);
  if (asks === 0) return `${who} has only itself to listen to.`;
  const [least, most] = [Math.min(...weights), Math.max(...weights)];
  const entropy = weights.reduce((sum, weight) => sum - (weight > 0 ? weight * Math.log(weight) : 0), 0);
  if (Math.exp(entropy) > ALIKE * weights.length)
    return `${who} listens to all ${weights.length} about equally: each gets ${whole(least)} to ${whole(most)}.`;
  const told = [...weights.keys()]
    .filter((index) => (weights[index] as number) > 0.5 * most)
    .sort((a, b) => (weights[b] as number) - (weights[a] as number))
    .slice(0, 3)
    .map((index) => `to ${index === asks ? "itself" : called(tokens, index)} (${whole(weights[index] as number)})`);
  return `${who} listens mostly ${joinWithAnd(told)}.`;
}
