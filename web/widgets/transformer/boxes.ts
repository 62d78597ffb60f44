/** The boxes of the picture, in the order in which they are computed: their numbers, and what they are for. */

import {
  type Activations,
  type HeadAttention,
  headAttentionPerToken,
  type LayerActivations,
} from "../../engine/gpt.js";
import { TOKEN_LABELS } from "../../engine/network.js";
import { linear, softmax, subtract, type Vector } from "../../engine/vectors.js";
import { formatPercent } from "../../parts/format.js";
import type { Transformer } from "../types.js";

export interface Box {
  id: string;
  /** What the picture calls it. */
  name: string;
  says: string;
  values: Vector;
  /** The number at which a cell is strongest. */
  limit: number;
}

/** Boxes whose numbers can be compared: a cell of the same strength is as far from 0. */
const ALIKE = [/^(wte|wpe|sum)$/, /^(rmsnorm|attn_wo|attention|fc2|mlp)$/, /^head/];

export function boxes({ matrices, heads }: Transformer, tokens: number[], all: Activations, position: number): Box[] {
  const layer = all.layers[0] as LayerActivations;
  const matrix = (name: string): Vector[] => matrices[name] as Vector[];
  const of = (rows: Vector[]): Vector => rows[position] as Vector;
  const letter = (at: number): string => TOKEN_LABELS[tokens[at] as number] as string;
  const token = tokens[position] as number;
  const me = letter(position);
  const [wte, wpe] = [matrix("wte")[token] as Vector, of(matrix("wpe"))];
  const [before, between, after] = [of(layer.input), of(layer.afterAttention), of(layer.output)];
  const kept = layer.key.slice(0, position + 1).flatMap((key, at) => [...key, ...(layer.value[at] as Vector)]);
  const looks = Array.from(
    { length: heads },
    (_, head) => headAttentionPerToken(layer, head)[position] as HeadAttention,
  );
  const hidden = linear(of(layer.mlpInput), matrix("layer0.mlp_fc1"));
  const probabilities = softmax(of(all.logits));
  const values: Record<string, Vector> = {
    wte,
    wpe,
    sum: wte.map((x, i) => x + (wpe[i] as number)),
    rmsnorm: before,
    attention_rmsnorm: of(layer.attentionInput),
    query: of(layer.query),
    key: of(layer.key),
    value: of(layer.value),
    cache: kept,
    ...Object.fromEntries(looks.map(({ output }, head) => [`head${head}`, output])),
    attn_wo: subtract(between, before),
    attention: between,
    mlp_rmsnorm: of(layer.mlpInput),
    fc1: hidden,
    relu: of(layer.mlpActivations),
    fc2: subtract(after, between),
    mlp: after,
    lm_head: of(all.logits),
    softmax: probabilities,
  };

  function likeliest(p: Vector, count: number): string {
    const order = [...p.keys()].sort((i, j) => (p[j] as number) - (p[i] as number)).slice(0, count);
    return order.map((i) => `${TOKEN_LABELS[i]} ${formatPercent(p[i] as number)}`).join(", ");
  }
  /** What the last layer would say if the stream ended here: the logit lens. */
  const lens = (x: Vector): string =>
    `If the stream ended here, lm_head would say ${likeliest(softmax(linear(x, matrix("lm_head"))), 3)}.`;
  function looking({ weights }: HeadAttention): string {
    const most = weights.indexOf(Math.max(...weights));
    return `${me} looks most at ${letter(most)}, position ${most}: ${formatPercent(weights[most] as number)} of its attention. What comes home is the average of the values, by these weights.`;
  }
  const on = hidden.filter((h) => h > 0).length;
  const says: Record<string, string> = {
    wte: `For “${me}”, token ${token}, the model looks up row ${token} of wte.`,
    wpe: `For position ${position}, the model looks up row ${position} of wpe.`,
    sum: "Which letter, and where it stands: two vectors, added number by number.",
    rmsnorm: `Divided by their root mean square, the numbers have a typical size of 1. Here the residual stream begins. ${lens(before)}`,
    attention_rmsnorm: "Attention reads a scaled copy. The stream itself goes by, untouched.",
    query: `What ${me} looks for, attn_wq times the scaled copy. It will be compared with every key in the cache.`,
    key: `What ${me} can be found by, attn_wk times the scaled copy. It goes into the cache, for this token and all that come later.`,
    value: `What ${me} hands over, attn_wv times the scaled copy. It goes into the cache too, for any token that finds its key.`,
    cache: "A row for each key and each value so far. Reading the next token adds one of each.",
    ...Object.fromEntries(looks.map((look, head) => [`head${head}`, looking(look)])),
    attn_wo: `What the ${heads} heads found, end to end, is mixed by one more matrix.`,
    attention: `What was there stays, and what attention found is added. ${lens(between)}`,
    mlp_rmsnorm: "The MLP reads a scaled copy too.",
    fc1: `${hidden.length} hidden units, each of which looks for one pattern in the vector.`,
    relu: `Only what is above 0 passes: ${on} of the ${hidden.length} hidden units found their pattern.`,
    fc2: "Each unit that is on adds its own vector, as wide as the stream.",
    mlp: `What was there stays, and what the MLP made of it is added. ${lens(after)}`,
    lm_head: "A score for each token that could come next: one dot product with the stream for each.",
    softmax: `Likeliest next: ${likeliest(probabilities, 1)}. All ${probabilities.length} add up to 100%.`,
  };
  const names: Record<string, string> = {
    ...{ wte: `letter ${me}`, wpe: `position ${position}`, rmsnorm: "RMSNorm", attention_rmsnorm: "RMSNorm" },
    ...{ attention: "x + attention", mlp_rmsnorm: "RMSNorm", relu: "ReLU", mlp: "x + MLP" },
  };
  return Object.entries(values).map(([id, numbers]) => {
    const alike = ALIKE.find((each) => each.test(id)) ?? { test: (other: string) => other === id };
    const compared = Object.entries(values).flatMap(([other, each]) => (alike.test(other) ? each : []));
    return {
      id,
      name: names[id] ?? id.replace(/^head/, "head "),
      says: says[id] as string,
      values: numbers,
      limit: Math.max(...compared.map(Math.abs)),
    };
  });
}
