/** Logits to move, and the probabilities that softmax makes of them, with its subtraction or without. */

import { useState } from "preact/hooks";
import { softmax, type Vector } from "../../engine/vectors.js";
import { grouped, scientific, signed } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";

const FIRST = [2, 1, 0, -1];
const LARGEST = 5;
const FARTHEST = 1000;
const NAMES = "abcd";
/** A probability is wrong from here on. */
const WRONG = 5e-5;

const plus = (value: number): string => (value > 0 ? `+${grouped(value)}` : grouped(value));

/** A number of any size, in few characters. */
function Exponential({ value }: { value: number }) {
  if (value === Number.POSITIVE_INFINITY) return <span class="none">too large</span>;
  if (value === 0) return <>0</>;
  return <>{value >= 1e-4 && value < 1e5 ? value.toPrecision(5).replace(/\.0+$/, "") : scientific(value, 2)}</>;
}

/** What becomes of the logits in Python. */
function shares(logits: Vector, subtract: boolean) {
  const largest = Math.max(...logits);
  const exponents = logits.map((logit) => (subtract ? logit - largest : logit));
  const exps = exponents.map(Math.exp);
  const total = exps.reduce((sum, exp) => sum + exp, 0);
  // What JavaScript calls infinite raises an error in Python, but for a sum of floats.
  const overflow = exponents.find((_, i) => exps[i] === Number.POSITIVE_INFINITY);
  const fails = overflow !== undefined || !Number.isFinite(total) || total === 0;
  const p = overflow !== undefined || total === 0 ? null : exps.map((exp) => exp / total);
  const off = Math.max(...softmax(logits).map((share, i) => Math.abs(share - (p?.[i] ?? 0))));
  const says = (): string => {
    if (overflow !== undefined) return `math.exp(${overflow}) raises an OverflowError: no float is as large.`;
    if (!Number.isFinite(total))
      return "Each exponential is still a float, but their sum is not: it becomes infinite, and every probability 0.";
    if (total === 0)
      return "Every exponential is so small that it is rounded to 0. Their sum is 0, and dividing by it raises a ZeroDivisionError.";
    if (subtract)
      return "The largest exponent is 0, so its exponential is 1: nothing is too large, and the sum is never 0.";
    if (off > WRONG)
      return `The exponentials are at the lower end of what a float can hold, and have lost digits: a probability is wrong by ${off.toPrecision(2)}.`;
    return "To the digits shown, these are the probabilities that the subtraction gives.";
  };
  return { exponents, exps, total, p, fails, says: says() };
}

export function Softmax() {
  const [logits, setLogits] = useState(FIRST);
  const [added, add] = useState(0);
  const [subtract, setSubtract] = useState(true);
  const moved = logits.map((logit) => logit + added);
  const { exponents, exps, total, p, fails, says } = shares(moved, subtract);
  return (
    <div class="softmax-panel">
      <div class="columns controls">
        <div role="group" aria-label="Logits">
          {logits.map((logit, index) => (
            <Slider
              label={NAMES[index] as string}
              value={logit}
              min={-LARGEST}
              max={LARGEST}
              step={0.5}
              format={(value) => signed(String(value))}
              onInput={(value) => setLogits(logits.with(index, value))}
            />
          ))}
        </div>
        <div class="all">
          <Slider
            label="added to all"
            value={added}
            min={-FARTHEST}
            max={FARTHEST}
            step={10}
            format={plus}
            onInput={add}
          />
          <label class="check">
            <input type="checkbox" checked={subtract} onInput={(event) => setSubtract(event.currentTarget.checked)} />
            subtract the largest
          </label>
        </div>
      </div>
      <Readout
        head={["", "logit", "exponent", "exp", "probability"]}
        rows={moved.map((logit, i) => [
          NAMES[i],
          grouped(logit),
          grouped(exponents[i] as number),
          <Exponential value={exps[i] as number} />,
          <>
            {p ? (p[i] as number).toFixed(4) : "–"}
            <span class="track" aria-hidden="true">
              <span class="fill" style={{ width: `${Math.round(1000 * (p?.[i] ?? 0)) / 10}%` }} />
            </span>
          </>,
        ])}
        foot={["sum", "", "", <Exponential value={total} />, ""]}
      />
      <p class={fails ? "verdict fails" : "verdict"} role="status">
        {fails && "No probabilities. "}
        {says}
      </p>
    </div>
  );
}
