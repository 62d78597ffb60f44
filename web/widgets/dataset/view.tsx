/** A search through the names, and the lengths of those found beside all lengths. */

import { Choices } from "../../parts/choices.js";
import { roleOf } from "../../parts/kinds.js";
import { grouped } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { refusal } from "../../parts/refusal.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Dataset, DatasetParameters, LengthCount } from "../types.js";

type Place = DatasetParameters["where"];

const PLACES: [where: Place, name: string][] = [
  ["anywhere", "anywhere"],
  ["start", "at the start"],
  ["end", "at the end"],
];

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

const described = ({ letters, found, all }: LengthCount): string => `${letters} letters: ${found} of ${grouped(all)}`;

/** Two columns for each length: the share of the names found, and of all names. */
function Lengths({ lengths }: { lengths: LengthCount[] }) {
  const most = Math.max(...lengths.flatMap(({ share, share_of_all }) => [share, share_of_all]));
  const height = (share: number): string => `${Math.round((1000 * share) / most) / 10}%`;
  return (
    <div
      class="lengths"
      role="img"
      aria-label={`Lengths of the names found. ${lengths.map(described).join("; ")}`}
      style={roleOf("data")}
    >
      {lengths.map(({ letters, found, share, share_of_all }) => (
        <div class="length" aria-hidden="true">
          <span class="count" style={{ bottom: height(Math.max(share, share_of_all)) }}>
            {found || ""}
          </span>
          <span class="found" style={{ height: height(share) }} />
          <span class="all" style={{ height: height(share_of_all) }} />
          <span class="letters">{letters}</span>
        </div>
      ))}
    </div>
  );
}

export default function DatasetWidget(given: Given<DatasetParameters, Dataset>) {
  const python = usePython<DatasetParameters, Dataset>("dataset", given, ({ piece }) => piece && refusal(piece));
  const { asked, ask } = python;
  const { says, examples, found, lengths } = python.result;
  const piece = python.parameters.piece;
  return (
    <>
      <TextField
        id="dataset"
        label="A piece of a name"
        value={asked.piece}
        onInput={(text) => ask({ ...asked, piece: text }, true)}
        onEnter={(text) => ask({ ...asked, piece: text })}
        refusal={python.refusal}
        names={false}
      >
        <Choices
          label="Where it stands"
          choices={PLACES}
          value={asked.where}
          onChoose={(where) => ask({ ...asked, where })}
          class="wrap"
        />
        <PythonStatus python={python} />
      </TextField>
      <div class={python.stale ? "answer stale" : "answer"}>
        <p class="says" role="status">
          {says}
        </p>
        <ul class="examples" aria-label={found > examples.length ? "Some of them" : "All of them"}>
          {examples.map((name) => (
            <Marked name={name} piece={piece} where={python.parameters.where} />
          ))}
        </ul>
        <Lengths lengths={lengths} />
        <p class="note">
          <span class="swatch found" /> of the names found <span class="swatch all" /> of all names: the share with that
          many letters. The numbers above the bars count the names found.
        </p>
      </div>
    </>
  );
}
