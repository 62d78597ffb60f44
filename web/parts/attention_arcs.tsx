/**
 * Attention weights as arcs: tokens in a row, and from one of them, the query, an arc to each key so far. All arcs leave
 * the query in one band, of which each takes the share of its weight; it lands on its key as wide as it began.
 */

import { useId } from "preact/hooks";
import { colorStyle, strengthStyle } from "./colors.js";
import { useHydrated } from "./use_hydrated.js";

interface AttentionArcsProps {
  tokens: string[];
  /** For each query, the weight of each position up to its own. */
  weights: number[][];
  queryPosition: number;
  onSelectQuery(position: number): void;
  /** The key whose weight is selected; −1 if none is. */
  keyPosition: number;
  onSelectKey(position: number): void;
}

const [WIDTH, HEIGHT] = [640, 240];
const [MAX_CELL_WIDTH, MAX_ARC_HEIGHT] = [WIDTH / 6, HEIGHT - 12];
/** As shares of a cell: the width of the band, where it starts, left of the middle, and where the loop to itself ends. */
const [BAND_WIDTH, BAND_START, LOOP_END] = [0.52, -0.44, 0.47];
/** With more tokens than these, each gets less room. */
const MAX_UNCROWDED_TOKENS = 9;

const roundToPercent = (weight: number): number => Math.round(100 * weight);

/** Return an SVG path for each key, from the band of the query: the nearest key on the left, the query itself on the right. */
function arcPaths(weights: number[], count: number): string[] {
  const cell = Math.min(MAX_CELL_WIDTH, WIDTH / count);
  const middle = (token: number): number => (WIDTH - count * cell) / 2 + (token + 0.5) * cell;
  const query = weights.length - 1;
  const fullHeight = (distance: number): number => 24 + 0.5 * distance * cell;
  const scale = Math.min(1, MAX_ARC_HEIGHT / fullHeight(count - 1));
  let from = middle(query) + BAND_START * cell;
  const paths: string[] = [];
  for (const key of [...weights.keys()].slice(0, -1).reverse().concat(query)) {
    const width = (weights[key] as number) * BAND_WIDTH * cell;
    const isLoop = key === query;
    // Where it lands: from the outer edge to the inner.
    const [outer, inner] = isLoop
      ? [middle(query) + LOOP_END * cell, middle(query) + LOOP_END * cell - width]
      : [middle(key) - width / 2, middle(key) + width / 2];
    const [first, last] = isLoop ? [from, from + width] : [from + width, from];
    const apex = isLoop ? 0.26 * cell + width : scale * fullHeight(query - key);
    const controlY = (height: number): string => (HEIGHT - (height * 4) / 3).toFixed(1);
    const [over, under] = [controlY(apex), controlY(apex - width)];
    const [a, b, c, d] = [first, outer, inner, last].map((x) => x.toFixed(1));
    paths[key] =
      `M${a} ${HEIGHT}C${a} ${over} ${b} ${over} ${b} ${HEIGHT}H${c}C${c} ${under} ${d} ${under} ${d} ${HEIGHT}Z`;
    from += width;
  }
  return paths;
}

/** Draws the arcs, and lets the reader select a query and a key. */
export function AttentionArcs(props: AttentionArcsProps) {
  const { tokens, weights, queryPosition, onSelectQuery, keyPosition, onSelectKey } = props;
  const isHydrated = useHydrated();
  const id = useId();
  const row = weights[queryPosition] ?? [];
  const paths = arcPaths(row, tokens.length);
  const arcClass = (key: number) => (key === keyPosition ? "arc selected" : "arc");
  // The largest weight is drawn last, on top.
  const drawOrder = [...row.keys()].sort((a, b) => (row[a] as number) - (row[b] as number));
  const keyName = (key: number) => (key === queryPosition ? "itself" : tokens[key]);
  const weightTexts = row.map((weight, key) => `${keyName(key)} ${roundToPercent(weight)}%`);
  return (
    <div
      class={tokens.length > MAX_UNCROWDED_TOKENS ? "attention-arcs crowded" : "attention-arcs"}
      style={{ ...colorStyle("attention"), "--count": String(tokens.length) }}
    >
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${tokens[queryPosition]} gives ${weightTexts.join(", ")}`}
      >
        {drawOrder.map((key) => (
          <path key={key} class={arcClass(key)} d={paths[key]} style={strengthStyle(row[key])} />
        ))}
      </svg>
      <div class="row" role="radiogroup" aria-label="Who asks">
        {tokens.map((token, index) => (
          <label
            class={index === queryPosition ? "token query" : index > queryPosition ? "token future" : "token"}
            style={strengthStyle(row[index])}
          >
            <input
              class="controls"
              type="radio"
              name={id}
              checked={index === queryPosition}
              aria-label={`${token} at position ${index} asks`}
              onInput={() => onSelectQuery(index)}
            />
            <span class={token.length > 1 ? "long-label" : ""} aria-hidden="true">
              {token}
            </span>
          </label>
        ))}
      </div>
      <div class="row weights">
        {row.map((weight, index) => {
          const text = (
            <>
              {roundToPercent(weight)}
              <span class="unit">%</span>
            </>
          );
          return isHydrated ? (
            <button
              type="button"
              aria-expanded={index === keyPosition}
              aria-label={`${tokens[queryPosition]} gives ${tokens[index]} ${roundToPercent(weight)}%`}
              onClick={() => onSelectKey(index)}
            >
              {text}
            </button>
          ) : (
            <span class="button weight" aria-hidden="true">
              {text}
            </span>
          );
        })}
      </div>
    </div>
  );
}
