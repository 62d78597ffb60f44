/** The count table after some of the names; each cell with names that filled it. */

import { useState } from "preact/hooks";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { grouped } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TokenPicker } from "../../parts/token_picker.js";
import { usePython } from "../../parts/use_python.js";
import { useSeen } from "../../parts/use_seen.js";
import type { Given } from "../../runtime/widget.js";
import type { CountedNames, CountTable, CountTableParameters } from "../types.js";

/** The names after which the picture begins. */
const FIRST = 1000;
/** The row of the cell that is picked at first. */
const FIRST_TOKEN = "m";
/** As many followers are listed of a row. */
const LISTED = 6;

const count = (value: number): string => grouped(Math.round(value));
const times = (value: number): string => (value === 1 ? "once" : `${count(value)} times`);

function largest(row: number[]): number {
  return row.indexOf(Math.max(...row));
}

/** The targets of a row, the most frequent first; those never seen are left out. */
function followers(row: number[]): number[] {
  const seen = row.flatMap((value, target) => (value > 0 ? [target] : []));
  return seen.sort((a, b) => (row[b] as number) - (row[a] as number));
}

export default function CountTableWidget(given: Given<CountTableParameters, CountTable>) {
  const python = usePython<CountTableParameters, CountTable>("count_table", given);
  const { tokens, tables, names, orders, examples } = python.result;
  const [size, setSize] = useState(() => tables.findIndex((table) => table.names === FIRST));
  const table = tables[size] as CountedNames;
  const first = tokens.indexOf(FIRST_TOKEN);
  const cell = useSeen<Cell>([first, largest(table.counts[first] as number[])]);
  // Said when the reader chooses a row; the map speaks for itself.
  const [said, say] = useState("");
  const [row, column] = cell.at;
  const counts = table.counts[row] as number[];
  const here = counts[column] as number;
  const found = (examples[row]?.[column] ?? []).filter((place) => (orders[place] as number) < table.names);
  const [token, target] = [tokens[row], tokens[column]];
  const order = followers(counts);
  const describe = (row: number, column: number): string =>
    `${tokens[row]}, then ${tokens[column]}: ${times(table.counts[row]?.[column] ?? 0)}`;
  const pickRow = (token: number): void => {
    const target = largest(table.counts[token] as number[]);
    cell.pick([token, target]);
    say(`most often: ${describe(token, target)}`);
  };
  const howMany = table.names === 1 ? "1 name" : `${count(table.names)} names`;
  const pairs = `${howMany}, ${count(table.pairs)} pairs; ${count(table.zeros)} of the ${count(tokens.length ** 2)} cells are 0.`;
  return (
    <>
      <div class="examples controls" role="group" aria-label="Names counted">
        {tables.map((one, index) => (
          <button type="button" aria-pressed={index === size} onClick={() => setSize(index)}>
            {one.names === 1 ? "1 name" : index === tables.length - 1 ? `all ${count(one.names)}` : count(one.names)}
          </button>
        ))}
        <button type="button" class="again" onClick={() => python.ask({ seed: python.asked.seed + 1 })}>
          shuffle again
        </button>
        <PythonStatus python={python} />
      </div>
      <div class={python.stale ? "stale" : ""}>
        <p class="verdict" role="status">
          {pairs}
        </p>
        <HeatMap
          rows={tokens}
          columns={tokens}
          values={table.counts}
          scale="sequential"
          growth="log"
          kind="data"
          picked={cell.at}
          onPick={(...picked) => cell.pick(picked)}
          onLook={cell.look}
          format={count}
          label={`How often each token follows each other one, after ${howMany}`}
          describe={describe}
          down="current token"
          across="next token"
        />
        <div class="readout-cell">
          <p class="what">
            <strong>{token}</strong>, then <strong>{target}</strong>: {here === 0 ? "never" : times(here)}
          </p>
          <p class="filled">
            {found.length === 0
              ? "No name so far has this pair."
              : found.map((place, index) => (
                  <>
                    {index > 0 && ", "}
                    <span class="name">{names[place]}</span>
                  </>
                ))}
            {here > found.length && found.length > 0 && ", …"}
          </p>
          <p class="row">
            {order.length === 0 ? (
              `${token} has not come yet.`
            ) : (
              <>
                After {token} came{" "}
                {order.slice(0, LISTED).map((target, index) => (
                  <>
                    {index > 0 && ", "}
                    <strong>{tokens[target]}</strong>&nbsp;{count(counts[target] as number)}
                  </>
                ))}
                {order.length > LISTED && `, and ${order.length - LISTED} others, none of them more often`}.
              </>
            )}
          </p>
        </div>
      </div>
      <TokenPicker tokens={tokens} picked={cell.picked[0]} onPick={pickRow} label="Row: current token" />
      <span class="sr-only" role="status">
        {said}
      </span>
    </>
  );
}
