/** What happens at each stage of a pair, in words. */

import type { Matrices, Pair } from "../../engine/network.js";
import { significant } from "../../parts/numerals.js";

/** A name's pairs, and what they go through. */
export interface Flow {
  tokens: string[];
  stages: string[];
  matrices: Matrices;
  pairs: Pair[];
}

export const three = (value: number): string => significant(value, 3);

/** A token by its letter, or BOS. */
const called = (tokens: string[], token: number): string => {
  const name = tokens[token] as string;
  return name === "BOS" ? name : `“${name}”`;
};

function following(tokens: string[], { token, target }: Pair): string {
  const end = tokens.length - 1;
  if (token === end) return `The name begins with ${called(tokens, target)}.`;
  if (target === end) return `After ${called(tokens, token)} the name ends.`;
  return `After ${called(tokens, token)} comes ${called(tokens, target)}.`;
}

export function says({ tokens }: Flow, pair: Pair, stage: string): string {
  const { vectors, p, loss, token, target } = pair;
  const [after, comes] = [called(tokens, token), called(tokens, target)];
  const top = vectors.probabilities.indexOf(Math.max(...vectors.probabilities));
  const through = vectors.activated.filter((a) => a > 0).length;
  const shut = vectors.hidden.length - through;
  const others = top === target ? "" : `, ${comes} ${three(p)}`;
  const sentences: Record<string, string> = {
    start: `${following(tokens, pair)} The network sees ${after}, and has to guess what comes next.`,
    x: `Row ${token} of wte is looked up: the ${vectors.x.length} numbers that stand for ${after}.`,
    hidden: `Each of ${vectors.hidden.length} hidden units asks its own question of x: a dot product with its row of fc1.`,
    activated: `ReLU lets the ${through} numbers above 0 pass. The other ${shut} become 0.`,
    logits: `One more dot product for each token that could come next. The highest is ${three(Math.max(...vectors.logits))}, for ${called(tokens, top)}.`,
    probabilities: `Softmax turns the logits into probabilities, which add up to 1. ${called(tokens, top)} gets ${three(vectors.probabilities[top] as number)}${others}.`,
    loss: `${following(tokens, pair)} The network gave that ${three(p)}, so the loss, or surprise, is −ln ${three(p)} = ${three(loss)}.`,
    d_logits: `Now back: if a logit rose a little, how would the loss change? By its probability, less 1 for ${comes}: ${three(p)} − 1 = ${three(p - 1)}.`,
    d_activated:
      "Each activated number gets the sum of what it did to the logits: slope × weight, over its column of fc2.",
    d_hidden: `ReLU is a gate on the way back, too: the ${shut} units that became 0 pass nothing on.`,
    d_x: `Through fc1 in the same way: each number of x gets a sum of ${vectors.hidden.length} products, slope × weight.`,
    end: "Each weight now has its slope: what came back, times what had gone in. A small step against all slopes makes this loss smaller.",
  };
  return sentences[stage] as string;
}
