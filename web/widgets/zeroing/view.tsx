/** Two training runs from one start, of which one never zeroes its gradients. */

import { useState } from "preact/hooks";
import { Curves, type Panel, type Series } from "../../parts/curves.js";
import { decimals, grouped, type Numeral } from "../../parts/numerals.js";
import { RunForm } from "../../parts/run_form.js";
import { useRun } from "../../parts/use_run.js";
import type { Given } from "../../runtime/widget.js";
import type { Zeroing, ZeroingParameters, ZeroingRun } from "../types.js";

const FIELDS: [key: keyof ZeroingParameters, name: string][] = [
  ["rate", "learning rate"],
  ["seed", "seed"],
  ["steps", "steps"],
];

type Of = (run: ZeroingRun) => Numeral[];

/** The step at which the loss is largest. */
function peak(losses: Numeral[]): number {
  const numbers = losses.map((loss) => (typeof loss === "number" ? loss : 0));
  return 1 + numbers.indexOf(Math.max(...numbers));
}

export default function Zeroed(given: Given<ZeroingParameters, Zeroing>) {
  const python = useRun<ZeroingParameters, Zeroing>(
    "zeroing",
    given,
    peak(given.result.kept.losses),
    (result) => result.names.length,
  );
  const { cursor } = python;
  const { zeroed, kept, names, parameters } = python.result;
  const [chosen, setChosen] = useState(0);
  const series = (of: Of): Series[] => [
    { name: "zeroed", kind: "s1", values: of(zeroed), broken: zeroed.end !== "" },
    { name: "never zeroed", kind: "s2", values: of(kept), broken: kept.end !== "" },
  ];
  const panels: Panel[] = [
    {
      title: "loss (nats, logarithmic scale)",
      series: series((run) => run.losses),
      height: 190,
      axis: "log",
    },
    {
      title: `grad of ${parameters[chosen]}`,
      series: series((run) => run.grads[chosen] as Numeral[]),
      height: 130,
      axis: "linear",
      least: [-0.01, 0.01],
    },
  ];
  const at = cursor.at - 1;
  const rows: [head: string, of: Of][] = [
    ["loss", (run) => run.losses],
    ["the parameter", (run) => run.values[chosen] as Numeral[]],
    ["grad held", (run) => run.held[chosen] as Numeral[]],
    ["backward adds", (run) => run.added[chosen] as Numeral[]],
    ["grad holds now", (run) => run.grads[chosen] as Numeral[]],
  ];
  const describe = (step: number): string => {
    const [a, b] = [zeroed.losses[step - 1], kept.losses[step - 1]];
    const grad = (run: ZeroingRun): string => decimals(run.grads[chosen]?.[step - 1], 4);
    return (
      `step ${grouped(step)} of ${grouped(python.parameters.steps)}: with zeroing loss ${decimals(a, 4)}, ` +
      `grad ${grad(zeroed)}; without loss ${decimals(b, 4)}, grad ${grad(kept)}`
    );
  };
  const outcome = `${verdict("Zeroed", zeroed)} ${verdict("Never zeroed", kept)}`;
  const examples: [name: string, parameters: ZeroingParameters][] = [
    ["as above", given.parameters],
    ["another seed", { ...given.parameters, seed: given.parameters.seed + 1 }],
    ["a lower rate", { ...given.parameters, rate: 0.1, steps: 160 }],
    ["the rate of train", { ...given.parameters, rate: 1 }],
  ];
  return (
    <>
      <Curves
        panels={panels}
        steps={python.parameters.steps}
        last={names.length}
        cursor={cursor}
        label={`Losses and gradients of two runs. At the end, ${describe(names.length)}`}
        describe={describe}
      />
      <table class="readout">
        <caption>
          Step {grouped(cursor.at)} learns from “{names[at]}”
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <span class="key s1" /> zeroed
            </th>
            <th scope="col">
              <span class="key s2" /> never zeroed
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([head, of]) => (
            <tr>
              <th scope="row">{head}</th>
              <td>{decimals(of(zeroed)[at], 4)}</td>
              <td>{decimals(of(kept)[at], 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="verdict">{outcome}</p>
      <span class="sr-only" role="status">
        {python.ended && outcome}
      </span>
      <label class="choice watch controls">
        <span>Watch</span>
        <select value={chosen} onInput={(event) => setChosen(Number(event.currentTarget.value))}>
          {parameters.map((parameter, index) => (
            <option value={index}>{parameter}</option>
          ))}
        </select>
      </label>
      <RunForm
        id="zeroing"
        python={python}
        label="Runs to compare"
        examples={examples}
        fields={FIELDS}
        run="Run both"
      />
    </>
  );
}

/** A run in a sentence: between which losses, and why it ended early if it did. */
function verdict(name: string, { losses, lowest, highest, end }: ZeroingRun): string {
  const between = `${name}: lowest loss ${decimals(lowest, 2)}, highest ${decimals(highest, 2)}`;
  return end === "" ? `${between}.` : `${between}; it ends with step ${grouped(losses.length)}: ${end}.`;
}
