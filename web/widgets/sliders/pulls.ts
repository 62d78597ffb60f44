/** A game of pulls: what was pressed, and where that has taken the logits. */

import { softmax } from "../../engine/trace.js";
import { fixed } from "../../parts/numerals.js";

export interface Game {
  logits: number[];
  /** The tokens that the reader pressed. */
  presses: number[];
  /** The probabilities that the last pull found. */
  found: number[] | null;
  /** All presses were just repeated. */
  repeated: boolean;
}

/** At this distance from its share of the presses, a probability has arrived. */
const NEAR = 0.05;

export const whole = (p: number): string => (p > 0 && p < 0.005 ? "<1%" : `${Math.round(100 * p)}%`);
export const quoted = (token: string | undefined): string => (token === "BOS" ? "BOS" : `“${token}”`);

/** Up by what the target lacks, down by what the others took. */
export const pullsOf = (p: number[], target: number): number[] =>
  p.map((each, token) => Number(token === target) - each);

/** The game after a pull for each of these targets. */
export function play(game: Game, targets: number[], rate: number): Game {
  let { logits, found } = game;
  for (const target of targets) {
    found = softmax(logits);
    const pulls = pullsOf(found, target);
    logits = logits.map((logit, token) => logit + rate * (pulls[token] as number));
  }
  return { ...game, logits, found };
}

/** The share of each token in what was pressed, the largest first. */
export function sharesOf(presses: number[]): [token: number, share: number][] {
  const share = (token: number): number => presses.filter((each) => each === token).length / presses.length;
  return [...new Set(presses)].map((token): [number, number] => [token, share(token)]).sort((a, b) => b[1] - a[1]);
}

export function verdict({ presses, found, repeated, logits }: Game, tokens: string[]): string {
  const target = presses.at(-1);
  if (target === undefined || found === null) return "All 27 are level. Press the letter that really came next.";
  if (repeated) {
    const now = softmax(logits);
    const shares = sharesOf(presses);
    const others = shares.reduce((left, [token]) => left - (now[token] as number), 1);
    if (shares.every(([token, share]) => Math.abs((now[token] as number) - share) < NEAR))
      return "Each bar has found its mark. Nobody counted your presses, and yet the pulls did.";
    return others > NEAR
      ? "They’re creeping up on their marks. Another hundred rounds?"
      : "Each pull still undoes a good part of the last. Try a smaller rate.";
  }
  const p = found[target] as number;
  const [name, lacks] = [quoted(tokens[target]), fixed(1 - p, 2)];
  const leader = found.indexOf(Math.max(...found));
  if (p > 0.9) return `${name} had ${whole(p)} already: hardly a tug, ${lacks}.`;
  if (target !== leader && (found[leader] as number) > 0.4)
    return `A surprise: ${name} had only ${whole(p)}. It’s pulled up by ${lacks}, and ${quoted(tokens[leader])} pays for it.`;
  if (p > 0.3) return `${name} had ${whole(p)}, so the rope slackens: pulled up by only ${lacks}.`;
  return `${name} had ${whole(p)}: it’s pulled up hard, by ${lacks}.`;
}
