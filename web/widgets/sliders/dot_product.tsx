/** One dot product, number by number: numbers to drag, or the embeddings of two tokens. */

import { useState } from "preact/hooks";
import { TOKENS } from "../../engine/network.js";
import { dot, type Vector } from "../../engine/vectors.js";
import { fixed } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";
import type { Sliders } from "../types.js";
import { Verdict } from "./says.js";

const FIRST = { w: [1, -0.5, 2, 0.5], x: [0.5, 1, 1, -1] };

/** The numbers that a reader may choose lie between this and its negative. */
const LARGEST = 2;
/** So many of the embeddings that agree most, and least, are named. */
const NAMED = 4;

interface StretchProps {
  from: number;
  to: number;
  half: number;
}

/** From one sum to the next, on a scale with 0 in the middle. */
function Stretch({ from, to, half }: StretchProps) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const share = (value: number): string => `${((50 * value) / half).toFixed(2)}%`;
  return (
    <span class="track" aria-hidden="true">
      <span class={to < from ? "fill back" : "fill"} style={{ left: share(half + left), width: share(right - left) }} />
    </span>
  );
}

/** What a dot product tells, in a sentence. */
function verdict(products: Vector, sum: number): string {
  if (products.every((product) => product === 0))
    return "In no place are both numbers other than 0: the dot product is 0.";
  if (Math.abs(sum) < 1e-9) return "What agrees and what disagrees cancels: the dot product is 0.";
  const count = (sign: number): number => products.filter((product) => Math.sign(product) === sign).length;
  const said = sum > 0 ? "positive: more agreement" : "negative: less agreement";
  return `The signs agree in ${count(1)} of ${products.length} places, and differ in ${count(-1)}. The sum is ${said} than disagreement.`;
}

export function DotProduct({ embeddings }: Sliders) {
  const [own, setOwn] = useState(FIRST);
  /** The tokens of the two embeddings; null when the numbers are the reader's. */
  const [pair, compare] = useState<[number, number] | null>(null);
  const [w, x] = pair ? (pair.map((token) => embeddings[token]) as [Vector, Vector]) : [own.w, own.x];
  const products = w.map((each, i) => each * (x[i] as number));
  const running = products.map((_, i) => products.slice(0, i + 1).reduce((sum, each) => sum + each, 0));
  const sum = running.at(-1) as number;
  const half = Math.max(1, ...running.map(Math.abs));
  // Embeddings have a digit more than the reader's own numbers.
  const number = (value: number): string => fixed(value, pair ? 3 : 2);
  const like = (token: number): string => {
    const agrees = embeddings.map((each) => dot(each, embeddings[token] as Vector));
    const others = [...TOKENS.keys()].filter((other) => other !== token);
    const names = others
      .toSorted((i, j) => (agrees[j] as number) - (agrees[i] as number))
      .map((other) => TOKENS[other] as string);
    const [most, least] = [names.slice(0, NAMED), names.slice(-NAMED)].map((some) => some.join(", "));
    return ` Of all other embeddings, those of ${most} agree most with that of ${TOKENS[token]}; those of ${least} agree least.`;
  };
  return (
    <div class="dot-panel">
      <div class="choices controls">
        <button
          type="button"
          aria-pressed={pair !== null}
          onClick={() => compare(pair ? null : [TOKENS.indexOf("a"), TOKENS.indexOf("o")])}
        >
          two embeddings
        </button>
      </div>
      {pair === null ? (
        <div class="columns vectors controls">
          {(["w", "x"] as const).map((which) => (
            <div role="group" aria-label={`The vector ${which}`}>
              {own[which].map((value, index) => (
                <Slider
                  label={`${which}[${index}]`}
                  value={value}
                  min={-LARGEST}
                  max={LARGEST}
                  step={0.1}
                  digits={2}
                  onInput={(to) => setOwn({ ...own, [which]: own[which].with(index, to) })}
                />
              ))}
            </div>
          ))}
        </div>
      ) : (
        <div class="wrap controls">
          {pair.map((token, which) => (
            <label class="choice">
              <code>{which === 0 ? "w" : "x"}</code> is the embedding of{" "}
              <select
                value={token}
                onInput={({ currentTarget }) =>
                  compare(pair.with(which, Number(currentTarget.value)) as [number, number])
                }
              >
                {TOKENS.map((name, index) => (
                  <option value={index}>{name}</option>
                ))}
              </select>
            </label>
          ))}
        </div>
      )}
      <Readout
        head={["w", "x", "w × x", "sum", ""]}
        rows={products.map((product, i) => [
          number(w[i] as number),
          number(x[i] as number),
          <span class={product < 0 ? "back" : ""}>{number(product)}</span>,
          number(running[i] as number),
          <Stretch from={running[i - 1] ?? 0} to={running[i] as number} half={half} />,
        ])}
        foot={["dot product", "", "", number(sum), <Stretch from={0} to={sum} half={half} />]}
      />
      <Verdict>
        {verdict(products, sum)}
        {pair && like(pair[0])}
      </Verdict>
    </div>
  );
}
