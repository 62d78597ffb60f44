/** The loss of a name, pair by pair, for tables that have counted more and more names. */

import { pairs } from "d3-array";
import { useState } from "preact/hooks";
import { pairCountsAfterNames, targetProbabilities } from "../../engine/bigram_table.js";
import { encodeName, TOKEN_LABELS } from "../../engine/network.js";
import { mean } from "../../engine/vectors.js";
import { formatNumber, groupThousands } from "../../parts/format.js";
import { NameField, useNameField } from "../../parts/name_field.js";
import { NumberTable } from "../../parts/number_table.js";
import { SingleChoice } from "../../parts/single_choice.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { NameLossParameters } from "../types.js";

const EXAMPLE_NAMES = ["emma", "marina", "xavier"];
/** How many names each table has counted. */
const NAME_COUNT_CHOICES = [0, 10, 100, 1000];
const PAIR_COUNT_TABLES = NAME_COUNT_CHOICES.map(pairCountsAfterNames);
/** The loss of a uniform guess among all tokens. */
const BLIND_GUESS_LOSS = Math.log(TOKEN_LABELS.length);

export default function NameLossWidget({ parameters }: WidgetProps<NameLossParameters, null>) {
  const field = useNameField(parameters.name);
  const { validName } = field;
  const [tableIndex, setTableIndex] = useState(NAME_COUNT_CHOICES.length - 1);
  const tokens = encodeName(validName);
  const pairLabels = pairs(tokens).map((pair) => pair.map((token) => TOKEN_LABELS[token]).join(" → "));
  const probabilitiesOfTables = PAIR_COUNT_TABLES.map((counts) => targetProbabilities(tokens, counts));
  const probabilities = probabilitiesOfTables[tableIndex] as number[];
  const meanLoss = mean(probabilities.map((p) => -Math.log(p)));
  const fullBarLoss = 1.04 * Math.max(BLIND_GUESS_LOSS, ...probabilitiesOfTables.flat().map((p) => -Math.log(p)));
  const toPercent = (value: number): string => `${Math.round((1000 * value) / fullBarLoss) / 10}%`;
  /** Return a bar, the loss, and how many equally likely letters have it. */
  const lossCells = (loss: number, kind: string) => [
    <span class={`track ${kind}`} aria-hidden="true">
      <span class={loss > BLIND_GUESS_LOSS ? "fill above-blind" : "fill"} style={{ width: toPercent(loss) }} />
      <span class="blind-guess" style={{ left: toPercent(BLIND_GUESS_LOSS) }} />
    </span>,
    formatNumber(loss, 4),
    formatNumber(Math.exp(loss), 1),
  ];
  return (
    <>
      <NameField id="name-loss" field={field} examples={EXAMPLE_NAMES} />
      <SingleChoice
        label="Names that the model has learnt"
        choices={NAME_COUNT_CHOICES.map((count, index) => [index, groupThousands(count)])}
        value={tableIndex}
        onChange={setTableIndex}
        prefix="Names learnt"
      />
      <div class={field.error ? "stale" : ""}>
        <NumberTable
          caption={`“${validName}” scored by a model that has learnt ${groupThousands(NAME_COUNT_CHOICES[tableIndex] as number)} names`}
          columnTitles={["pair", "p", "", "−ln p", "sides of a fair die"]}
          rows={probabilities.map((p, i) => [pairLabels[i], formatNumber(p, 4), ...lossCells(-Math.log(p), "one")])}
          footer={["mean", "", ...lossCells(meanLoss, "mean")]}
        />
        <p class="note">
          <span>
            <span class="blind-guess" aria-hidden="true" /> blind guess, {formatNumber(BLIND_GUESS_LOSS, 4)}
          </span>{" "}
          <span>
            <span class="swatch above-blind" aria-hidden="true" /> more surprising
          </span>
        </p>
      </div>
    </>
  );
}
