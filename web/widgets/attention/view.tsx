/** Attention in any name: arcs from the query to its keys, and every number behind a weight. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { gptFromMatrices, type HeadAttention, headAttentionPerToken, type LayerActivations } from "../../engine/gpt.js";
import { encodeName } from "../../engine/network.js";
import { rngAfterShuffle } from "../../engine/random.js";
import { AttentionArcs } from "../../parts/attention_arcs.js";
import { formatFixed } from "../../parts/format.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { NumberTable, type TableRow } from "../../parts/number_table.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { TextField } from "../../parts/text_field.js";
import { CopyLinkButton, readUrlState, urlWithState, useSyncUrl } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { AttentionModelWeights, AttentionParameters } from "../types.js";
import { describeAttention, tokenPhrase } from "./describe.js";

/** A head as a small picture of its weight matrix. */
function HeadThumbnail({ weights }: { weights: number[][] }) {
  return (
    <svg class="thumbnail" viewBox={`0 0 ${weights.length} ${weights.length}`} aria-hidden="true">
      {weights.map((row, y) =>
        row.map((weight, x) => (
          <rect
            x={x}
            y={y}
            width="1"
            height="1"
            style={{ fillOpacity: (0.08 + 0.92 * Math.sqrt(weight)).toFixed(2) }}
          />
        )),
      )}
    </svg>
  );
}

interface WeightBreakdownProps {
  tokens: string[];
  attentions: HeadAttention[];
  queryPosition: number;
  keyPosition: number;
}

/** Every number from a query and a key to the weight between them and the output. */
function WeightBreakdown({ tokens, attentions, queryPosition, keyPosition }: WeightBreakdownProps) {
  const { query, scores, weights, output } = attentions[queryPosition] as HeadAttention;
  const { key } = attentions[keyPosition] as HeadAttention;
  const root = Math.sqrt(query.length);
  const formatThreeDecimals = (x: number): string => formatFixed(x, 3);
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
        Why {tokenPhrase(tokens, queryPosition)} gives{" "}
        {keyPosition === queryPosition ? "itself" : tokenPhrase(tokens, keyPosition)}{" "}
        {formatThreeDecimals(weights[keyPosition] as number)}
      </p>
      {table(
        "Query times key, number by number",
        [
          [`query of ${tokens[queryPosition]}`, ...query.map(formatThreeDecimals)],
          [`key of ${tokens[keyPosition]}`, ...key.map(formatThreeDecimals)],
        ],
        { footer: ["product", ...query.map((q, i) => formatThreeDecimals(q * (key[i] as number)))] },
      )}
      <p>
        The products add up to {formatThreeDecimals((scores[keyPosition] as number) * root)}. Softmax makes shares of
        all such sums:
      </p>
      {table(
        "From sums to shares",
        scores.map((score, j) => [
          tokens[j],
          formatThreeDecimals(score * root),
          formatThreeDecimals(score),
          formatThreeDecimals(weights[j] as number),
        ]),
        { columnTitles: ["asked", "sum", `÷ √${query.length}`, "share"], highlightedRow: keyPosition },
      )}
      <p>What comes home is the value of each, times its share:</p>
      {table(
        "Shares times values",
        weightedValues.map((vector, j) => [`from ${tokens[j]}`, ...vector.map(formatThreeDecimals)]),
        { footer: ["together", ...output.map(formatThreeDecimals)], highlightedRow: keyPosition },
      )}
    </div>
  );
}

export default function AttentionWidget({
  parameters,
  result,
}: WidgetProps<AttentionParameters, AttentionModelWeights>) {
  const defaults = {
    name: parameters.name,
    asks: parameters.asks ?? -1, // the position of the query: −1 is the last
    to: -1, // the position of the key: −1 is none
    head: parameters.head ?? 0,
    weights: "trained",
  };
  const [state, setState] = useState(defaults);
  const update = (changed: Partial<typeof defaults>): void => setState({ ...state, ...changed });
  useLayoutEffect(() => setState(readUrlState("attention", defaults)), []);
  useSyncUrl("attention", defaults, state);

  const typed = normalizeName(state.name);
  const error = nameError(typed);
  const validName = useRef(defaults.name);
  if (error === "") validName.current = typed;
  const name = validName.current;
  const tokens = ["start", ...name];
  const isUntrained = state.weights === "untrained";
  const gpt = useMemo(() => {
    const trained = gptFromMatrices(result.heads, result.matrices);
    return isUntrained ? trained.initializeWeights(rngAfterShuffle(result.shuffled_count)) : trained;
  }, [isUntrained]);
  const heads = useMemo(() => {
    const layer = gpt.computeActivations(encodeName(name).slice(0, -1)).layers[0] as LayerActivations;
    return Array.from({ length: result.heads }, (_, head) => headAttentionPerToken(layer, head));
  }, [name, gpt]);

  const validPosition = (value: number, last: number): number =>
    Number.isInteger(value) && value <= last ? value : -1;
  const last = tokens.length - 1;
  const head = Math.max(0, validPosition(state.head, result.heads - 1));
  const asks = validPosition(state.asks, last) < 0 ? last : state.asks;
  const to = validPosition(state.to, asks);
  const attentions = heads[head] as HeadAttention[];
  const weights = attentions.map((attention) => attention.weights);
  const sentence = describeAttention(tokens, weights[asks] as number[]);
  // −1 keeps the last position selected, however long the name becomes.
  const selectQuery = (position: number): void =>
    update({ asks: position === last ? -1 : position, to: Math.min(to, position) });
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
          onChange={(chosen) => update({ weights: chosen })}
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
            onChange={(chosen) => update({ head: chosen })}
          />
        )}
        <AttentionArcs
          tokens={tokens}
          weights={weights}
          queryPosition={asks}
          onSelectQuery={selectQuery}
          keyPosition={to}
          onSelectKey={(position) => update({ to: position === to ? -1 : position })}
        />
        <p class="caption" role="status">
          {sentence}
        </p>
        {to >= 0 ? (
          <WeightBreakdown tokens={tokens} attentions={attentions} queryPosition={asks} keyPosition={to} />
        ) : (
          <p class="note controls">Pick another letter to let it ask, or a percentage to see every number behind it.</p>
        )}
      </div>
      <p class="link-row controls">
        <CopyLinkButton getUrl={() => urlWithState("attention", defaults, state)} subject="picture" />
      </p>
    </>
  );
}
