/** A search through the names: how many have a piece in them, and which. */

import { mean, range } from "d3-array";
import { useState } from "preact/hooks";
import { NAMES } from "../../engine/names.js";
import { Choices } from "../../parts/choices.js";
import { useName } from "../../parts/name_field.js";
import { grouped, plural } from "../../parts/numerals.js";
import { refusal } from "../../parts/refusal.js";
import { TextField } from "../../parts/text_field.js";
import type { Given } from "../../runtime/widget.js";
import type { DatasetParameters } from "../types.js";

type Place = DatasetParameters["where"];

const PLACES: [where: Place, name: string][] = [
  ["anywhere", "anywhere"],
  ["start", "at the start"],
  ["end", "at the end"],
];
/** Whether a name has a piece in a place; what it then does, and what several do. */
const HAS: Record<Place, [has: (name: string, piece: string) => boolean, one: string, many: string]> = {
  anywhere: [(name, piece) => name.includes(piece), "contains", "contain"],
  start: [(name, piece) => name.startsWith(piece), "begins with", "begin with"],
  end: [(name, piece) => name.endsWith(piece), "ends with", "end with"],
};
/** As many names are shown, spread evenly over those found. */
const EXAMPLES = 12;

const meanLength = (names: string[]): string => (mean(names, ({ length }) => length) ?? 0).toFixed(2);

/** How many names were found, and how long they are. */
function inWords(piece: string, where: Place, found: string[]): string {
  const all = grouped(NAMES.length);
  const [, one, many] = HAS[where];
  if (!piece) return `All ${all} names, with ${meanLength(NAMES)} letters on average.`;
  if (found.length === 0) return `Not one of the ${all} names ${one} “${piece}”.`;
  const percent = `${((100 * found.length) / NAMES.length).toFixed(2)}%`;
  const [only, another] = found;
  const length =
    only && !another
      ? `It has ${plural(only.length, "letter")}; all names have ${meanLength(NAMES)} on average.`
      : `They have ${meanLength(found)} letters on average; all names have ${meanLength(NAMES)}.`;
  return (
    `${grouped(found.length)} of the ${all} names ${found.length === 1 ? one : many} “${piece}”, which is ${percent}. ` +
    length
  );
}

/** A name with the piece marked that was searched for. */
function Marked({ name, piece, where }: { name: string; piece: string; where: Place }) {
  const at = where === "end" ? name.length - piece.length : name.indexOf(piece);
  const end = at + piece.length;
  return (
    <li>
      {name.slice(0, at)}
      <mark>{name.slice(at, end)}</mark>
      {name.slice(end)}
    </li>
  );
}

export default function DatasetWidget({ parameters }: Given<DatasetParameters, null>) {
  const field = useName(parameters.piece, (piece) => piece && refusal(piece));
  const [where, setWhere] = useState(parameters.where);
  const { asked, ask, name: piece, reason } = field;
  const found = NAMES.filter((name) => HAS[where][0](name, piece));
  const shown = Math.min(EXAMPLES, found.length);
  const examples = range(shown).map((i) => found[Math.floor((i * found.length) / shown)] as string);
  return (
    <>
      <TextField
        id="dataset"
        label="A piece of a name"
        value={asked}
        onInput={ask}
        onEnter={ask}
        refusal={reason ? { reason } : null}
        names={false}
      >
        <Choices label="Where it stands" choices={PLACES} value={where} onChoose={setWhere} class="wrap" />
      </TextField>
      <div class={reason ? "answer stale" : "answer"}>
        <p class="says" role="status">
          {inWords(piece, where, found)}
        </p>
        <ul class="examples" aria-label={found.length > examples.length ? "Some of them" : "All of them"}>
          {examples.map((name) => (
            <Marked name={name} piece={piece} where={where} />
          ))}
        </ul>
      </div>
    </>
  );
}
