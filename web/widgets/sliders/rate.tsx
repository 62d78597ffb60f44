/** The shower: one weight, one bias, and how far each step goes. */

import { useState } from "preact/hooks";
import { fixed } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import { Axes, Dot, line, Plane, scale } from "./plane.js";
import { Verdict } from "./says.js";

const X = 2;
const FIRST = -5;
const STEPS = 12;
const LARGEST = 8;

// What flies farther leaves the picture.
const place = scale([0, STEPS], [-LARGEST, LARGEST], [8, 8]);

/** What one step multiplies the error by. */
const factorOf = (rate: number): number => 1 - 2 * rate * (X * X + 1);

function verdict(factor: number): string {
  const size = Math.abs(factor);
  if (size < 0.005) return "One step, and it’s there.";
  if (size > 1.005) return "Each step overshoots by more than the last. It runs away: scalding, then icy.";
  if (size > 0.995) return "It jumps from one side of the truth to the other, forever.";
  const pace = size > 0.7 ? "slowly" : "quickly";
  return factor > 0 ? `It closes in on the truth ${pace}.` : `It flies past the truth each time, and settles ${pace}.`;
}

export function Rate() {
  const [rate, setRate] = useState(0.05);
  const factor = factorOf(rate);
  const errors = Array.from({ length: STEPS + 1 }, (_, step) => FIRST * factor ** step);
  const places = errors.map((error, step) => place(step, error));
  return (
    <>
      <div class="controls">
        <Slider label="rate" value={rate} min={0.005} max={0.225} step={0.005} digits={3} onInput={setRate} />
      </div>
      <Plane label={`The error after each of ${STEPS} steps, at a rate of ${rate.toFixed(3)}. ${verdict(factor)}`}>
        <path class="line" d={line([place(0, 0), place(STEPS, 0)])} />
        <path class="line curve gradient" d={line(places)} />
        {places.map((at) => (
          <Dot at={at} look="dot gradient" r={4} />
        ))}
        <Axes across="step" up="error" />
      </Plane>
      <Verdict>
        Each step multiplies the error by {fixed(factor, 2)}. {verdict(factor)}
      </Verdict>
    </>
  );
}
