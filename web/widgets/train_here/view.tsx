/** The run of Step 1 beside that of Step 0, to be trained again in the page. */

import { Curves, type Series } from "../../parts/curves.js";
import { decimals, grouped } from "../../parts/numerals.js";
import { RunForm } from "../../parts/run_form.js";
import { TrainingTable } from "../../parts/training_table.js";
import { useRun } from "../../parts/use_run.js";
import type { Given } from "../../runtime/widget.js";
import type { TrainHere, TrainHereParameters } from "../types.js";

const FIELDS: [key: "steps" | "rate" | "seed", name: string][] = [
  ["steps", "steps"],
  ["rate", "learning rate"],
  ["seed", "seed"],
];
/** Rows of the table that have room from the start: after as many steps we look. */
const ROOM = 4;

export default function Train(given: Given<TrainHereParameters, TrainHere>) {
  const python = useRun<TrainHereParameters, TrainHere>("train_here", given, given.parameters.steps, ({ network }) =>
    Math.max(1, network.length),
  );
  const { result, parameters, cursor } = python;
  const { counting, network, counting_mean, network_mean, looks, held_out, end } = result;
  const broken = end !== "";
  const series: Series[] = [
    { name: "counting", kind: "s1", values: counting_mean },
    { name: "network", kind: "s2", values: network_mean, broken },
  ];
  const at = cursor.at - 1;
  const describe = (step: number): string =>
    `step ${grouped(step)} of ${grouped(parameters.steps)}: mean loss of counting ${decimals(counting_mean[step - 1], 3)}, ` +
    `of the network ${decimals(network_mean[step - 1], 3)}`;
  const last = looks.at(-1);
  const complete = last?.step === parameters.steps;
  const outcome = broken
    ? `The run ends with step ${grouped(network.length + 1)}: ${end}.`
    : last && complete
      ? `After ${grouped(last.step)} steps, on ${grouped(held_out)} names that neither has seen: ` +
        `counting ${decimals(last.counting, 3)}, the network ${decimals(last.network, 3)} nats per token.`
      : "";
  // What the page has is recorded; whatever the reader runs is trained.
  const start = { ...given.parameters, recorded: false };
  const train = { ...python, ask: (run: TrainHereParameters) => python.ask({ ...run, recorded: false }) };
  const examples: [name: string, numbers: TrainHereParameters][] = [
    ["the whole run", start],
    ["150 steps", { ...start, steps: 150 }],
    ["a tenth of the rate", { ...start, rate: 0.1 }],
    ["three times the rate", { ...start, rate: 3 }],
    ["another seed", { ...start, seed: start.seed + 1 }],
  ];
  return (
    <>
      <Curves
        panels={[{ title: "mean loss of the last 50 steps (nats)", series, height: 210, axis: "linear" }]}
        steps={parameters.steps}
        last={Math.max(1, network.length)}
        cursor={cursor}
        label={`Losses of two models. At the end, ${describe(Math.max(1, network.length))}`}
        describe={describe}
      />
      <table class="readout">
        <caption>Step {grouped(cursor.at)}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <span class="key s1" /> counting
            </th>
            <th scope="col">
              <span class="key s2" /> network
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">loss of its name</th>
            <td>{decimals(counting[at], 3)}</td>
            <td>{decimals(network[at], 3)}</td>
          </tr>
          <tr>
            <th scope="row">mean of the last 50</th>
            <td>{decimals(counting_mean[at], 3)}</td>
            <td>{decimals(network_mean[at], 3)}</td>
          </tr>
        </tbody>
      </table>
      <div class="scroll" tabIndex={0}>
        <TrainingTable
          caption="Held-out loss (nats per token), and names that the network invents"
          losses={["counting", "network"]}
          samples="names, at temperature 0.5"
          looks={looks.map((look) => ({ ...look, losses: [look.counting, look.network] }))}
          room={ROOM}
        />
      </div>
      <p class="verdict">{outcome}</p>
      <span class="sr-only" role="status">
        {python.ended && outcome}
      </span>
      <RunForm id="train-here" python={train} label="Runs to train" examples={examples} fields={FIELDS} run="Train" />
    </>
  );
}
