/** Attention, for any name: arcs from the letter that asks, the whole matrix, and every number behind a weight. */

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { gptOf, type Layer, type Look, looksOf } from "../../engine/gpt.js";
import { documentOf } from "../../engine/network.js";
import { afterShuffle } from "../../engine/random.js";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { HeatMap } from "../../parts/heat_map.js";
import { Looks } from "../../parts/looks.js";
import { fixed, scientific } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { read as readName, refusal } from "../../parts/refusal.js";
import { TextField } from "../../parts/text_field.js";
import type { Given } from "../../runtime/widget.js";
import type { Attention, AttentionParameters } from "../types.js";
import { called, saying } from "./says.js";

const VIEWS = [
  ["arcs", "arcs alone"],
  ["cache", "one by one: the cache"],
  ["mask", "all at once: the mask"],
] as const;
type View = (typeof VIEWS)[number][0];

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
  looks: Look[];
  asks: number;
  to: number;
}

/** Every number between a token that asks and what it takes home. */
function Numbers({ tokens, looks, asks, to }: NumbersProps) {
  const [wanted, setNumber] = useState(0);
  const { query, scores, weights, output } = looks[asks] as Look;
  const { key } = looks[to] as Look;
  const number = Math.min(wanted, query.length - 1);
  const root = Math.sqrt(query.length);
  const largest = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - largest));
  const three = (x: number | undefined): string => fixed(x ?? 0, 3);
  const values = looks.slice(0, asks + 1).map(({ value }) => value[number] as number);
  return (
    <div class="numbers-behind">
      <p class="title">
        Why {called(tokens, asks)} gives {to === asks ? "itself" : called(tokens, to)} {three(weights[to])}
      </p>
      <div class="canvas" tabIndex={0} role="group" aria-label="Query times key, number by number">
        <Readout
          class="products"
          rows={[
            [`query of ${tokens[asks]}`, ...query.map(three)],
            [`key of ${tokens[to]}`, ...key.map(three)],
            ["product", ...query.map((q, i) => three(q * (key[i] as number)))],
          ]}
        />
      </div>
      <p>
        The products add up to {three((scores[to] as number) * root)}: that’s <i>q</i>·<i>k</i> below. Divide, take e to
        that power (less the largest, which changes no share), and each token’s value counts by its share:
      </p>
      <div class="canvas" tabIndex={0} role="group" aria-label="From scores to what comes home">
        <Readout
          class="shares-of"
          head={[
            "asked",
            <>
              <i>q</i>·<i>k</i>
            </>,
            <>
              ÷ √{query.length} = <i>s</i>
            </>,
            <>
              e
              <sup>
                <i>s</i> {largest < 0 ? "+" : "−"} {three(Math.abs(largest))}
              </sup>
            </>,
            "share",
            `value [${number}]`,
            "share × value",
          ]}
          rows={scores.map((score, j) => {
            const [share, value] = [weights[j] as number, values[j] as number];
            return [tokens[j], ...[score * root, score, powers[j], share, value, share * value].map(three)];
          })}
          now={to}
          foot={[
            "together",
            "",
            "",
            three(powers.reduce((sum, power) => sum + power, 0)),
            "1.000",
            "",
            three(output[number]),
          ]}
        />
      </div>
      <label class="controls">
        What comes home has {query.length} numbers. Shown is number{" "}
        <select value={number} onInput={(event) => setNumber(Number(event.currentTarget.value))}>
          {query.map((_, i) => (
            <option value={i}>{i}</option>
          ))}
        </select>
      </label>
    </div>
  );
}

