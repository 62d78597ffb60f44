/** The boxes of the picture, in the order in which they are computed: their numbers, and where one comes from. */

import { type Layer, type Look, looksOf, type Reading } from "../../engine/gpt.js";
import { TOKENS } from "../../engine/network.js";
import { dot, linear as mapped, minus, softmax, type Vector } from "../../engine/vectors.js";
import type { Kind } from "../../parts/kinds.js";
import { fixed, percent } from "../../parts/numerals.js";
import type { Transformer } from "../types.js";

export interface Box {
  id: string;
  /** What the picture calls it, and how large it is said to be. */
  name: string;
  size: string;
  title: string;
  says: string;
  /** For a closed box: what its picture shows, if that is more than numbers. */
  gist?: string;
  kind: Kind;
  values: Vector;
  /** The number at which a cell is strongest. */
  limit: number;
  /** The matrix whose weights are used. */
  matrix?: string;
  /** What one of its numbers is made of, line by line. */
  how(index: number): string[];
  /** The vectors that it is made of, where a picture of them helps. */
  from?: Record<string, Vector>;
  /** For a head: a row for each token read, of score, weight and value. */
  looks?(index: number): [token: string, score: number, weight: number, value: number][];
}

const written = (x: number): string => fixed(x, 3);
const factor = (x: number): string => (x < 0 ? `(${written(x)})` : written(x));
/** Three decimals, or as many more as it takes for a sum to be that of its terms as they are shown. */
const decimalsOf = (a: number, b: number): number =>
  [3, 4, 5].find((d) => fixed(Number(a.toFixed(d)) + Number(b.toFixed(d)), d) === fixed(a + b, d)) ?? 6;
const strongest = (...vectors: Vector[]): number => Math.max(...vectors.flat().map(Math.abs));
const TERMS = 3;

/** A sum of products: the largest, and what the others come to. */
function products(a: Vector, b: Vector): string[] {
  const terms = a.map((ai, i) => ai * (b[i] as number));
  const order = [...terms.keys()].sort((i, j) => Math.abs(terms[j] as number) - Math.abs(terms[i] as number));
  const rest = order.slice(TERMS).reduce((sum, i) => sum + (terms[i] as number), 0);
  const shown = order.slice(0, TERMS).map((i) => `${factor(a[i] as number)} × ${factor(b[i] as number)}`);
  const others = a.length > TERMS ? [`+ ${a.length - TERMS} more, together ${factor(rest)}`] : [];
  return [...shown.map((each, i) => `${i ? "+" : "="} ${each}`), ...others, `= ${written(dot(a, b))}`];
}

