/** Attention in any name: arcs from the query to its keys, and every number behind a weight. */

import { useMemo } from "preact/hooks";
import { gptFromMatrices, type HeadAttention, headAttentionPerToken, type LayerActivations } from "../../engine/gpt.js";
import { encodeName } from "../../engine/network.js";
import { rngAfterShuffle } from "../../engine/random.js";
import { AttentionArcs } from "../../parts/attention_arcs.js";
import { formatFixed } from "../../parts/format.js";
import { useLastValidName } from "../../parts/name_field.js";
import { normalizeName } from "../../parts/name_validation.js";
import { NumberTable, type TableRow } from "../../parts/number_table.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { Status } from "../../parts/status.js";
import { TextField } from "../../parts/text_field.js";
import { StateLink, useUrlState } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { AttentionParameters, TrainedMatrices } from "../types.js";
import { describeAttention, describeToken } from "./describe.js";

/** A head as a small picture of its weight matrix. */
function HeadThumbnail({ weights }: { weights: number[][] }) {
  const opacity = (weight: number): string => (0.08 + 0.92 * Math.sqrt(weight)).toFixed(2);
  return (
    <svg class="thumbnail" viewBox={`0 0 ${weights.length} ${weights.length}`} aria-hidden="true">
      {weights.map((row, y) =>
        row.map((weight, x) => <rect x={x} y={y} width="1" height="1" fill-opacity={opacity(weight)} />),
      )}
    </svg>
  );
}

type WeightBreakdownProps = {
  tokens: string[];
  attentions: HeadAttention[];
  queryPosition: number;
  keyPosition: number;
};

/** Every number from a query and a key to the weight between them and the output. */
function WeightBreakdown({ tokens, attentions, queryPosition, keyPosition }: WeightBreakdownProps) {
  const { query, scores, weights, output } = attentions[queryPosition] as HeadAttention;
  const { key } = attentions[keyPosition] as HeadAttention;
  const root = Math.sqrt(query.length);
  const format = (x = Number.NaN): string => formatFixed(x, 3);
  const weightedValues = attentions
    .slice(0, queryPosition + 1)
    .map(({ value }, j) => value.map((x) => x * (weights[j] as number)));
  const table = (label: string, rows: TableRow[], more: Partial<Parameters<typeof NumberTable>[0]> = {}) => (
    <div class="canvas" tabIndex={0} role="group" aria-label={label}>
      <NumberTable rows={rows} {...more} />
    </div>
  );
  return (
    <div class="numbers-behind">
      <p class="title">
        Why {describeToken(tokens, queryPosition)} gives{" "}
        {keyPosition === queryPosition ? "itself" : describeToken(tokens, keyPosition)} {format(weights[keyPosition])}
      </p>
      {table(
        "Query times key, number by number",
        [
          [`query of ${tokens[queryPosition]}`, ...query.map(format)],
          [`key of ${tokens[keyPosition]}`, ...key.map(format)],
        ],
        { footer: ["product", ...query.map((q, i) => format(q * (key[i] as number)))] },
      )}
      <p>
        The products add up to {format((scores[keyPosition] as number) * root)}. Softmax makes shares of all such sums:
      </p>
      {table(
        "From sums to shares",
        scores.map((score, j) => [tokens[j], format(score * root), format(score), format(weights[j])]),
        { columnTitles: ["asked", "sum", `÷ √${query.length}`, "share"], highlightedRow: keyPosition },
      )}
      <p>What comes home is the value of each, times its share:</p>
      {table(
        "Shares times values",
        weightedValues.map((vector, j) => [`from ${tokens[j]}`, ...vector.map(format)]),
        { footer: ["together", ...output.map(format)], highlightedRow: keyPosition },
      )}
    </div>
  );
}

export default function AttentionWidget(props: WidgetProps<AttentionParameters, TrainedMatrices>) {
  const { parameters, result } = props;
  // These keys stand in readers' addresses.
  const defaults = {
    name: parameters.name,
    asks: parameters.query_position ?? -1, // the position of the query: −1 is the last
    to: -1, // the position of the key: −1 is none
    head: parameters.head ?? 0,
    weights: "trained",
  };
  const [state, update] = useUrlState("attention", defaults);
  const { validName, error } = useLastValidName(normalizeName(state.name), defaults.name);
  const tokens = ["start", ...validName];
  const isUntrained = state.weights === "untrained";
  const gpt = useMemo(() => {
    const trained = gptFromMatrices(result.heads, result.matrices);
    return isUntrained ? trained.initializeWeights(rngAfterShuffle(result.shuffled_count)) : trained;
  }, [isUntrained]);
  const heads = useMemo(() => {
    const layer = gpt.computeActivations(encodeName(validName).slice(0, -1)).layers[0] as LayerActivations;
    return Array.from({ length: result.heads }, (_, head) => headAttentionPerToken(layer, head));
  }, [validName, gpt]);

  const validIndex = (value: number, last: number): number => (Number.isInteger(value) && value <= last ? value : -1);
  const last = tokens.length - 1;
  const head = Math.max(0, validIndex(state.head, result.heads - 1));
  const queryPosition = validIndex(state.asks, last) < 0 ? last : state.asks;
  const keyPosition = validIndex(state.to, queryPosition);
  const attentions = heads[head] as HeadAttention[];
  const weights = attentions.map((attention) => attention.weights);
  return (
    <>
      <TextField
        id="attention"
        label="A name"
        value={state.name}
        onInput={(name) => update({ name, asks: -1, to: -1 })}
        onSubmit={() => {}}
        error={error}
      >
        <SingleChoice
          label="Weights"
          choices={["trained", "untrained"]}
          value={isUntrained ? "untrained" : "trained"}
          onChange={(weights) => update({ weights })}
        />
      </TextField>
      <div class={error ? "stale" : ""}>
        {result.heads > 1 && (
          <SingleChoice
            label="Head"
            class="choices heads controls"
            choices={heads.map((attentions, index) => [
              index,
              <>
                <HeadThumbnail weights={attentions.map((attention) => attention.weights)} />
                head {index}
              </>,
            ])}
            value={head}
            onChange={(head) => update({ head })}
          />
        )}
        <AttentionArcs
          {...{ tokens, weights, queryPosition, keyPosition }}
          // −1 keeps the last position selected, however long the name becomes.
          onSelectQuery={(position) =>
            update({ asks: position === last ? -1 : position, to: Math.min(keyPosition, position) })
          }
          onSelectKey={(position) => update({ to: position === keyPosition ? -1 : position })}
        />
        <Status class="caption">{describeAttention(tokens, weights[queryPosition] as number[])}</Status>
        {keyPosition >= 0 ? (
          <WeightBreakdown {...{ tokens, attentions, queryPosition, keyPosition }} />
        ) : (
          <p class="note controls">Pick another letter to let it ask, or a percentage to see every number behind it.</p>
        )}
      </div>
      <p class="link-row controls">
        <StateLink widget="attention" defaults={defaults} state={state} subject="picture" />
      </p>
    </>
  );
}
