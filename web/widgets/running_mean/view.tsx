/** A series of gradients and the running mean of it, for a β that the reader chooses. */

import { Choices } from "../../parts/choices.js";
import { Curves, type Series, useCursor } from "../../parts/curves.js";
import { decimals, grouped, significant } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { RunningMean, RunningMeanParameters } from "../types.js";

const SERIES: [series: RunningMeanParameters["series"], name: string][] = [
  ["jump", "a jump in noise"],
  ["noise", "noise alone"],
  ["gradient", "a real gradient"],
];

/** Where the cursor stands at first: the means differ most from what they should be. */
const EARLY = 5;

const plural = (count: number, thing: string): string => `${count} ${thing}${count === 1 ? "" : "s"}`;

export default function RunningMeanWidget(given: Given<RunningMeanParameters, RunningMean>) {
  const python = usePython<RunningMeanParameters, RunningMean>("running_mean", given);
  const { asked, ask, parameters, result } = python;
  const { values, mean, share, corrected } = result;
  const divides = corrected.length > 0;
  const cursor = useCursor(EARLY, values.length);
  const at = cursor.at - 1;
  const series: Series[] = [
    { name: "gradient", kind: "each", values },
    { name: "mean", kind: "mean", values: mean },
  ];
  if (divides) series.push({ name: "corrected", kind: "corrected", values: corrected });
  const describe = (step: number): string =>
    `step ${step}: gradient ${decimals(values[step - 1], 3)}, mean ${decimals(mean[step - 1], 3)}` +
    (divides ? `, corrected ${decimals(corrected[step - 1], 3)}` : "");
  const rows: [head: string, value: number | undefined][] = [
    ["gradient", values[at]],
    ["running mean", mean[at]],
  ];
  if (divides) {
    rows.push(["weight of the gradients so far", share[at]]);
    rows.push(["mean divided by that weight", corrected[at]]);
  }
  const facts: [head: string, value: string][] = [
    ["weight of the newest gradient, 1 − β", significant(result.newest, 2)],
    ["gradients that count, 1 / (1 − β)", significant(result.window, 3)],
    ["share of the weight on so many", significant(result.held, 2)],
    ["half the way after a jump", plural(result.half, "step")],
    ["gradient, mean size of a move", decimals(result.series_moves, 3)],
    ["running mean, mean size of a move", decimals(result.mean_moves, 3)],
  ];
  return (
    <>
      <Choices
        label="Series of gradients"
        choices={SERIES}
        value={asked.series}
        onChoose={(one) => ask({ ...asked, series: one })}
      />
      <div class="controls">
        <Slider
          label="β"
          value={asked.beta}
          min={0}
          max={0.99}
          step={0.01}
          format={(beta) => beta.toFixed(2)}
          onInput={(beta) => ask({ ...asked, beta })}
        />
      </div>
      <div class={python.stale ? "stale" : undefined}>
        <Curves
          panel={{ title: "Gradients and their running mean", series, height: 230 }}
          steps={values.length}
          last={values.length}
          cursor={cursor}
          label={`A series of gradients and its running mean. At the end, ${describe(values.length)}`}
          describe={describe}
        />
        <div class="columns">
          <table class="readout">
            <caption>Step {grouped(cursor.at)}</caption>
            <tbody>
              {rows.map(([head, value]) => (
                <tr>
                  <th scope="row">{head}</th>
                  <td>{decimals(value, 3)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <table class="readout">
            <caption>β = {parameters.beta}</caption>
            <tbody>
              {facts.map(([head, value]) => (
                <tr>
                  <th scope="row">{head}</th>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <PythonStatus python={python} />
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
    </>
  );
}
