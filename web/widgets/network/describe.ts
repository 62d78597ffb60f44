/** What happens at each stage of a pair, and how each number of it is made, in words. */

import type { Matrices, PairTrace, VectorName } from "../../engine/network.js";
import { formatSignificant } from "../../parts/format.js";

/** A name's pairs, and what they go through. */
export interface Flow {
  tokens: string[];
  stages: string[];
  matrices: Matrices;
  pairs: PairTrace[];
}

export type Cell = [vector: VectorName, index: number];

/** What each vector is made of: one that it copies number by number, or one and the matrix between them. */
const SOURCES: Partial<Record<VectorName, [from: VectorName, matrix?: string]>> = {
  hidden: ["x", "fc1"],
  activated: ["hidden"],
  logits: ["activated", "fc2"],
  probabilities: ["logits"],
  d_activated: ["d_logits", "fc2"],
  d_hidden: ["d_activated"],
  d_x: ["d_hidden", "fc1"],
};

export const three = (value: number): string => formatSignificant(value, 3);

/** A token by its letter, or BOS. */
const called = (tokens: string[], token: number): string => {
  const name = tokens[token] as string;
  return name === "BOS" ? name : `“${name}”`;
};

/** The cell that a number copies, or that has most say in it: its product with the weight between them is the largest. */
export function sourceOf({ matrices }: Flow, { vectors }: PairTrace, [name, index]: Cell): Cell | null {
  const [from, matrix] = SOURCES[name] ?? [];
  if (!from || vectors[name][index] === 0) return null;
  if (!matrix) return [from, index];
  const rows = matrices[matrix] as number[][];
  const sizes = vectors[from].map((value, other) => {
    const [row, column] = name.startsWith("d_") ? [other, index] : [index, other];
    return Math.abs(value * (rows[row]?.[column] as number));
  });
  return [from, sizes.indexOf(Math.max(...sizes))];
}

/** What a cell is called; a token by its letter. */
export function nameOf({ tokens }: Flow, [name, index]: Cell): string {
  const token = tokens[index];
  if (name === "logits") return `logit of ${token}`;
  if (name === "probabilities") return `probability of ${token}`;
  return name === "d_logits" ? `d_logit of ${token}` : `${name}[${index}]`;
}

/** How a number is made. */
export function madeOf(flow: Flow, pair: PairTrace, cell: Cell): string {
  const [name, index] = cell;
  const [{ tokens }, { token }] = [flow, pair];
  const source = sourceOf(flow, pair, cell);
  const most = source ? ` Most say in it has ${nameOf(flow, source)}.` : "";
  const sentences: Record<VectorName, string> = {
    x: `This is wte[${token}][${index}], a parameter, looked up for ${tokens[token]}.`,
    hidden: `The dot product of x with row ${index} of fc1.${most}`,
    activated: `hidden[${index}] is ${source ? "above 0, so ReLU lets it pass" : "not above 0, so ReLU makes it 0"}.`,
    logits: `The dot product of activated with row ${index} of fc2.${most}`,
    probabilities: "Softmax compares its logit with all the others.",
    d_logits:
      index === pair.target
        ? `${tokens[index]} is what comes next, so its slope is the probability less 1.`
        : "The slope of the loss in a logit is its probability.",
    d_activated: `The dot product of d_logits with column ${index} of fc2.${most}`,
    d_hidden: source
      ? "The gate of ReLU is open: the slope passes as it is."
      : `hidden[${index}] is not above 0: the gate is shut, and no slope passes.`,
    d_x: `The dot product of d_hidden with column ${index} of fc1. It is also the slope of wte[${token}][${index}].${most}`,
  };
  return `${nameOf(flow, cell)} = ${three(pair.vectors[name][index] as number)}. ${sentences[name]}`;
}

function following(tokens: string[], { token, target }: PairTrace): string {
  const end = tokens.length - 1;
  if (token === end) return `The name begins with ${called(tokens, target)}.`;
  if (target === end) return `After ${called(tokens, token)} the name ends.`;
  return `After ${called(tokens, token)} comes ${called(tokens, target)}.`;
}

export function says({ tokens }: Flow, pair: PairTrace, stage: string): string {
  const { vectors, probability, loss, token, target } = pair;
  const [after, comes] = [called(tokens, token), called(tokens, target)];
  const top = vectors.probabilities.indexOf(Math.max(...vectors.probabilities));
  const through = vectors.activated.filter((a) => a > 0).length;
  const shut = vectors.hidden.length - through;
  const others = top === target ? "" : `, ${comes} ${three(probability)}`;
  const sentences: Record<string, string> = {
    start: `${following(tokens, pair)} The network sees ${after}, and has to guess what comes next.`,
    x: `Row ${token} of wte is looked up: the ${vectors.x.length} numbers that stand for ${after}.`,
    hidden: `Each of ${vectors.hidden.length} hidden units asks its own question of x: a dot product with its row of fc1.`,
    activated: `ReLU lets the ${through} numbers above 0 pass. The other ${shut} become 0.`,
    logits: `One more dot product for each token that could come next. The highest is ${three(Math.max(...vectors.logits))}, for ${called(tokens, top)}.`,
    probabilities: `Softmax turns the logits into probabilities, which add up to 1. ${called(tokens, top)} gets ${three(vectors.probabilities[top] as number)}${others}.`,
    loss: `${following(tokens, pair)} The network gave that ${three(probability)}, so the loss, or surprise, is −ln ${three(probability)} = ${three(loss)}.`,
    d_logits: `Now back: if a logit rose a little, how would the loss change? By its probability, less 1 for ${comes}: ${three(probability)} − 1 = ${three(probability - 1)}.`,
    d_activated:
      "Each activated number gets the sum of what it did to the logits: slope × weight, over its column of fc2.",
    d_hidden: `ReLU is a gate on the way back, too: the ${shut} units that became 0 pass nothing on.`,
    d_x: `Through fc1 in the same way: each number of x gets a sum of ${vectors.hidden.length} products, slope × weight.`,
    end: "Each weight now has its slope: what came back, times what had gone in. A small step against all slopes makes this loss smaller.",
  };
  return sentences[stage] as string;
}
