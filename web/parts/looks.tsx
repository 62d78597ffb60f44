/**
 * Who listens to whom: tokens in a row, one of which asks, and from it an arc to each token so far. All arcs leave in
 * one band, which they share as the weights do; an arc that is wide there is wide where it lands.
 */

import { useId } from "preact/hooks";
import { roleOf } from "./kinds.js";
import { useAlive } from "./use_alive.js";

interface Props {
  tokens: string[];
  /** For each token that asks, the weight of each token so far. */
  weights: number[][];
  asks: number;
  onAsk(token: number): void;
  /** Whose weight is picked; −1 if none is. */
  to: number;
  onPick(token: number): void;
}

const [WIDE, HIGH] = [640, 240];
/** The widest cell, and the highest arc. */
const [CELL, APEX] = [WIDE / 6, HIGH - 12];
/** Of a cell: how wide the band is, and from where to where it goes; the loop ends further right. */
const [BAND, LEFT, LOOP] = [0.52, -0.44, 0.47];
/** From so many tokens on, they need less room each. */
const MANY = 9;

const share = (weight: number): string => `${Math.round(100 * weight)}`;
/** How strong its colour is: the eye tells small ones apart better than large ones. */
const strength = (weight = 0): Record<string, string> => ({ "--strength": `${Math.round(100 * Math.sqrt(weight))}%` });

/** Arcs from the band of the token that asks, the nearest token's on the left, its own on the right. */
function arcs(row: number[], count: number): string[] {
  const cell = Math.min(CELL, WIDE / count);
  const middle = (token: number): number => (WIDE - count * cell) / 2 + (token + 0.5) * cell;
  const asks = row.length - 1;
  const natural = (distance: number): number => 24 + 0.5 * distance * cell;
  const scale = Math.min(1, APEX / natural(count - 1));
  let from = middle(asks) + LEFT * cell;
  const found: string[] = [];
  for (const token of [...row.keys()].slice(0, -1).reverse().concat(asks)) {
    const width = (row[token] as number) * BAND * cell;
    const own = token === asks;
    // Where it lands: from the outer edge to the inner.
    const [outer, inner] = own
      ? [middle(asks) + LOOP * cell, middle(asks) + LOOP * cell - width]
      : [middle(token) - width / 2, middle(token) + width / 2];
    const [first, last] = own ? [from, from + width] : [from + width, from];
    const apex = own ? 0.26 * cell + width : scale * natural(asks - token);
    const high = (at: number): string => (HIGH - (at * 4) / 3).toFixed(1);
    const [over, under] = [high(apex), high(apex - width)];
    const [a, b, c, d] = [first, outer, inner, last].map((x) => x.toFixed(1));
    found[token] =
      `M${a} ${HIGH}C${a} ${over} ${b} ${over} ${b} ${HIGH}H${c}C${c} ${under} ${d} ${under} ${d} ${HIGH}Z`;
    from += width;
  }
  return found;
}

export function Looks({ tokens, weights, asks, onAsk, to, onPick }: Props) {
  const alive = useAlive();
  const id = useId();
  const row = weights[asks] ?? [];
  const paths = arcs(row, tokens.length);
  // The strongest lies on top.
  const order = [...row.keys()].sort((a, b) => (row[a] as number) - (row[b] as number));
  const taken = row.map((weight, token) => `${token === asks ? "itself" : tokens[token]} ${share(weight)}%`);
  return (
    <div
      class={tokens.length > MANY ? "looks many" : "looks"}
      style={{ ...roleOf("attention"), "--count": String(tokens.length) }}
    >
      <svg
        viewBox={`0 0 ${WIDE} ${HIGH}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${tokens[asks]} gives ${taken.join(", ")}`}
      >
        {order.map((token) => (
          <path key={token} class={token === to ? "arc to" : "arc"} d={paths[token]} style={strength(row[token])} />
        ))}
      </svg>
      <div class="row" role="radiogroup" aria-label="Who asks">
        {tokens.map((token, index) => (
          <label class={index === asks ? "who asks" : index > asks ? "who later" : "who"} style={strength(row[index])}>
            <input
              class="controls"
              type="radio"
              name={id}
              checked={index === asks}
              aria-label={`${token} at position ${index} asks`}
              onInput={() => onAsk(index)}
            />
            <span class={token.length > 1 ? "long" : ""} aria-hidden="true">
              {token}
            </span>
          </label>
        ))}
      </div>
      <div class="row shares">
        {row.map((weight, index) => {
          const says = (
            <>
              {share(weight)}
              <span class="unit">%</span>
            </>
          );
          return alive ? (
            <button
              type="button"
              aria-expanded={index === to}
              aria-label={`${tokens[asks]} gives ${tokens[index]} ${share(weight)}%`}
              onClick={() => onPick(index)}
            >
              {says}
            </button>
          ) : (
            <span class="button share" aria-hidden="true">
              {says}
            </span>
          );
        })}
      </div>
    </div>
  );
}
