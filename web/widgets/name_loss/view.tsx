/** The questions of a name, and what each answer costs. */

import { pairs } from "d3-array";
import { useState } from "preact/hooks";
import { pairCountsOfFirstNames, targetProbabilities } from "../../engine/bigram_table.js";
import { encodeName, TOKEN_LABELS } from "../../engine/network.js";
import { mean } from "../../engine/vectors.js";
import { Choices } from "../../parts/choices.js";
import { formatNumber, groupThousands } from "../../parts/format.js";
import { NameField, useNameField } from "../../parts/name_field.js";
import { NumberTable } from "../../parts/number_table.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { NameLossParameters } from "../types.js";

const EXAMPLES = ["emma", "marina", "xavier"];
/** How many names each model has learnt, and its table. */
const LEARNT = [0, 10, 100, 1000];
const TABLES = LEARNT.map(pairCountsOfFirstNames);
/** The loss of a blind guess. */
const BLIND = Math.log(TOKEN_LABELS.length);

/** Among how many letters a fair choice would be as unsure. */
const choice = (loss: number): string => formatNumber(Math.exp(loss), 1);

export default function LossOfAName({ parameters }: WidgetProps<NameLossParameters, null>) {
  const field = useNameField(parameters.name);
  const { validName } = field;
  const [chosen, setChosen] = useState(LEARNT.length - 1);
  const asked = pairs(encodeName(validName), (token, target) => `${TOKEN_LABELS[token]} → ${TOKEN_LABELS[target]}`);
  const answers = TABLES.map((counts) => targetProbabilities(encodeName(validName), counts));
  const chances = answers[chosen] as number[];
  const average = mean(chances.map((p) => -Math.log(p)));
  const most = 1.04 * Math.max(BLIND, ...answers.flat().map((p) => -Math.log(p)));
  const part = (value: number): string => `${Math.round((1000 * value) / most) / 10}%`;
  const bar = (loss: number, kind: string) => (
    <span class={`track ${kind}`} aria-hidden="true">
      <span class={loss > BLIND ? "fill over" : "fill"} style={{ width: part(loss) }} />
      <span class="blind" style={{ left: part(BLIND) }} />
    </span>
  );
  return (
    <>
      <NameField id="name-loss" field={field} examples={EXAMPLES} />
      <Choices
        label="Names that the model has learnt"
        choices={LEARNT.map((learnt, index) => [index, groupThousands(learnt)])}
        value={chosen}
        onChange={setChosen}
        prefix="Names learnt"
      />
      <div class={field.error ? "stale" : ""}>
        <NumberTable
          caption={`“${validName}” scored by a model that has learnt ${groupThousands(LEARNT[chosen] as number)} names`}
          columnTitles={["pair", "p", "", "−log p", "like choosing among"]}
          rows={chances.map((p, index) => {
            const loss = -Math.log(p);
            return [asked[index], formatNumber(p, 4), bar(loss, "one"), formatNumber(loss, 4), choice(loss)];
          })}
          footer={["mean", "", bar(average, "mean"), formatNumber(average, 4), choice(average)]}
        />
        <p class="note">
          <span>
            <span class="blind" aria-hidden="true" /> blind guess, {formatNumber(BLIND, 4)}
          </span>{" "}
          <span>
            <span class="swatch over" aria-hidden="true" /> more surprising
          </span>
        </p>
      </div>
    </>
  );
}
