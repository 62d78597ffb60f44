/** A name that is counted, pair by pair, with the lines of `train_step` that do it. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { roleOf } from "../../parts/kinds.js";
import { Listing } from "../../parts/listing.js";
import { NameField } from "../../parts/name_field.js";
import { decimals } from "../../parts/numerals.js";
import { Player, usePlace } from "../../parts/player.js";
import { refusal } from "../../parts/refusal.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { CountedPair, CountedRow, Counting, CountingParameters, CountingStart, CountingStep } from "../types.js";

const EXAMPLES = ["emma", "anna", "xavier"];
const LEARNT = new Map([
  [0, "none"],
  [1000, "1,000"],
]);

interface RowProps {
  tokens: string[];
  pair: CountedPair;
  now: CountedRow;
  /** The probability of a bar that fills its track. */
  most: number;
  label: string;
}

/** A row of the table: a bar for each probability, a dash where it was, the count below. */
function Row({ tokens, pair, now, most, label }: RowProps) {
  const height = (p: number): string => `${Math.round((1000 * p) / most) / 10}%`;
  return (
    <div class="counted-row" role="img" aria-label={label} style={roleOf("data")}>
      {tokens.map((name, token) => (
        <span class={token === pair.target ? "column lit" : "column"} aria-hidden="true">
          <span class="track">
            <span class="fill" style={{ height: height(now.p[token] as number) }} />
            <span class="was" style={{ bottom: height(pair.before.p[token] as number) }} />
          </span>
          <span class="name">{name}</span>
          <span class={now.counts[token] === 0 ? "count zero" : "count"}>{now.counts[token]}</span>
        </span>
      ))}
    </div>
  );
}

const share = (count: number, total: number): string => `${count} + 1 of ${total}`;

export default function CountName(given: Given<CountingParameters, Counting>) {
  const python = usePython<CountingParameters, Counting>("counting", given, ({ name }) => refusal(name));
  const name = python.parameters.name;
  const { tokens, document, file, functions, steps, starts } = python.result;
  const [chosen, setChosen] = useState(0);
  // It begins with the first pair; a new name is stepped through from there, too.
  const [at, move] = usePlace(python.result, 1);
  const start = starts[chosen] as CountingStart;
  const step = steps[at] as CountingStep;
  const place = step.pair ?? (at === 0 ? 0 : start.pairs.length - 1);
  const pair = start.pairs[place] as CountedPair;
  const now = at === 0 ? pair.before : pair.after;
  const most = Math.max(...start.pairs.flatMap(({ before, after }) => [...before.p, ...after.p]));
  const called = (token: number): string => tokens[token] ?? "";
  const describe = (to: number): string => {
    const counted = start.pairs[steps[to]?.pair ?? -1];
    if (to === 0) return `“${name}” is scored before it is counted: its loss is ${decimals(start.loss, 4)}.`;
    if (counted === undefined)
      return (
        `Every pair is counted. The step returns the loss from before, ${decimals(start.loss, 4)}. ` +
        `Asked again, the model would give “${name}” ${decimals(start.again, 4)}.`
      );
    const { before, after, token, target } = counted;
    return (
      `${called(token)} → ${called(target)}: the count goes from ${before.counts[target]} to ` +
      `${after.counts[target]}, the probability from ${decimals(before.p[target], 4)} to ` +
      `${decimals(after.p[target], 4)}. The rest of the row shares ${decimals(after.others, 4)}.`
    );
  };
  const readout: [head: string, of: (row: CountedRow) => string][] = [
    ["share", (row) => share(row.counts[pair.target] as number, row.total)],
    [`p(${called(pair.target)})`, (row) => decimals(row.p[pair.target], 4)],
    ["others", (row) => decimals(row.others, 4)],
  ];
  return (
    <>
      <NameField id="counting" python={python} examples={EXAMPLES} />
      <Choices
        label="Names that the model has learnt before"
        choices={starts.map(({ learnt }, index) => [index, LEARNT.get(learnt) ?? learnt])}
        value={chosen}
        onChoose={setChosen}
        word="Names learnt"
      />
      <div class={python.stale ? "stale" : ""}>
        <p class="chips document">
          {document.map((token, index) => (
            <span class={step.pair !== null && (index === place || index === place + 1) ? "chip now" : "chip"}>
              {called(token)}
            </span>
          ))}
        </p>
        <p class="title">
          Row of <b>{called(pair.token)}</b>: probability of each next token, and its count
        </p>
        <Row
          tokens={tokens}
          pair={pair}
          now={now}
          most={most}
          label={`Row of ${called(pair.token)}. ${describe(at)}`}
        />
        <div class="wrap facts">
          <table class="readout">
            <caption class="sr-only">
              {called(pair.target)} after {called(pair.token)}
            </caption>
            <thead>
              <tr>
                <th scope="row">
                  {called(pair.token)} → {called(pair.target)}
                </th>
                <th scope="col">before</th>
                <th scope="col">after</th>
              </tr>
            </thead>
            <tbody>
              {readout.map(([head, of]) => (
                <tr>
                  <th scope="row">{head}</th>
                  <td>{of(pair.before)}</td>
                  <td>{at === 0 ? "–" : of(pair.after)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <Listing file={file} functions={functions} line={step.line} waiting={step.waiting} />
        </div>
        <p class="words">{describe(at)}</p>
      </div>
      <Player last={steps.length - 1} at={at} onMove={move} label="counting a name" describe={describe} />
    </>
  );
}
