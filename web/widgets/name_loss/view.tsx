/** The questions of a name, and what each answer costs. */

import { useState } from "preact/hooks";
import { chancesOf, countsAfter } from "../../engine/counts.js";
import { documentOf, TOKENS } from "../../engine/network.js";
import { Choices } from "../../parts/choices.js";
import { NameField, useName } from "../../parts/name_field.js";
import { decimals, grouped } from "../../parts/numerals.js";
import { Player, usePlace } from "../../parts/player.js";
import { Readout } from "../../parts/readout.js";
import type { Given } from "../../runtime/widget.js";
import type { NameLossParameters } from "../types.js";

const EXAMPLES = ["emma", "marina", "xavier"];
/** How many names each model has learnt, and its table. */
const LEARNT = [0, 10, 100, 1000];
const TABLES = LEARNT.map(countsAfter);

/** What came after a token, and how much that surprised the model. */
interface Question {
  pair: string;
  p: number;
  loss: number;
  /** The mean of the losses up to here. */
  mean: number;
}

/** Put each question of a name to a model. */
function questionsOf(name: string, counts: number[][]): Question[] {
  const document = documentOf(name);
  let sum = 0;
  return chancesOf(document, counts).map((p, i) => {
    const [token, target] = [document[i] as number, document[i + 1] as number];
    const loss = -Math.log(p);
    sum += loss;
    return { pair: `${TOKENS[token]} → ${TOKENS[target]}`, p, loss, mean: sum / (i + 1) };
  });
}

/** Among how many letters a fair choice would be as unsure. */
const choice = (loss: number): string => decimals(Math.exp(loss), 1);

export default function LossOfAName({ parameters }: Given<NameLossParameters, null>) {
  const field = useName(parameters.name);
  const { name } = field;
  const [chosen, setChosen] = useState(LEARNT.length - 1);
  const answers = TABLES.map((counts) => questionsOf(name, counts));
  const questions = answers[chosen] as Question[];
  const last = questions.length;
  // It begins with every answer; a new name is shown so, too.
  const [at, move] = usePlace(name, last);
  const current = questions[at - 1];
  const blind = Math.log(TOKENS.length);
  const most = 1.04 * Math.max(blind, ...answers.flat().map(({ loss }) => loss));
  const part = (value: number): string => `${Math.round((1000 * value) / most) / 10}%`;
  const bar = (loss: number, kind: string) => (
    <span class={`track ${kind}`} aria-hidden="true">
      <span class={loss > blind ? "fill over" : "fill"} style={{ width: part(loss) }} />
      <span class="blind" style={{ left: part(blind) }} />
    </span>
  );
  const describe = (to: number): string => {
    const question = questions[to - 1];
    if (question === undefined) return "nothing has been asked";
    const { pair, p, loss, mean } = question;
    return (
      `${pair}: probability ${decimals(p, 4)}, loss ${decimals(loss, 4)}, as unsure as a fair choice ` +
      `among ${choice(loss)}. Mean of ${to}: ${decimals(mean, 4)}, among ${choice(mean)}.`
    );
  };
  return (
    <>
      <NameField id="name-loss" field={field} examples={EXAMPLES} />
      <Choices
        label="Names that the model has learnt"
        choices={LEARNT.map((learnt, index) => [index, grouped(learnt)])}
        value={chosen}
        onChoose={setChosen}
        word="Names learnt"
      />
      <div class={field.reason ? "stale" : ""}>
        <Readout
          caption={`“${name}” scored by a model that has learnt ${grouped(LEARNT[chosen] as number)} names`}
          head={["came", "p", "", "−log p", "like choosing among"]}
          rows={questions.map(({ pair, p, loss }, index) =>
            index < at
              ? [pair, decimals(p, 4), bar(loss, "one"), decimals(loss, 4), choice(loss)]
              : [pair, "", "", "", ""],
          )}
          now={at - 1}
          foot={
            current === undefined
              ? ["mean", "", "", "", ""]
              : [`mean of ${at}`, "", bar(current.mean, "mean"), decimals(current.mean, 4), choice(current.mean)]
          }
        />
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
