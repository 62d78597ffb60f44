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

/** The row of a token, as counts and as probabilities. */
interface CountedRow {
  counts: number[];
  p: number[];
}

/** A pair, and the row of its first token just before and just after it counts. */
interface CountedPair {
  token: number;
  target: number;
  before: CountedRow;
  after: CountedRow;
}

/** Count a name, as `train_step` does; its loss before and after. */
function count(document: number[], table: number[][]) {
  const counts = table.map((row) => [...row]);
  const loss = (): number => mean(chancesOf(document, counts).map((p) => -Math.log(p)));
  const before = loss();
  const counted = pairs(document, (token, target): CountedPair => {
    const row = counts[token] as number[];
    const seen = (): CountedRow => ({ counts: [...row], p: probabilities(row) });
    const before = seen();
    row[target] = (row[target] as number) + 1;
    return { token, target, before, after: seen() };
  });
  return { loss: before, again: loss(), counted };
}

interface RowProps {
  pair: CountedPair;
  now: CountedRow;
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

/** What all tokens but one have. */
const others = (p: number[], target: number): number => 1 - (p[target] as number);

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
  const most = Math.max(...counted.flatMap(({ before, after }) => [...before.p, ...after.p]));
  const called = (token: number): string => TOKENS[token] ?? "";
  const describe = (to: number): string => {
    if (to === 0) return `“${name}” is scored before it is counted: its loss is ${decimals(loss, 4)}.`;
    const pair = counted[to - 1];
    if (pair === undefined)
      return (
        `Every pair is counted. The step returns the loss from before, ${decimals(loss, 4)}. ` +
        `Asked again, the model would give “${name}” ${decimals(again, 4)}.`
      );
    const { before, after, token, target } = pair;
    return (
      `${called(token)} → ${called(target)}: the count goes from ${before.counts[target]} to ` +
      `${after.counts[target]}, the probability from ${decimals(before.p[target], 4)} to ` +
      `${decimals(after.p[target], 4)}. The rest of the row shares ${decimals(others(after.p, target), 4)}.`
    );
  };
  const readout: [head: string, of: (row: CountedRow) => string][] = [
    ["share", ({ counts }) => `${counts[pair.target]} + 1 of ${sum(counts) + counts.length}`],
    [`p(${called(pair.target)})`, ({ p }) => decimals(p[pair.target], 4)],
    ["others", ({ p }) => decimals(others(p, pair.target), 4)],
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
