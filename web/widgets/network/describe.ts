/** Sentences that describe what happens to a pair at each stage, and how each number is computed. */

import type { Matrices, PairTrace, VectorName } from "../../engine/network.js";
import { formatSignificant } from "../../parts/format.js";

/** A stage of the player: a vector that is computed, or the start, the loss or the end of the way back. */
type Stage = VectorName | "start" | "loss" | "end";

/** The pairs of a name, and the stages and matrices that they go through. */
export interface NetworkFlow {
  tokens: string[];
  stages: Stage[];
  matrices: Matrices;
  pairs: PairTrace[];
}

/** A number of a vector, by its index. */
export type VectorCell = [vector: VectorName, index: number];

/** The vector that each vector is computed from, and the matrix between them if there is one. */
const VECTOR_SOURCES: Partial<Record<VectorName, [from: VectorName, matrix?: string]>> = {
  hidden: ["x", "fc1"],
  activated: ["hidden"],
  logits: ["activated", "fc2"],
  probabilities: ["logits"],
  d_activated: ["d_logits", "fc2"],
  d_hidden: ["d_activated"],
  d_x: ["d_hidden", "fc1"],
};

/** Format a number with three significant digits. */
export const formatThreeDigits = (value: number): string => formatSignificant(value, 3);

/** Return what sentences call a token: its letter in quotation marks, or BOS. */
const quoteToken = (tokens: string[], token: number): string =>
  tokens[token] === "BOS" ? "BOS" : `“${tokens[token]}”`;

/** Return the cell that contributes most to a number: the one with the largest product of value and weight. */
export function topSource(flow: NetworkFlow, { vectors }: PairTrace, [name, index]: VectorCell): VectorCell | null {
  const [from, matrix] = VECTOR_SOURCES[name] ?? [];
  if (!from || vectors[name][index] === 0) return null;
  if (!matrix) return [from, index];
  const rows = flow.matrices[matrix] as number[][];
  const contributions = vectors[from].map((value, other) => {
    const [row, column] = name.startsWith("d_") ? [other, index] : [index, other];
    return Math.abs(value * (rows[row]?.[column] as number));
  });
  return [from, contributions.indexOf(Math.max(...contributions))];
}

/** Return what a cell is called: hidden[3], logit of e. */
export function cellName({ tokens }: NetworkFlow, [name, index]: VectorCell): string {
  const token = tokens[index];
  if (name === "logits") return `logit of ${token}`;
  if (name === "probabilities") return `probability of ${token}`;
  return name === "d_logits" ? `d_logit of ${token}` : `${name}[${index}]`;
}

/** Describe in a sentence how a number is computed. */
export function describeCell(flow: NetworkFlow, pair: PairTrace, cell: VectorCell): string {
  const [name, index] = cell;
  const [{ tokens }, { token }] = [flow, pair];
  const source = topSource(flow, pair, cell);
  const sourceSentence = source ? ` Most say in it has ${cellName(flow, source)}.` : "";
  const sentences: Record<VectorName, string> = {
    x: `This is wte[${token}][${index}], a parameter, looked up for ${tokens[token]}.`,
    hidden: `The dot product of x with row ${index} of fc1.${sourceSentence}`,
    activated: `hidden[${index}] is ${source ? "above 0, so ReLU lets it pass" : "not above 0, so ReLU makes it 0"}.`,
    logits: `The dot product of activated with row ${index} of fc2.${sourceSentence}`,
    probabilities: "Softmax compares its logit with all the others.",
    d_logits:
      index === pair.target
        ? `${tokens[index]} is what comes next, so its slope is the probability less 1.`
        : "The slope of the loss in a logit is its probability.",
    d_activated: `The dot product of d_logits with column ${index} of fc2.${sourceSentence}`,
    d_hidden: source
      ? "The gate of ReLU is open: the slope passes as it is."
      : `hidden[${index}] is not above 0: the gate is shut, and no slope passes.`,
    d_x: `The dot product of d_hidden with column ${index} of fc1. It is also the slope of wte[${token}][${index}].${sourceSentence}`,
  };
  return `${cellName(flow, cell)} = ${formatThreeDigits(pair.vectors[name][index] as number)}. ${sentences[name]}`;
}

function describePair(tokens: string[], { token, target }: PairTrace): string {
  const end = tokens.length - 1;
  if (token === end) return `The name begins with ${quoteToken(tokens, target)}.`;
  if (target === end) return `After ${quoteToken(tokens, token)} the name ends.`;
  return `After ${quoteToken(tokens, token)} comes ${quoteToken(tokens, target)}.`;
}

/** Describe in a sentence what happens to a pair at a stage. */
export function describeStage(tokens: string[], pair: PairTrace, stage: Stage): string {
  const { vectors, probability, loss, token, target } = pair;
  const [tokenName, targetName] = [quoteToken(tokens, token), quoteToken(tokens, target)];
  const likeliest = vectors.probabilities.indexOf(Math.max(...vectors.probabilities));
  const openCount = vectors.activated.filter((a) => a > 0).length;
  const shutCount = vectors.hidden.length - openCount;
  const targetPart = likeliest === target ? "" : `, ${targetName} ${formatThreeDigits(probability)}`;
  const sentences: Record<Stage, string> = {
    start: `${describePair(tokens, pair)} The network sees ${tokenName}, and has to guess what comes next.`,
    x: `Row ${token} of wte is looked up: the ${vectors.x.length} numbers that stand for ${tokenName}.`,
    hidden: `Each of ${vectors.hidden.length} hidden units asks its own question of x: a dot product with its row of fc1.`,
    activated: `ReLU lets the ${openCount} numbers above 0 pass. The other ${shutCount} become 0.`,
    logits: `One more dot product for each token that could come next. The highest is ${formatThreeDigits(Math.max(...vectors.logits))}, for ${quoteToken(tokens, likeliest)}.`,
    probabilities: `Softmax turns the logits into probabilities, which add up to 1. ${quoteToken(tokens, likeliest)} gets ${formatThreeDigits(vectors.probabilities[likeliest] as number)}${targetPart}.`,
    loss: `${describePair(tokens, pair)} The network gave that ${formatThreeDigits(probability)}, so the loss, or surprise, is −ln ${formatThreeDigits(probability)} = ${formatThreeDigits(loss)}.`,
    d_logits: `Now back: if a logit rose a little, how would the loss change? By its probability, less 1 for ${targetName}: ${formatThreeDigits(probability)} − 1 = ${formatThreeDigits(probability - 1)}.`,
    d_activated:
      "Each activated number gets the sum of what it did to the logits: slope × weight, over its column of fc2.",
    d_hidden: `ReLU is a gate on the way back, too: the ${shutCount} units that became 0 pass nothing on.`,
    d_x: `Through fc1 in the same way: each number of x gets a sum of ${vectors.hidden.length} products, slope × weight.`,
    end: "Each weight now has its slope: what came back, times what had gone in. A small step against all slopes makes this loss smaller.",
  };
  return sentences[stage];
}
