/** A mixing desk: a few parameters of the untrained network, and the loss of a name. */

import { useState } from "preact/hooks";
import { softmax } from "../../engine/trace.js";
import { decimals, fixed } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import type { Desk } from "../types.js";
import { Meter } from "./meter.js";

const REACH = 60;

const dot = (a: number[], b: number[]): number => a.reduce((sum, each, i) => sum + each * (b[i] as number), 0);

/** The loss of the name with this embedding, as the program computes it. */
function lossOf({ fc1, fc2, targets, rest, pairs }: Desk, x: number[]): number {
  const activated = fc1.map((row) => Math.max(0, dot(row, x)));
  const p = softmax(fc2.map((row) => dot(row, activated)));
  return (rest - targets.reduce((sum, target) => sum + Math.log(p[target] as number), 0)) / pairs;
}

export function MixingDesk({ desk }: { desk: Desk }) {
  const [x, setX] = useState(desk.x);
  const loss = lossOf(desk, x);
  const first = lossOf(desk, desk.x);
  const [best, setBest] = useState(first);
  const move = (column: number, to: number): void => {
    const moved = x.with(column, to);
    setX(moved);
    setBest(Math.min(best, lossOf(desk, moved)));
  };
  return (
    <>
      <div class="columns controls" role="group" aria-label={`Numbers in the embedding of ${desk.letter}`}>
        {desk.columns.map((column) => (
          <Slider
            label={`number ${column}`}
            value={x[column] as number}
            min={-REACH}
            max={REACH}
            step={1}
            format={(value) => fixed(value, 0)}
            onInput={(to) => move(column, to)}
          />
        ))}
      </div>
      <Meter label="loss of “emma”" loss={loss} />
      <p class="verdict" role="status">
        Lowest so far: {decimals(best, 3)}. Starting loss: {decimals(first, 3)}.
      </p>
      <button type="button" onClick={() => setX(desk.x)}>
        Back to the start
      </button>
    </>
  );
}
