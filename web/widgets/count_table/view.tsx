/** The count table after some of the names; each cell with names that filled it. */

import { sum } from "d3-array";
import { useMemo, useState } from "preact/hooks";
import { countsOf } from "../../engine/counts.js";
import { NAMES, shuffled } from "../../engine/names.js";
import { TOKENS } from "../../engine/network.js";
import { SEED } from "../../engine/random.js";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { grouped, plural } from "../../parts/numerals.js";
import { TokenPicker } from "../../parts/token_picker.js";
import { useSeen } from "../../parts/use_seen.js";

/** After how many names there is a table to see, and the one to begin with. */
const SIZES = [1, 10, 100, 1000, NAMES.length];
const FIRST = 1000;
/** The row of the cell that is picked at first. */
const FIRST_ROW = TOKENS.indexOf("m");
/** As many followers are listed of a row, and names of a cell. */
const LISTED = 6;
const EXAMPLES = 3;

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

/** The names that have a pair of tokens. */
function examplesOf(names: string[], ...pair: string[]): string[] {
  const [bos, written] = [" ", pair.map((token) => (token === "BOS" ? " " : token)).join("")];
  return names.filter((name) => `${bos}${name}${bos}`.includes(written));
}

export default function CountTableWidget() {
  const [seed, setSeed] = useState(SEED);
  const [size, setSize] = useState(FIRST);
  const names = useMemo(() => shuffled(seed).slice(0, size), [seed, size]);
  const table = useMemo(() => countsOf(names), [names]);
  const cell = useSeen<Cell>([FIRST_ROW, largest(table[FIRST_ROW] as number[])]);
  // Said when the reader chooses a row; the map speaks for itself.
  const [said, say] = useState("");
  const [row, column] = cell.at;
  const counts = table[row] as number[];
  const here = counts[column] as number;
  const [token, target] = [TOKENS[row] as string, TOKENS[column] as string];
  const found = here === 0 ? [] : examplesOf(names, token, target);
  const order = followers(counts);
  const describe = (row: number, column: number): string =>
    `${TOKENS[row]}, then ${TOKENS[column]}: ${times(table[row]?.[column] ?? 0)}`;
  const pickRow = (token: number): void => {
    const target = largest(table[token] as number[]);
    cell.pick([token, target]);
    say(`most often: ${describe(token, target)}`);
  };
  const cells = table.flat();
  const zeros = cells.filter((value) => value === 0).length;
  return (
    <>
      <div class="examples controls" role="group" aria-label="Names counted">
        {SIZES.map((each) => (
          <button type="button" aria-pressed={each === size} onClick={() => setSize(each)}>
            {each === 1 ? "1 name" : each === NAMES.length ? `all ${count(each)}` : count(each)}
          </button>
        ))}
        <button type="button" class="again" onClick={() => setSeed(seed + 1)}>
          shuffle again
        </button>
      </div>
      <div>
        <p class="verdict" role="status">
          {plural(size, "name")}, {count(sum(cells))} pairs; {count(zeros)} of the {cells.length} cells are 0.
        </p>
        <HeatMap
          rows={TOKENS}
          columns={TOKENS}
          values={table}
          scale="sequential"
          growth="log"
          kind="data"
          picked={cell.at}
          onPick={(...picked) => cell.pick(picked)}
          onLook={cell.look}
          format={count}
          label={`How often each token follows each other one, after ${plural(size, "name")}`}
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
              : found.slice(0, EXAMPLES).map((name, index) => (
                  <>
                    {index > 0 && ", "}
                    <span class="name">{name}</span>
                  </>
                ))}
            {found.length > EXAMPLES && ", …"}
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
                    <strong>{TOKENS[target]}</strong>&nbsp;{count(counts[target] as number)}
                  </>
                ))}
                {order.length > LISTED && `, and ${plural(order.length - LISTED, "other")}, none more often`}.
              </>
            )}
          </p>
        </div>
      </div>
      <TokenPicker tokens={TOKENS} picked={cell.picked[0]} onPick={pickRow} label="Row: current token" />
      <span class="sr-only" role="status">
        {said}
      </span>
    </>
  );
}
