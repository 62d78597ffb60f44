/** The losses of Steps 1 and 2: one curve, and how they differ to the last bit. */

import { Curves, type Panel } from "../../parts/curves.js";
import { grouped, scientific } from "../../parts/numerals.js";
import { RunForm } from "../../parts/run_form.js";
import { useRun } from "../../parts/use_run.js";
import type { Given } from "../../runtime/widget.js";
import type { TwoLosses, TwoLossesParameters } from "../types.js";

const FIELDS: [key: "steps" | "seed", name: string][] = [
  ["steps", "steps"],
  ["seed", "seed"],
];

/** As many units as a reader can count; more need a scale of powers. */
const COUNTABLE = 20;
/** How many floats the line shows on each side of the loss by hand. */
const NEIGHBOURS = 4;

/** A distance in units in the last place. */
function units(apart: number): string {
  const size = Math.abs(apart);
  if (size === 0) return "the same float";
  const count = size < 1e6 ? String(size) : scientific(size, 1);
  return `${count} ${size === 1 ? "unit" : "units"} in the last place apart`;
}

/** The step at which the losses are furthest apart. */
function widest(apart: number[]): number {
  const sizes = apart.map(Math.abs);
  return 1 + sizes.indexOf(Math.max(...sizes));
}

/** Enough decimals to tell any two floats of a loss's size apart. */
const digits = (loss: number): string => loss.toFixed(16);

/** A loss, with the digits marked from which on it differs from the other. */
function Digits({ loss, other }: { loss: string; other: string }) {
  let same = 0;
  while (same < loss.length && loss[same] === other[same]) same += 1;
  return (
    <>
      {loss.slice(0, same)}
      {same < loss.length && <mark>{loss.slice(same)}</mark>}
    </>
  );
}

/** The floats next to the loss by hand, each a tick, and where the two losses lie. */
function Neighbours({ apart, ulp }: { apart: number; ulp: number }) {
  const near = Math.abs(apart) <= NEIGHBOURS;
  const place = (offset: number): string => `${(100 * (offset + NEIGHBOURS + 0.5)) / (2 * NEIGHBOURS + 1)}%`;
  const ticks = Array.from({ length: 2 * NEIGHBOURS + 1 }, (_, i) => i - NEIGHBOURS);
  return (
    <div class="neighbours">
      <div class="floats" aria-hidden="true">
        {ticks.map((tick) => (
          <span class="float" style={{ left: place(tick) }} />
        ))}
        <span class="dot s1" style={{ left: place(0) }} />
        {near ? (
          <span class="dot s2" style={{ left: place(apart) }} />
        ) : (
          <span class={apart > 0 ? "far s2" : "far before s2"}>
            {apart < 0 && "← "}
            {scientific(Math.abs(apart), 1)} floats from here
            {apart > 0 && " →"}
          </span>
        )}
      </div>
      <p class="note">Each tick is a float; the next one is {scientific(ulp, 1)} away, and there is none between.</p>
    </div>
  );
}

export default function TwoLossesWidget(given: Given<TwoLossesParameters, TwoLosses>) {
  const python = useRun<TwoLossesParameters, TwoLosses>(
    "two_losses",
    given,
    widest(given.result.apart),
    (result) => result.hand.length,
  );
  const { cursor } = python;
  const { hand, graph, apart, ulp, weights, equal, furthest, end } = python.result;
  const broken = end !== "";
  const countable = furthest <= COUNTABLE;
  const panels: Panel[] = [
    {
      title: "loss (nats)",
      series: [
        { name: "by hand", kind: "s1 under", values: hand, broken },
        { name: "by graph", kind: "s2", values: graph, broken },
      ],
      height: 150,
      axis: "linear",
    },
    {
      title: `by graph − by hand, in units in the last place${countable ? "" : ", powers of ten"}`,
      series: [{ name: "difference", kind: "s3", values: apart }],
      height: 110,
      axis: countable ? "linear" : "symlog",
      least: [-4, 4],
      mark: "sticks",
    },
  ];
  const at = cursor.at - 1;
  const [first, second] = [digits(hand[at] as number), digits(graph[at] as number)];
  const describe = (step: number): string =>
    `step ${grouped(step)} of ${grouped(python.parameters.steps)}: ${digits(hand[step - 1] ?? 0)} and ` +
    `${digits(graph[step - 1] ?? 0)}, ${units(apart[step - 1] ?? 0)}`;
  const outcome = summary(hand.length, equal, furthest, end);
  const examples: [name: string, parameters: TwoLossesParameters][] = [
    [`${given.parameters.steps} steps`, given.parameters],
    ["the whole run", { ...given.parameters, steps: 1000 }],
    ["another seed", { ...given.parameters, seed: given.parameters.seed + 1 }],
    ["a wrong ReLU in the graph", { ...given.parameters, relu: "wrong" }],
  ];
  return (
    <>
      <Curves
        panels={panels}
        steps={python.parameters.steps}
        last={hand.length}
        cursor={cursor}
        label={`The losses of both programs, and their difference in units in the last place. ${outcome}`}
        describe={describe}
      />
      <table class="readout digits">
        <caption>
          Step {grouped(cursor.at)}: {units(apart[at] as number)}
        </caption>
        <tbody>
          <tr>
            <th scope="row">
              <span class="key s1 under" /> by hand
            </th>
            <td>
              <Digits loss={first} other={second} />
            </td>
          </tr>
          <tr>
            <th scope="row">
              <span class="key s2" /> by graph
            </th>
            <td>
              <Digits loss={second} other={first} />
            </td>
          </tr>
          <tr>
            <th scope="row">weights</th>
            <td class="words">at most {small(weights[at] as number)} apart</td>
          </tr>
        </tbody>
      </table>
      <Neighbours apart={apart[at] as number} ulp={ulp[at] as number} />
      <p class="verdict">{outcome}</p>
      <span class="sr-only" role="status">
        {python.ended && outcome}
      </span>
      <RunForm
        id="two-losses"
        python={python}
        label="Runs to compare"
        examples={examples}
        fields={FIELDS}
        run="Run both"
      />
    </>
  );
}

/** What is to be seen in all steps, in a sentence. */
function summary(steps: number, equal: number, furthest: number, end: string): string {
  const same =
    equal === 0
      ? "In no step are the two losses the same float"
      : `In ${equal === steps ? "every step" : `${equal} of ${steps} steps`} the two losses are the same float`;
  const others = furthest === 0 ? "" : `, and they are at most ${units(furthest)}`;
  const why = end === "" ? "" : ` The run ends with step ${grouped(steps)}: ${end}.`;
  return `${same}${others}.${why}`;
}

/** A difference of weights, which is known to two digits. */
function small(difference: number): string {
  return difference < 1e-3 && difference > 0 ? scientific(difference, 1) : String(difference);
}
