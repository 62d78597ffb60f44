/** The boxes of the picture in the order in which they are computed, each with its numbers and a description. */

import type { Activations, HeadAttention, LayerActivations } from "../../engine/gpt.js";
import { headAttentionPerToken } from "../../engine/gpt.js";
import { TOKEN_LABELS } from "../../engine/network.js";
import { rankTokens } from "../../engine/sampling.js";
import { linear, softmax, subtract, type Vector } from "../../engine/vectors.js";
import { formatPercent } from "../../parts/format.js";
import type { TransformerWeightsAndState } from "../types.js";

/** A box of the picture: the numbers of one operation at one position. */
export interface Box {
  id: string;
  /** The title of the box. */
  name: string;
  description: string;
  values: Vector;
  /** The absolute value of a cell with the strongest colour. */
  maxMagnitude: number;
}

/** Patterns of the ids of boxes that share a scale: in them, the same colour means the same absolute value. */
const SAME_SCALE_GROUPS = [/^(wte|wpe|sum)$/, /^(rmsnorm|attn_wo|attention|fc2|mlp)$/, /^head/];

type ModelData = Pick<TransformerWeightsAndState, "matrices" | "heads">;

/** Return all boxes of the token at a position. */
export function computeBoxes(model: ModelData, tokens: number[], activations: Activations, position: number): Box[] {
  const { matrices, heads } = model;
  const layer = activations.layers[0] as LayerActivations;
  const matrix = (name: string): Vector[] => matrices[name] as Vector[];
  const rowAtPosition = (rows: Vector[]): Vector => rows[position] as Vector;
  const tokenLabel = (index: number): string => TOKEN_LABELS[tokens[index] as number] as string;
  const token = tokens[position] as number;
  const ownLabel = tokenLabel(position);
  const [wte, wpe] = [matrix("wte")[token] as Vector, rowAtPosition(matrix("wpe"))];
  const streams = [layer.input, layer.afterAttention, layer.output].map(rowAtPosition);
  const [streamBefore, streamBetween, streamAfter] = streams as [Vector, Vector, Vector];
  const cachedVectors = layer.key.slice(0, position + 1).flatMap((key, at) => [...key, ...(layer.value[at] as Vector)]);
  const attentionOf = (head: number): HeadAttention => headAttentionPerToken(layer, head)[position] as HeadAttention;
  const attentions = Array.from({ length: heads }, (_, head) => attentionOf(head));
  const hidden = linear(rowAtPosition(layer.mlpInput), matrix("layer0.mlp_fc1"));
  const probabilities = softmax(rowAtPosition(activations.logits));
  const values: Record<string, Vector> = {
    wte,
    wpe,
    sum: wte.map((x, i) => x + (wpe[i] as number)),
    rmsnorm: streamBefore,
    attention_rmsnorm: rowAtPosition(layer.attentionInput),
    query: rowAtPosition(layer.query),
    key: rowAtPosition(layer.key),
    value: rowAtPosition(layer.value),
    cache: cachedVectors,
    ...Object.fromEntries(attentions.map(({ output }, head) => [`head${head}`, output])),
    attn_wo: subtract(streamBetween, streamBefore),
    attention: streamBetween,
    mlp_rmsnorm: rowAtPosition(layer.mlpInput),
    fc1: hidden,
    relu: rowAtPosition(layer.mlpActivations),
    fc2: subtract(streamAfter, streamBetween),
    mlp: streamAfter,
    lm_head: rowAtPosition(activations.logits),
    softmax: probabilities,
  };

  const formatLikeliest = (p: Vector, count: number): string =>
    rankTokens(p)
      .slice(0, count)
      .map((i) => `${TOKEN_LABELS[i]} ${formatPercent(p[i] as number)}`)
      .join(", ");
  /** Describe the likeliest tokens if lm_head read the stream here: the logit lens. */
  const describeLogitLens = (x: Vector): string =>
    `If the stream ended here, lm_head would say ${formatLikeliest(softmax(linear(x, matrix("lm_head"))), 3)}.`;
  function describeHead({ weights }: HeadAttention): string {
    const most = weights.indexOf(Math.max(...weights));
    return `${ownLabel} looks most at ${tokenLabel(most)}, position ${most}: ${formatPercent(weights[most] as number)} of its attention. What comes home is the average of the values, by these weights.`;
  }
  const activeCount = hidden.filter((h) => h > 0).length;
  const descriptions: Record<string, string> = {
    wte: `For “${ownLabel}”, token ${token}, the model looks up row ${token} of wte.`,
    wpe: `For position ${position}, the model looks up row ${position} of wpe.`,
    sum: "Which letter, and where it stands: two vectors, added number by number.",
    rmsnorm: `Divided by their root mean square, the numbers have a typical size of 1. Here the residual stream begins. ${describeLogitLens(streamBefore)}`,
    attention_rmsnorm: "Attention reads a scaled copy. The stream itself goes by, untouched.",
    query: `What ${ownLabel} looks for, attn_wq times the scaled copy. It will be compared with every key in the cache.`,
    key: `What ${ownLabel} can be found by, attn_wk times the scaled copy. It goes into the cache, for this token and all that come later.`,
    value: `What ${ownLabel} hands over, attn_wv times the scaled copy. It goes into the cache too, for any token that finds its key.`,
    cache: "A row for each key and each value so far. Reading the next token adds one of each.",
    ...Object.fromEntries(attentions.map((attention, head) => [`head${head}`, describeHead(attention)])),
    attn_wo: `What the ${heads} heads found, end to end, is mixed by one more matrix.`,
    attention: `What was there stays, and what attention found is added. ${describeLogitLens(streamBetween)}`,
    mlp_rmsnorm: "The MLP reads a scaled copy too.",
    fc1: `${hidden.length} hidden units, each of which looks for one pattern in the vector.`,
    relu: `Only what is above 0 passes: ${activeCount} of the ${hidden.length} hidden units found their pattern.`,
    fc2: "Each unit that is on adds its own vector, as wide as the stream.",
    mlp: `What was there stays, and what the MLP made of it is added. ${describeLogitLens(streamAfter)}`,
    lm_head: "A score for each token that could come next: one dot product with the stream for each.",
    softmax: `Likeliest next: ${formatLikeliest(probabilities, 1)}. All ${probabilities.length} add up to 100%.`,
  };
  const names: Record<string, string> = {
    ...{ wte: `letter ${ownLabel}`, wpe: `position ${position}`, rmsnorm: "RMSNorm", attention_rmsnorm: "RMSNorm" },
    ...{ attention: "x + attention", mlp_rmsnorm: "RMSNorm", relu: "ReLU", mlp: "x + MLP" },
  };
  return Object.entries(values).map(([id, numbers]) => {
    const group = SAME_SCALE_GROUPS.find((each) => each.test(id)) ?? new RegExp(`^${id}$`);
    const comparableValues = Object.entries(values).flatMap(([other, each]) => (group.test(other) ? each : []));
    return {
      id,
      name: names[id] ?? id.replace(/^head/, "head "),
      description: descriptions[id] as string,
      values: numbers,
      maxMagnitude: Math.max(...comparableValues.map(Math.abs)),
    };
  });
}
