/** A name that is counted, pair by pair, with the lines of `train_step` that do it. */

import { pairs, sum } from "d3-array";
import { useState } from "preact/hooks";
import { chancesOf, countsAfter, probabilities } from "../../engine/counts.js";
import { documentOf, TOKENS } from "../../engine/network.js";
import { mean } from "../../engine/vectors.js";
import { Choices } from "../../parts/choices.js";
import { roleOf } from "../../parts/kinds.js";
import { Listing } from "../../parts/listing.js";
import { NameField, useName } from "../../parts/name_field.js";
import { decimals, grouped } from "../../parts/numerals.js";
import { Player, usePlace } from "../../parts/player.js";
import { Readout } from "../../parts/readout.js";
import type { Given } from "../../runtime/widget.js";
import type { CountingParameters, LitLine, LitListing } from "../types.js";

const EXAMPLES = ["emma", "anna", "xavier"];
/** How many names each model has learnt, and its table. */
const LEARNT = [0, 10, 100, 1000];
const TABLES = LEARNT.map(countsAfter);

/** A pair, and how often each token has come after its first, just before and just after it counts. */
interface CountedPair {
  token: number;
  target: number;
  before: number[];
  after: number[];
}

/** Count a name, as `train_step` does; its loss before and after. */
function count(document: number[], table: number[][]) {
  const counts = table.map((row) => [...row]);
  const loss = (): number => mean(chancesOf(document, counts).map((p) => -Math.log(p)));
  const before = loss();
  const counted = pairs(document, (token, target): CountedPair => {
    const row = counts[token] as number[];
    counts[token] = row.with(target, (row[target] as number) + 1);
    return { token, target, before: row, after: counts[token] };
  });
  return { loss: before, again: loss(), counted };
}

/** The probability that a token gets from a row. */
const chance = (row: number[], token: number): number => probabilities(row)[token] as number;
const written = (p: number): string => decimals(p, 4);

interface RowProps {
  pair: CountedPair;
  now: number[];
  /** The probability of a bar that fills its track. */
  most: number;
  label: string;
}

/** A row of the table: a bar for each probability, a dash where it was, the count below. */
function Row({ pair, now, most, label }: RowProps) {
  const height = (p: number): string => `${Math.round((1000 * p) / most) / 10}%`;
  return (
    <div class="counted-row" role="img" aria-label={label} style={roleOf("data")}>
      {TOKENS.map((name, token) => (
        <span class={token === pair.target ? "column lit" : "column"} aria-hidden="true">
          <span class="track">
            <span class="fill" style={{ height: height(chance(now, token)) }} />
            <span class="was" style={{ bottom: height(chance(pair.before, token)) }} />
          </span>
          <span class="name">{name}</span>
          <span class={now[token] === 0 ? "count zero" : "count"}>{now[token]}</span>
        </span>
      ))}
    </div>
  );
}

export default function CountName({ parameters, result }: Given<CountingParameters, LitListing>) {
  const field = useName(parameters.name);
  const { name } = field;
  const document = documentOf(name);
  const [chosen, setChosen] = useState(0);
  // It begins with the first pair; a new name is stepped through from there, too.
  const [at, move] = usePlace(name, 1);
  const { loss, again, counted } = count(document, TABLES[chosen] as number[][]);
  const last = counted.length + 1;
  const counts = at > 0 && at < last;
  const lit = result.lit[at === 0 ? 0 : counts ? 1 : 2] as LitLine;
  const place = Math.max(0, Math.min(at, counted.length) - 1);
  const pair = counted[place] as CountedPair;
  const now = at === 0 ? pair.before : pair.after;
  const most = Math.max(...counted.flatMap(({ before, after }) => [...probabilities(before), ...probabilities(after)]));
  const called = (token: number): string => TOKENS[token] ?? "";
  const describe = (to: number): string => {
    if (to === 0) return `“${name}” is scored before it is counted: its loss is ${written(loss)}.`;
    const pair = counted[to - 1];
    if (pair === undefined)
      return (
        `Every pair is counted. The step returns the loss from before, ${written(loss)}. ` +
        `Asked again, the model would give “${name}” ${written(again)}.`
      );
    const { before, after, token, target } = pair;
    const [was, is] = [chance(before, target), chance(after, target)];
    return (
      `${called(token)} → ${called(target)}: the count goes from ${before[target]} to ${after[target]}, ` +
      `the probability from ${written(was)} to ${written(is)}. The rest of the row shares ${written(1 - is)}.`
    );
  };
  const readout: [head: string, of: (row: number[]) => string][] = [
    ["share", (row) => `${row[pair.target]} + 1 of ${sum(row) + row.length}`],
    [`p(${called(pair.target)})`, (row) => written(chance(row, pair.target))],
    ["others", (row) => written(1 - chance(row, pair.target))],
  ];
  return (
    <>
      <NameField id="counting" field={field} examples={EXAMPLES} />
      <Choices
        label="Names that the model has learnt before"
        choices={LEARNT.map((learnt, index) => [index, learnt === 0 ? "none" : grouped(learnt)])}
        value={chosen}
        onChoose={setChosen}
        word="Names learnt"
      />
      <div class={field.reason ? "stale" : ""}>
        <p class="chips document">
          {document.map((token, index) => (
            <span class={counts && (index === place || index === place + 1) ? "chip now" : "chip"}>
              {called(token)}
            </span>
          ))}
        </p>
        <p class="title">
          Row of <b>{called(pair.token)}</b>: probability of each next token, and its count
        </p>
        <Row pair={pair} now={now} most={most} label={`Row of ${called(pair.token)}. ${describe(at)}`} />
        <div class="wrap facts">
          <Readout
            caption={`${called(pair.target)} after ${called(pair.token)}`}
            unseen
            head={[`${called(pair.token)} → ${called(pair.target)}`, "before", "after"]}
            rows={readout.map(([head, of]) => [head, of(pair.before), at === 0 ? "–" : of(pair.after)])}
          />
          <Listing {...result} {...lit} />
        </div>
        <p class="words">{describe(at)}</p>
      </div>
      <Player last={last} at={at} onMove={move} label="counting a name" describe={describe} />
    </>
  );
}
