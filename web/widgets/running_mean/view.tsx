/** A series of gradients and the running mean of it, for a β that the reader chooses. */

import { mean, pairs, range } from "d3-array";
import { useState } from "preact/hooks";
import { Random } from "../../engine/random.js";
import { Choices } from "../../parts/choices.js";
import { Curves, type Series, useCursor } from "../../parts/curves.js";
import { decimals, grouped, plural } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";
import GRADIENTS from "./gradients.json";

const SERIES = [
  ["jump", "a jump in noise"],
  ["noise", "noise alone"],
  ["gradient", "a real gradient"],
] as const;

/** Levels, each with noise of its own. */
function noiseAround(levels: number[]): number[] {
  const random = new Random(42);
  return levels.map((level) => level + random.gauss(0.7));
}

const STEPS = 100;
const VALUES = {
  jump: noiseAround(range(STEPS).map((step) => (step < STEPS / 2 ? 1 : -1))),
  noise: noiseAround(range(STEPS).map(() => 0)),
  /** Of lm_head[a][0] in the first steps of Step 5's run; snippets/records/runs.py records them. */
  gradient: GRADIENTS,
};

/** Where the cursor stands at first: the means differ most from what they should be. */
const EARLY = 5;

/** Adam's mean after each value. */
function meanOf(values: number[], beta: number): number[] {
  let mean = 0;
  return values.map((value) => {
    mean = beta * mean + (1 - beta) * value;
    return mean;
  });
}

/** The mean size of a move from one value to the next. */
const move = (values: number[]): number => mean(pairs(values, (a, b) => Math.abs(b - a))) ?? 0;

export default function RunningMeanWidget() {
  const [beta, setBeta] = useState(0.95);
  const [chosen, choose] = useState<keyof typeof VALUES>("jump");
  const values = VALUES[chosen];
  const means = meanOf(values, beta);
  // What the weights of the values so far add up to
  const share = values.map((_, i) => 1 - beta ** (i + 1));
  const corrected = means.map((mean, i) => mean / (share[i] as number));
  const window = 1 / (1 - beta);
  const cursor = useCursor(EARLY, values.length);
  const at = cursor.at - 1;
  const series: Series[] = [
    { name: "gradient", kind: "each", values },
    { name: "mean", kind: "mean", values: means },
    { name: "corrected", kind: "corrected", values: corrected },
  ];
  const describe = (step: number): string =>
    `step ${step}: gradient ${decimals(values[step - 1], 3)}, mean ${decimals(means[step - 1], 3)}, ` +
    `corrected ${decimals(corrected[step - 1], 3)}`;
  const rows: [head: string, value: number | undefined][] = [
    ["gradient", values[at]],
    ["running mean", means[at]],
    ["weight of the gradients so far", share[at]],
    ["mean divided by that weight", corrected[at]],
  ];
  const facts: [head: string, value: string][] = [
    ["weight of the newest gradient, 1\u00a0−\u00a0β", decimals(1 - beta, 2)],
    ["gradients that count, 1 / (1 − β)", decimals(window, 1)],
    ["share of the weight on so many", decimals(1 - beta ** Math.round(window), 2)],
    ["halfway to a new level after", plural(Math.max(1, Math.ceil(Math.log(0.5) / Math.log(beta))), "step")],
    ["gradient, average change per step", decimals(move(values), 3)],
    ["running mean, average change per step", decimals(move(means), 3)],
  ];
  return (
    <>
      <Choices label="Series of gradients" choices={SERIES} value={chosen} onChoose={choose} />
      <div class="controls">
        <Slider label="β" value={beta} max={0.99} step={0.01} digits={2} onInput={setBeta} />
      </div>
      <Curves
        panel={{ title: "Gradients and their running mean", series, height: 230 }}
        steps={values.length}
        last={values.length}
        cursor={cursor}
        label={`A series of gradients and its running mean. At the end, ${describe(values.length)}`}
        describe={describe}
      />
      <div class="columns">
        <Readout
          caption={`After ${grouped(cursor.at)} ${cursor.at === 1 ? "gradient" : "gradients"}`}
          rows={rows.map(([head, value]) => [head, decimals(value, 3)])}
        />
        <Readout caption={`β = ${beta.toFixed(2)}`} rows={facts} />
      </div>
    </>
  );
}
