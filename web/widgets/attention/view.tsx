/** Attention, for any name: arcs from the letter that asks, and every number behind a weight. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { gptFromMatrices, type HeadAttention, headAttentionPerToken, type LayerActivations } from "../../engine/gpt.js";
import { encodeName } from "../../engine/network.js";
import { rngAfterShuffle } from "../../engine/random.js";
import { AttentionArcs } from "../../parts/attention_arcs.js";
import { Choices } from "../../parts/choices.js";
import { formatFixed } from "../../parts/format.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { NumberTable, type TableRow } from "../../parts/number_table.js";
import { TextField } from "../../parts/text_field.js";
import { CopyLinkButton, readUrlState, urlWithState, useSyncUrl } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Attention, AttentionParameters } from "../types.js";
import { called, saying } from "./describe.js";

/** A head as a picture of its matrix. */
function Thumbnail({ weights }: { weights: number[][] }) {
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

interface NumbersProps {
  tokens: string[];
  looks: HeadAttention[];
  asks: number;
  to: number;
}

/** Every number between a token that asks and what it takes home. */
function Numbers({ tokens, looks, asks, to }: NumbersProps) {
  const { query, scores, weights, output } = looks[asks] as HeadAttention;
  const { key } = looks[to] as HeadAttention;
  const root = Math.sqrt(query.length);
  const three = (x: number): string => formatFixed(x, 3);
  const taken = looks.slice(0, asks + 1).map(({ value }, j) => value.map((x) => x * (weights[j] as number)));
  const table = (what: string, rows: TableRow[], more: Partial<Parameters<typeof NumberTable>[0]> = {}) => (
    <div class="canvas" tabIndex={0} role="group" aria-label={what}>
      <NumberTable rows={rows} {...more} />
    </div>
  );
  return (
    <div class="numbers-behind">
      <p class="title">
        Why {called(tokens, asks)} gives {to === asks ? "itself" : called(tokens, to)} {three(weights[to] as number)}
      </p>
      {table(
        "Query times key, number by number",
        [
          [`query of ${tokens[asks]}`, ...query.map(three)],
          [`key of ${tokens[to]}`, ...key.map(three)],
        ],
        { footer: ["product", ...query.map((q, i) => three(q * (key[i] as number)))] },
      )}
      <p>The products add up to {three((scores[to] as number) * root)}. Softmax makes shares of all such sums:</p>
      {table(
        "From sums to shares",
        scores.map((score, j) => [tokens[j], three(score * root), three(score), three(weights[j] as number)]),
        { columnTitles: ["asked", "sum", `÷ √${query.length}`, "share"], highlightedRow: to },
      )}
      <p>What comes home is the value of each, times its share:</p>
      {table(
        "Shares times values",
        taken.map((vector, j) => [`from ${tokens[j]}`, ...vector.map(three)]),
        { footer: ["together", ...output.map(three)], highlightedRow: to },
      )}
    </div>
  );
}

export default function AttentionWidget({ parameters, result }: WidgetProps<AttentionParameters, Attention>) {
  const usual = {
    name: parameters.name,
    asks: parameters.asks ?? -1, // the last
    to: -1, // none
    head: parameters.head ?? 0,
    weights: "trained",
  };
  const [state, setState] = useState(usual);
  const change = (changed: Partial<typeof usual>): void => setState({ ...state, ...changed });
  useLayoutEffect(() => setState(readUrlState("attention", usual)), []);
  useSyncUrl("attention", usual, state);

  const typed = normalizeName(state.name);
  const why = nameError(typed);
  const readable = useRef(usual.name);
  if (why === "") readable.current = typed;
  const name = readable.current;
  const tokens = ["start", ...name];
  const own = state.weights === "untrained";
  const gpt = useMemo(() => {
    const trained = gptFromMatrices(result.heads, result.matrices);
    return own ? trained.initializeWeights(rngAfterShuffle(result.shuffled_count)) : trained;
  }, [own]);
  const heads = useMemo(() => {
    const layer = gpt.computeActivations(encodeName(name).slice(0, -1)).layers[0] as LayerActivations;
    return Array.from({ length: result.heads }, (_, head) => headAttentionPerToken(layer, head));
  }, [name, gpt]);

  const within = (value: number, last: number): number => (Number.isInteger(value) && value <= last ? value : -1);
  const last = tokens.length - 1;
  const head = Math.max(0, within(state.head, result.heads - 1));
  const asks = within(state.asks, last) < 0 ? last : state.asks;
  const to = within(state.to, asks);
  const looks = heads[head] as HeadAttention[];
  const weights = looks.map((look) => look.weights);
  const says = saying(tokens, weights[asks] as number[]);
  // The last is the last, however long the name becomes.
  const ask = (token: number, column = Math.min(to, token)): void =>
    change({ asks: token === last ? -1 : token, to: column });
  return (
    <>
      <TextField
        id="attention"
        label="A name"
        value={state.name}
        onInput={(name) => change({ name, asks: -1, to: -1 })}
        onSubmit={() => {}}
        error={why}
      >
        <Choices
          label="Weights"
          choices={["trained", "untrained"]}
          value={own ? "untrained" : "trained"}
          onChange={(chosen) => change({ weights: chosen })}
        />
      </TextField>
      <div class={why ? "stale" : ""}>
        {result.heads > 1 && (
          <Choices
            label="Head"
            class="choices heads controls"
            choices={heads.map((of, index) => [
              index,
              <>
                <Thumbnail weights={of.map((look) => look.weights)} />
                head {index}
              </>,
            ])}
            value={head}
            onChange={(chosen) => change({ head: chosen })}
          />
        )}
        <AttentionArcs
          tokens={tokens}
          weights={weights}
          queryPosition={asks}
          onSelectQuery={ask}
          keyPosition={to}
          onSelectKey={(token) => change({ to: token === to ? -1 : token })}
        />
        <p class="says" role="status">
          {says}
        </p>
        {to >= 0 ? (
          <Numbers tokens={tokens} looks={looks} asks={asks} to={to} />
        ) : (
          <p class="note controls">Pick another letter to let it ask, or a percentage to see every number behind it.</p>
        )}
      </div>
      <p class="link controls">
        <CopyLinkButton getUrl={() => urlWithState("attention", usual, state)} subject="picture" />
      </p>
    </>
  );
}