export function boxes({ matrices, heads }: Transformer, tokens: number[], all: Reading, position: number): Box[] {
  const layer = all.layers[0] as Layer;
  const of = (rows: Vector[] | undefined, row = position): Vector => rows?.[row] as Vector;
  const token = tokens[position] as number;
  const letter = (at: number): string => TOKENS[tokens[at] as number] as string;
  const me = letter(position);
  const read = tokens.slice(0, position + 1);
  const [tokenEmbedding, positionEmbedding] = [of(matrices["wte"], token), of(matrices["wpe"])];
  const sum = tokenEmbedding.map((x, i) => x + (positionEmbedding[i] as number));
  const [before, between, after] = [of(layer.before), of(layer.between), of(layer.after)];
  const [attended, fed] = [minus(between, before), minus(after, between)];
  const [normed, joined] = [of(layer.normed), of(layer.joined)];
  const [normedAgain, activated] = [of(layer.normedAgain), of(layer.activated)];
  const hidden = mapped(normedAgain, matrices["layer0.mlp_fc1"] as Vector[]);
  const logits = of(all.logits);
  const probabilities = softmax(logits);
  const [embedded, stream] = [
    strongest(tokenEmbedding, positionEmbedding, sum),
    strongest(before, attended, between, fed, after),
  ];
  const found: Box[] = [];
  type Rest = Partial<Box> & Pick<Box, "says" | "how">;
  const add = (id: string, name: string, title: string, values: Vector, rest: Rest): unknown =>
    found.push({
      ...{ id, name, title, values, size: `${values.length}`, kind: "activation", limit: strongest(values) },
      ...rest,
    });

  /** What the last layer would say if the stream ended here: the logit lens. */
  function guess(x: Vector): string {
    const p = softmax(mapped(x, matrices["lm_head"] as Vector[]));
    const best = [...p.keys()].sort((i, j) => (p[j] as number) - (p[i] as number)).slice(0, 3);
    const listed = best.map((i) => `${TOKENS[i]} ${percent(p[i] as number)}`);
    return `If the stream ended here, lm_head would say ${listed.join(", ")}.`;
  }
  function looked(id: "wte" | "wpe", row: number, title: string, values: Vector, says: string): void {
    const how = (i: number): string[] => [`= ${id}[${row}][${i}]`, `= ${written(values[i] as number)}`];
    const name = id === "wte" ? `letter ${me}` : `position ${row}`;
    const size = `${id}[${row}] · ${values.length}`;
    add(id, name, title, values, { says, how, size, matrix: id, kind: "parameter", limit: embedded });
  }
  function norm(id: string, x: Vector, values: Vector, says: string): void {
    const square = dot(x, x) / x.length;
    const how = (i: number): string[] => [
      `root mean square = √(${written(square)} + 0.00001)`,
      `= ${written((square + 1e-5) ** 0.5)}`,
      `x[${i}] = ${written(x[i] as number)}, divided by it`,
      `= ${written(values[i] as number)}`,
    ];
    add(id, "RMSNorm", "RMSNorm: one size for every vector", values, { says, how, from: { before: x } });
  }
  function linear(id: string, matrix: string, title: string, x: Vector, values: Vector, says: string): void {
    const rows = matrices[matrix] as Vector[];
    const of = matrix.split(".").at(-1);
    const how = (i: number): string[] => [`row ${i} of ${of} · x`, ...products(rows[i] as Vector, x)];
    const limit = values === attended || values === fed ? stream : strongest(values);
    add(id, id, title, values, { says, how, matrix, limit });
  }
  function plus(id: string, name: string, x: Vector, more: Vector, values: Vector, title: string, says: string): void {
    const [one, other] = id === "sum" ? (["letter", "position"] as const) : (["was there", "came"] as const);
    const how = (i: number): string[] => {
      const [was, came] = [x[i] as number, more[i] as number];
      const shown = (each: number): string => fixed(each, decimalsOf(was, came));
      return [`${shown(was)} was there, ${shown(came)} came`, `= ${shown(was + came)}`];
    };
    const limit = id === "sum" ? embedded : stream;
    add(id, name, title, values, { says, how, limit, from: { [one]: x, [other]: more } });
  }

  const lookUp = "the model looks up row";
  looked("wte", token, `Token embedding: ${me}`, tokenEmbedding, `For “${me}”, token ${token}, ${lookUp} ${token}.`);
  const place = `Position embedding: ${position}`;
  looked("wpe", position, place, positionEmbedding, `For position ${position}, ${lookUp} ${position}.`);
  const both = "Which letter, and where it stands: two vectors, added number by number.";
  plus("sum", "sum", tokenEmbedding, positionEmbedding, sum, "Letter and position in one vector", both);
  const begins =
    "Divided by their root mean square, the numbers have a typical size of 1. Here the residual stream begins.";
  norm("rmsnorm", sum, before, `${begins} ${guess(before)}`);
  norm("attention_rmsnorm", before, normed, "Attention reads a scaled copy. The stream itself goes by, untouched.");
  const compared = "It will be compared with every key in the cache.";
  linear("query", "layer0.attn_wq", `Query: what ${me} looks for`, normed, of(layer.query), compared);
  const cached = "It goes into the cache, for this token and all that come later.";
  linear("key", "layer0.attn_wk", `Key: what ${me} can be found by`, normed, of(layer.key), cached);
  const handed = "It goes into the cache too, for any token that finds its key.";
  linear("value", "layer0.attn_wv", `Value: what ${me} hands over`, normed, of(layer.value), handed);
  const kept = read.flatMap((_, at) => [...of(layer.key, at), ...of(layer.value, at)]);
  add("cache", "cache", "The cache: what earlier tokens left", kept, {
    size: `${2 * read.length} × ${normed.length}`,
    says: `A key and a value of ${read.length === 1 ? "one token" : `${read.length} tokens`}. Reading the next token adds one of each.`,
    how: (i) => {
      const [row, number] = [Math.floor(i / normed.length), i % normed.length];
      const [at, half] = [Math.floor(row / 2), row % 2 ? "value" : "key"];
      return [`${half} of ${letter(at)} at ${at}, number ${number}`, `= ${written(kept[i] as number)}`];
    },
  });
  for (let index = 0; index < heads; index++) {
    const looks = looksOf(layer, index);
    const { scores, weights, output } = looks[position] as Look;
    const values = (i: number): Vector => read.map((_, at) => looks[at]?.value[i] as number);
    const most = weights.indexOf(Math.max(...weights));
    const whom = `${letter(most)}, position ${most}: ${percent(weights[most] as number)}`;
    add(`head${index}`, `head ${index}`, `Head ${index} looks back`, output, {
      limit: strongest(joined),
      gist: `looks most at ${whom}`,
      says: `${me} looks most at ${whom} of its attention. The output is the average of the values, by these weights.`,
      how: (i) => ["∑ weight × value", ...products(weights, values(i))],
      looks: (i) =>
        values(i).map((value, at) => [`${letter(at)} ${at}`, scores[at] as number, weights[at] as number, value]),
    });
  }
  const mixes = `What the ${heads} heads found, end to end, is mixed by one more matrix.`;
  linear("attn_wo", "layer0.attn_wo", "attn_wo: ready for the stream", joined, attended, mixes);
  const writes = "What was there stays, and what attention found is added.";
  const attends = "Attention writes into the stream";
  plus("attention", "x + attention", before, attended, between, attends, `${writes} ${guess(between)}`);
  norm("mlp_rmsnorm", between, normedAgain, "The MLP reads a scaled copy too.");
  const wide = `${hidden.length} hidden units, each of which looks for one pattern in the vector.`;
  linear("fc1", "layer0.mlp_fc1", "fc1: wider", normedAgain, hidden, wide);
  const on = hidden.filter((h) => h > 0).length;
  add("relu", "ReLU", "ReLU: only what is above 0 passes", activated, {
    says: `${on} of the ${hidden.length} hidden units found their pattern. The others become 0.`,
    how: (i) => {
      const h = hidden[i] as number;
      return [`fc1 gave ${written(h)}`, h > 0 ? "above 0, so it stays" : "not above 0", `= ${written(Math.max(0, h))}`];
    },
  });
  const narrow = "Each unit that is on adds its own vector.";
  linear("fc2", "layer0.mlp_fc2", "fc2: back to the stream’s width", activated, fed, narrow);
  const thinks = "What was there stays, and what the MLP made of it is added.";
  plus("mlp", "x + MLP", between, fed, after, "The MLP writes into the stream", `${thinks} ${guess(after)}`);
  const scored = "A score for each token that could come next: one dot product with the stream for each.";
  linear("lm_head", "lm_head", "lm_head: a logit for each token", after, logits, scored);
  const largest = Math.max(...logits);
  const exps = logits.map((logit) => Math.exp(logit - largest));
  const total = exps.reduce((all, exp) => all + exp, 0);
  const best = probabilities.indexOf(Math.max(...probabilities));
  const likeliest = `${TOKENS[best]}, with ${percent(probabilities[best] as number)}`;
  add("softmax", "softmax", "Softmax: scores become probabilities", probabilities, {
    gist: `likeliest next: ${likeliest}`,
    says: `Likeliest next: ${likeliest}. All ${logits.length} add up to 100%.`,
    how: (i) => [
      `e^(${written(logits[i] as number)} − ${factor(largest)}) = ${written(exps[i] as number)}`,
      `divided by ${written(total)}, the sum of all ${logits.length}`,
      `= ${percent(probabilities[i] as number)}`,
    ],
  });
  return found;
}