export default function AttentionWidget({ parameters, result }: Given<AttentionParameters, Attention>) {
  const usual = {
    name: parameters.name,
    asks: parameters.asks ?? -1, // the last
    to: -1, // none
    head: parameters.head ?? 0,
    view: (parameters.view ?? "arcs") as string,
    weights: "trained",
  };
  const [state, setState] = useState(usual);
  const change = (changed: Partial<typeof usual>): void => setState({ ...state, ...changed });
  useLayoutEffect(() => setState(standing("attention", usual)), []);
  useAddress("attention", usual, state);

  const typed = readName(state.name);
  const why = refusal(typed);
  const readable = useRef(usual.name);
  if (why === "") readable.current = typed;
  const name = readable.current;
  const tokens = ["start", ...name];
  const own = state.weights === "untrained";
  const gpt = useMemo(() => {
    const trained = gptOf(result.heads, result.matrices);
    return own ? trained.draw(afterShuffle(result.names)) : trained;
  }, [own]);
  const document = documentOf(name).slice(0, -1);
  const layerOf = (tokens: number[]): Layer => gpt.read(tokens).layers[0] as Layer;
  const heads = useMemo(() => {
    const layer = layerOf(document);
    return Array.from({ length: result.heads }, (_, head) => looksOf(layer, head));
  }, [name, gpt]);

  const within = (value: number, last: number): number => (Number.isInteger(value) && value <= last ? value : -1);
  const last = tokens.length - 1;
  const head = Math.max(0, within(state.head, result.heads - 1));
  const asks = within(state.asks, last) < 0 ? last : state.asks;
  const to = within(state.to, asks);
  const view: View = VIEWS.find(([each]) => each === state.view)?.[0] ?? "arcs";
  const [seen, setSeen] = useState(Number.POSITIVE_INFINITY);
  const read = view === "cache" ? Math.max(Math.min(seen, last), asks) : last;
  const looks = heads[head] as Look[];
  const weights = looks.map((look) => look.weights);
  const says = saying(tokens, weights[asks] as number[]);
  // The last is the last, however long the name becomes.
  const ask = (token: number, column = Math.min(to, token)): void =>
    change({ asks: token === last ? -1 : token, to: column });
  const most = (row: number[]): number => row.indexOf(Math.max(...row));
  const matrix = weights.map((row, index) => (index <= read ? row : []));
  /** How far a letter's weights are from those with nothing behind it to hide. */
  const apart = (): number => {
    const alone = weights.map((_, i) => layerOf(document.slice(0, i + 1)).weights[head]?.[i] as number[]);
    return Math.max(...alone.flatMap((row, i) => row.map((weight, j) => Math.abs(weight - (weights[i]?.[j] ?? 0)))));
  };
  const readNext = (): void => {
    const next = read === last ? 0 : read + 1;
    setSeen(next);
    ask(next);
  };
  return (
    <>
      <TextField
        id="attention"
        label="A name"
        value={state.name}
        onInput={(name) => change({ name, asks: -1, to: -1 })}
        onEnter={() => {}}
        refusal={why ? { reason: why } : null}
      >
        <Choices
          label="Weights"
          choices={["trained", "untrained"]}
          value={own ? "untrained" : "trained"}
          onChoose={(chosen) => change({ weights: chosen })}
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
            onChoose={(chosen) => change({ head: chosen })}
          />
        )}
        <Choices label="Picture" choices={VIEWS} value={view} onChoose={(chosen) => change({ view: chosen })} />
        <Looks
          tokens={tokens}
          weights={weights}
          asks={asks}
          onAsk={ask}
          to={to}
          onPick={(token) => change({ to: token === to ? -1 : token })}
        />
        <p class="says" role="status">
          {says}
        </p>
        {view !== "arcs" && (
          <div class={`wrap matrix ${view}`}>
            <HeatMap
              rows={tokens}
              columns={tokens}
              values={matrix}
              scale="sequential"
              kind="attention"
              limit={1}
              picked={[asks, to < 0 ? asks : to]}
              onPick={(row, column) => row <= read && ask(row, Math.min(row, column))}
              format={(weight) => fixed(weight, 2)}
              label={`Each row shows whom a letter of ${name} listens to`}
              gist={`Most of all ${matrix
                .filter((row) => row.length)
                .map((row, i) => `${tokens[i]} to ${most(row) === i ? "itself" : tokens[most(row)]}`)
                .join(", ")}`}
              describe={(row, column) =>
                column > row
                  ? `${tokens[row]} and ${tokens[column]}: not there${view === "mask" ? "; score −∞, weight 0" : " yet"}`
                  : `${tokens[row]} gives ${tokens[column]} ${fixed(weights[row]?.[column] ?? 0, 2)}`
              }
              down="asks"
              across="is asked"
              cell={40}
            />
            <div>
              <p>
                {view === "cache"
                  ? `${read + 1} of ${tokens.length} are read, and the cache holds as many keys and values. Nothing hides what comes later: it isn’t there yet.`
                  : `All ${tokens.length} queries meet all keys at once. The mask gives what comes later the score −∞ (hatched), and e to that power is 0. Largest difference from the cache: ${apart() === 0 ? "0" : scientific(apart(), 1)}.`}
              </p>
              {view === "cache" && (
                <button type="button" class="controls" onClick={readNext}>
                  {read === last ? "Read it again, one by one" : `Read the next: ${tokens[read + 1]}`}
                </button>
              )}
            </div>
          </div>
        )}
        {to >= 0 ? (
          <Numbers tokens={tokens} looks={looks} asks={asks} to={to} />
        ) : (
          <p class="note controls">Pick another letter to let it ask, or a percentage to see every number behind it.</p>
        )}
      </div>
      <p class="link controls">
        <CopyLink address={() => addressOf("attention", usual, state)} of="picture" />
      </p>
    </>
  );
}
