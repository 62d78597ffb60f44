/** A bent coin: what it costs to say a probability, under two rules. */

import { useState } from "preact/hooks";
import { decimals } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";
import { Axes, Dot, HIGH, line, Plane, scale } from "./plane.js";
import { Verdict } from "./says.js";

const HEADS = 0.7;
const FLIPS = 100;
/** Nats, at the top of the picture: what costs more leaves it. */
const MOST = 1.5;

const RULES = [
  { name: "−ln p", kind: "gradient", cost: (p: number): number => -Math.log(p) },
  { name: "1 − p", kind: "data dashed", cost: (p: number): number => 1 - p },
] as const;
type Cost = (p: number) => number;

/** What a flip costs on average if this was said of heads. */
const expected = (cost: Cost, said: number): number => HEADS * cost(said) + (1 - HEADS) * cost(1 - said);

const place = scale([0, 1], [0, MOST], [10, 20]);
const SAID = Array.from({ length: 99 }, (_, i) => (i + 1) / 100);

function verdict(said: number): string {
  if (Math.abs(said - HEADS) < 0.005) return "That’s the truth, and under −ln p nothing is cheaper.";
  if (said > HEADS) return "You’re boasting. Under 1 − p that pays, and under −ln p it costs you.";
  if (said >= 0.5) return "Too modest: both rules charge you for it.";
  return "You’re betting against the coin, and both rules charge you for it.";
}

export function Coin() {
  const [said, say] = useState(0.9);
  const [heads, setHeads] = useState<number | null>(null);
  const paid = (cost: Cost): string =>
    heads === null ? "–" : decimals((heads * cost(said) + (FLIPS - heads) * cost(1 - said)) / FLIPS, 3);
  return (
    <>
      <div class="controls">
        <Slider label="you say of heads" value={said} min={0.01} max={0.99} step={0.01} digits={2} onInput={say} />
        <button
          type="button"
          onClick={() => setHeads(Array.from({ length: FLIPS }, Math.random).filter((u) => u < HEADS).length)}
        >
          Flip {FLIPS} coins
        </button>
      </div>
      <Plane label="What a flip costs on average, for everything that you could say, under each rule">
        <path class="line" d={line([place(0, 0), place(1, 0)])} />
        <path class="line dotted" d={line([place(HEADS, 0), place(HEADS, MOST)])} />
        {RULES.map(({ kind, cost }) => (
          <>
            <path class={`line curve ${kind}`} d={line(SAID.map((p) => place(p, expected(cost, p))))} />
            <Dot at={place(said, expected(cost, said))} look={`dot ${kind}`} r={6} />
          </>
        ))}
        <text x={place(HEADS, 0)[0]} y={HIGH - 4}>
          the coin
        </text>
        <Axes across="what you say" up="cost" />
      </Plane>
      <Readout
        head={["a flip costs", "on average", `${heads ?? "–"} heads of ${FLIPS}`]}
        rows={RULES.map(({ name, kind, cost }) => [
          <>
            <span class={`swatch ${kind}`} /> under {name.replaceAll(" ", "\u00a0")}
          </>,
          decimals(expected(cost, said), 3),
          paid(cost),
        ])}
      />
      <Verdict>{verdict(said)}</Verdict>
    </>
  );
}
