/** The questions of a name, and what each answer costs. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { NameField } from "../../parts/name_field.js";
import { decimals, grouped } from "../../parts/numerals.js";
import { Player, usePlace } from "../../parts/player.js";
import { refusal } from "../../parts/refusal.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { LossOfAModel, LossQuestion, NameLoss, NameLossParameters } from "../types.js";

const EXAMPLES = ["emma", "marina", "xavier"];

interface BarProps {
  loss: number;
  blind: number;
  most: number;
  kind: string;
}

function LossBar({ loss, blind, most, kind }: BarProps) {
  const part = (value: number): string => `${Math.round((1000 * value) / most) / 10}%`;
  return (
    <span class={`track ${kind}`} aria-hidden="true">
      <span class={loss > blind ? "fill over" : "fill"} style={{ width: part(loss) }} />
      <span class="blind" style={{ left: part(blind) }} />
    </span>
  );
}

export default function LossOfAName(given: Given<NameLossParameters, NameLoss>) {
  const python = usePython<NameLossParameters, NameLoss>("name_loss", given, ({ name }) => refusal(name));
  const name = python.parameters.name;
  const { tokens, models, blind } = python.result;
  const [chosen, setChosen] = useState(models.length - 1);
  const { learnt, questions } = models[chosen] as LossOfAModel;
  const last = questions.length;
  // It begins with every answer; a new name is shown so, too.
  const [at, move] = usePlace(python.result, last);
  const current = questions[at - 1];
  const losses = models.flatMap((model) => model.questions.map(({ loss }) => loss));
  const most = 1.04 * Math.max(blind, ...losses);
  const pair = ({ token, target }: LossQuestion): string => `${tokens[token]} → ${tokens[target]}`;
  const describe = (to: number): string => {
    const question = questions[to - 1];
    if (question === undefined) return "nothing has been asked";
    const { p, loss, choice, mean, mean_choice } = question;
    return (
      `${pair(question)}: probability ${decimals(p, 4)}, loss ${decimals(loss, 4)}, as unsure as a fair choice ` +
      `among ${decimals(choice, 1)}. Mean of ${to}: ${decimals(mean, 4)}, among ${decimals(mean_choice, 1)}.`
    );
  };
  return (
    <>
      <NameField id="name-loss" python={python} examples={EXAMPLES} />
      <Choices
        label="Names that the model has learnt"
        choices={models.map((model, index) => [index, grouped(model.learnt)])}
        value={chosen}
        onChoose={setChosen}
        word="Names learnt"
      />
      <div class={python.stale ? "stale" : ""}>
        <table class="readout">
          <caption>
            “{name}” scored by a model that has learnt {grouped(learnt)} names
          </caption>
          <thead>
            <tr>
              <th scope="col">came</th>
              <th scope="col" class="number">
                p
              </th>
              <td />
              <th scope="col" class="number">
                −log p
              </th>
              <th scope="col" class="choice">
                like choosing among
              </th>
            </tr>
          </thead>
          <tbody>
            {questions.map((question, index) => (
              <tr class={index >= at ? "ahead" : index === at - 1 ? "now" : ""}>
                <th scope="row">{pair(question)}</th>
                <td>{index < at && decimals(question.p, 4)}</td>
                <td>{index < at && <LossBar loss={question.loss} blind={blind} most={most} kind="one" />}</td>
                <td>{index < at && decimals(question.loss, 4)}</td>
                <td class="choice">{index < at && decimals(question.choice, 1)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={2}>
                mean{at > 0 && ` of ${at}`}
              </th>
              <td>{current && <LossBar loss={current.mean} blind={blind} most={most} kind="mean" />}</td>
              <td>{current && decimals(current.mean, 4)}</td>
              <td class="choice">{current && decimals(current.mean_choice, 1)}</td>
            </tr>
          </tfoot>
        </table>
        <p class="note">
          <span>
            <span class="blind" aria-hidden="true" /> blind guess, {decimals(blind, 4)}
          </span>{" "}
          <span>
            <span class="swatch over" aria-hidden="true" /> more surprising
          </span>
        </p>
      </div>
      <Player last={last} at={at} onMove={move} label="the questions of a name" describe={describe} />
    </>
  );
}
