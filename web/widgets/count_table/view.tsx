/** The count table after some of the names; each cell with names that filled it. */

import { sum } from "d3-array";
import { useMemo, useState } from "preact/hooks";
import { countsOf } from "../../engine/counts.js";
import { NAMES, shuffled } from "../../engine/names.js";
import { TOKENS } from "../../engine/network.js";
import { Choices } from "../../parts/choices.js";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { grouped, plural } from "../../parts/numerals.js";
import { useSeen } from "../../parts/use_seen.js";

/** After how many names there is a table to see, and the one to begin with. */
const SIZES = [1, 10, 100, 1000, NAMES.length];
const FIRST = 1000;
/** As many names are listed of a cell. */
const EXAMPLES = 3;

const times = (value: number): string => (value === 0 ? "never" : value === 1 ? "once" : `${grouped(value)} times`);

/** The names that have a pair of tokens. */
function examplesOf(names: string[], ...pair: string[]): string[] {
  const [bos, written] = [" ", pair.map((token) => (token === "BOS" ? " " : token)).join("")];
  return names.filter((name) => `${bos}${name}${bos}`.includes(written));
}

export default function CountTableWidget() {
  const [size, setSize] = useState(FIRST);
  const names = useMemo(() => shuffled().slice(0, size), [size]);
  const table = useMemo(() => countsOf(names), [names]);
  const cell = useSeen<Cell>([TOKENS.indexOf("m"), TOKENS.indexOf("a")]);
  const [token, target] = cell.at.map((at) => TOKENS[at] as string) as [string, string];
  const found = examplesOf(names, token, target);
  const describe = (row: number, column: number): string =>
    `${TOKENS[row]}, then ${TOKENS[column]}: ${times(table[row]?.[column] as number)}`;
  const cells = table.flat();
  const first = cells.indexOf(Math.max(...cells));
  const largest: Cell = [Math.floor(first / TOKENS.length), first % TOKENS.length];
  return (
    <>
      <Choices
        label="Names counted"
        class="examples controls"
        choices={SIZES.map((each) => [each, each === NAMES.length ? `all ${grouped(each)}` : plural(each, "name")])}
        value={size}
        onChoose={setSize}
      />
      <p class="verdict" role="status">
        {plural(size, "name")}, {grouped(sum(cells))} pairs; {cells.filter((value) => value === 0).length} of the{" "}
        {cells.length} cells are 0.
      </p>
      <HeatMap
        names={TOKENS}
        counts={table}
        picked={cell.at}
        onPick={cell.pick}
        onLook={cell.look}
        label={`How often each token follows each other one, after ${plural(size, "name")}. Largest: ${describe(...largest)}`}
        describe={describe}
        down="current token"
        across="next token"
      />
      <div class="readout-cell">
        <p class="what">{describe(...cell.at)}</p>
        <p class="filled">
          {found.slice(0, EXAMPLES).join(", ") || "No name so far has this pair."}
          {found.length > EXAMPLES && ", …"}
        </p>
      </div>
    </>
  );
}
