/** What a number of the flow is made of, in words and in its largest terms. */

import { type Pair, VECTORS, type VectorName } from "../../engine/network.js";
import { type Flow, three } from "./says.js";

export type Cell = [vector: VectorName, index: number];

/** The row of the picture in which a vector stands, from the top. */
export const rowOf = (vector: VectorName): number =>
  VECTORS.findIndex((name) => name === vector || `d_${name}` === vector);

interface Term {
  /** The cell that it comes from, or goes to. */
  cell: Cell;
  name: string;
  /** The product, written out. */
  text: string;
  size: number;
}

interface Detail {
  title: string;
  says: string;
  terms: Term[];
}

/** How many terms of a number are listed. */
const LISTED = 5;

/** What a cell is called; a token by its letter. */
export function nameOf({ tokens }: Flow, [name, index]: Cell): string {
  const token = tokens[index];
  if (name === "logits") return `logit of ${token}`;
  if (name === "probabilities") return `probability of ${token}`;
  return name === "d_logits" ? `d_logit of ${token}` : `${name}[${index}]`;
}

/** The terms of a sum of products, the largest first; a matrix is met along a row or a column. */
export function products(flow: Flow, pair: Pair, [name, index]: Cell, count = LISTED): Term[] {
  const [from, matrix, along] = (
    {
      x: ["hidden", "fc1", "column"],
      hidden: ["x", "fc1", "row"],
      activated: ["logits", "fc2", "column"],
      logits: ["activated", "fc2", "row"],
      d_activated: ["d_logits", "fc2", "column"],
      d_x: ["d_hidden", "fc1", "column"],
    } as Record<string, [VectorName, string, "row" | "column"]>
  )[name] as [VectorName, string, "row" | "column"];
  const rows = flow.matrices[matrix] as number[][];
  // Where a number goes to, it is itself the other factor of each product.
  const goes = name === "x" || name === "activated";
  const own = pair.vectors[name][index] as number;
  return pair.vectors[from]
    .map((value, other): Term => {
      const [row, column] = along === "row" ? [index, other] : [other, index];
      const weight = rows[row]?.[column] as number;
      const factor = goes ? own : value;
      return {
        cell: [from, other],
        name: `${goes ? "to " : ""}${nameOf(flow, [from, other])}`,
        text: `${three(factor)} × ${three(weight)}`,
        size: factor * weight,
      };
    })
    .filter(({ size }) => size !== 0)
    .toSorted((a, b) => Math.abs(b.size) - Math.abs(a.size))
    .slice(0, count);
}

export function detail(flow: Flow, pair: Pair, cell: Cell): Detail {
  const [name, index] = cell;
  const { tokens } = flow;
  const { vectors, token } = pair;
  const value = vectors[name][index] as number;
  const shut = `hidden[${index}] is ${three(vectors.hidden[index] as number)}, not above 0`;
  /** The one number that a cell takes over as it is, or less something. */
  const single = ([from, at]: Cell, name: string): Term => {
    return { cell: [from, at], name, text: "", size: vectors[from][at] as number };
  };
  const copied: Partial<Record<VectorName, () => Term[]>> = {
    probabilities: () => {
      const all = tokens.map((other, at) => single([name, at], other));
      return all.toSorted((a, b) => b.size - a.size).slice(0, LISTED);
    },
    d_logits: () => [single(["probabilities", index], `p of ${tokens[index]}`)],
    d_hidden: () => (value === 0 ? [] : [single(["d_activated", index], `d_activated[${index}]`)]),
  };
  const says: Record<VectorName, () => string> = {
    x: () => `This is wte[${token}][${index}], a parameter, looked up for ${tokens[token]}. Where it weighs most:`,
    hidden: () => `The dot product of x with row ${index} of fc1. The largest of its products, x times weight:`,
    activated: () =>
      value === 0
        ? `${shut}, so ReLU makes it 0. It adds nothing to any logit.`
        : `hidden[${index}] is above 0, so ReLU lets it pass. The logits that it moves most:`,
    logits: () =>
      `The dot product of activated with row ${index} of fc2. The largest of its products, activated times weight:`,
    probabilities: () =>
      `Softmax compares its logit, ${three(vectors.logits[index] as number)}, with all the others. The likeliest tokens:`,
    d_logits: () =>
      index === pair.target
        ? `${tokens[index]} is what comes next, so its slope is the probability less 1. Row ${index} of fc2 gets this times activated.`
        : `The slope of the loss in a logit is its probability. Row ${index} of fc2 gets this times activated.`,
    d_activated: () =>
      `If this number rose, the logits would move by its weights in fc2. The largest products, slope times weight:`,
    d_hidden: () =>
      value === 0
        ? `${shut}: the gate is shut, and no slope passes. Row ${index} of fc1 feels nothing.`
        : `The gate is open: the slope passes as it is. Row ${index} of fc1 gets this times x.`,
    d_x: () => `It is also the slope of wte[${token}][${index}]. The largest of its products, slope times weight:`,
  };
  return {
    title: `${nameOf(flow, cell)} = ${three(value)}`,
    says: says[name](),
    terms: copied[name]?.() ?? products(flow, pair, cell),
  };
}
