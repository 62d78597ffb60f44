/** A GPT that keeps every number it computes: what `microgpt/model.py` does, told token by token. */

export type Vector = number[];
/**
 * The weights of the package's model, by its names, and how many heads share its width. Matrices that nothing shown
 * depends on may be left out.
 */
export interface Model {
  matrices: Record<string, Vector[]>;
  heads: number;
}

/** One head, when one token looks back at those so far. */
export interface Look {
  query: Vector;
  key: Vector;
  value: Vector;
  /** For each token so far: its key times the query, divided by √d. */
  scores: Vector;
  /** Their softmax. */
  weights: Vector;
  /** The average of the values, with these weights. */
  output: Vector;
}

/** One layer's numbers for one token, in the order in which they are computed. */
export interface Layer {
  normed: Vector;
  heads: Look[];
  /** The outputs of the heads, end to end, and what `attn_wo` makes of them. */
  joined: Vector;
  attended: Vector;
  /** The stream, with that added. */
  between: Vector;
  normedAgain: Vector;
  hidden: Vector;
  activated: Vector;
  fed: Vector;
  /** The stream, with what the MLP gave added. */
  after: Vector;
}

/** What happens while one token is read. */
export interface Reading {
  token: number;
  position: number;
  tokenEmbedding: Vector;
  positionEmbedding: Vector;
  sum: Vector;
  /** Where the stream begins: the sum, after RMSNorm. */
  before: Vector;
  layers: Layer[];
  logits: Vector;
  probabilities: Vector;
}

export const dot = (a: Vector, b: Vector): number => a.reduce((sum, ai, i) => sum + ai * (b[i] as number), 0);
export const linear = (x: Vector, matrix: Vector[]): Vector => matrix.map((row) => dot(row, x));
const add = (a: Vector, b: Vector): Vector => a.map((ai, i) => ai + (b[i] as number));

export function softmax(logits: Vector): Vector {
  const largest = Math.max(...logits);
  const exps = logits.map((logit) => Math.exp(logit - largest));
  const total = exps.reduce((sum, exp) => sum + exp, 0);
  return exps.map((exp) => exp / total);
}

export function rmsnorm(x: Vector): Vector {
  const scale = (dot(x, x) / x.length + 1e-5) ** -0.5;
  return x.map((xi) => scale * xi);
}

/** Read tokens one after another; what is kept of each is what a cache keeps, and all the rest. */
export function trace({ matrices, heads }: Model, tokens: readonly number[]): Reading[] {
  const matrix = (name: string): Vector[] => matrices[name] ?? [];
  const layers = Object.keys(matrices).filter((name) => name.endsWith("attn_wq")).length;
  const readings: Reading[] = [];

  function look(index: number, head: number, normed: Vector): Look {
    const size = normed.length / heads;
    const [query, key, value] = ["q", "k", "v"].map((to) =>
      linear(normed, matrix(`layer${index}.attn_w${to}`).slice(head * size, (head + 1) * size)),
    ) as [Vector, Vector, Vector];
    const earlier = readings.map((reading) => (reading.layers[index] as Layer).heads[head] as Look);
    const all = [...earlier, { key, value }];
    const scores = all.map((each) => dot(query, each.key) * size ** -0.5);
    const weights = softmax(scores);
    const output = value.map((_, i) =>
      all.reduce((sum, each, j) => sum + (weights[j] as number) * (each.value[i] as number), 0),
    );
    return { query, key, value, scores, weights, output };
  }

  function layer(index: number, before: Vector): Layer {
    const normed = rmsnorm(before);
    const looks = Array.from({ length: heads }, (_, head) => look(index, head, normed));
    const joined = looks.flatMap(({ output }) => output);
    const attended = linear(joined, matrix(`layer${index}.attn_wo`));
    const between = add(before, attended);
    const normedAgain = rmsnorm(between);
    const hidden = linear(normedAgain, matrix(`layer${index}.mlp_fc1`));
    const activated = hidden.map((h) => Math.max(0, h));
    const fed = linear(activated, matrix(`layer${index}.mlp_fc2`));
    const after = add(between, fed);
    return { normed, heads: looks, joined, attended, between, normedAgain, hidden, activated, fed, after };
  }

  for (const [position, token] of tokens.entries()) {
    const tokenEmbedding = matrix("wte")[token] as Vector;
    const positionEmbedding = matrix("wpe")[position] as Vector;
    const sum = add(tokenEmbedding, positionEmbedding);
    const before = rmsnorm(sum);
    const reading: Reading = {
      ...{ token, position, tokenEmbedding, positionEmbedding, sum, before, layers: [] },
      ...{ logits: [], probabilities: [] },
    };
    let stream = before;
    for (let index = 0; index < layers; index++) {
      const done = layer(index, stream);
      reading.layers.push(done);
      stream = done.after;
    }
    reading.logits = linear(stream, matrix("lm_head"));
    reading.probabilities = softmax(reading.logits);
    readings.push(reading);
  }
  return readings;
}
