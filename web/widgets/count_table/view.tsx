/** The count table after some of the names; each cell with names that filled it. */

import { sum } from "d3-array";
import { useMemo, useState } from "preact/hooks";
import { pairCounts } from "../../engine/bigram_table.js";
import { NAMES, shuffledNames } from "../../engine/names.js";
import { TOKEN_LABELS } from "../../engine/network.js";
import { Choices } from "../../parts/choices.js";
import { formatCount, groupThousands } from "../../parts/format.js";
import { type GridCell, HeatMap } from "../../parts/heat_map.js";
import { useHoverSelection } from "../../parts/use_hover_selection.js";

/** After how many names there is a table to see, and the one to begin with. */
const SIZES = [1, 10, 100, 1000, NAMES.length];
const FIRST = 1000;
/** As many names are listed of a cell. */
const EXAMPLES = 3;

const times = (value: number): string =>
  value === 0 ? "never" : value === 1 ? "once" : `${groupThousands(value)} times`;

/** The names that have a pair of tokens. */
function examplesOf(names: string[], ...pair: string[]): string[] {
  const [bos, written] = [" ", pair.map((token) => (token === "BOS" ? " " : token)).join("")];
  return names.filter((name) => `${bos}${name}${bos}`.includes(written));
}

export default function CountTableWidget() {
  const [size, setSize] = useState(FIRST);
  const names = useMemo(() => shuffledNames().slice(0, size), [size]);
  const table = useMemo(() => pairCounts(names), [names]);
  const cell = useHoverSelection<GridCell>([TOKEN_LABELS.indexOf("m"), TOKEN_LABELS.indexOf("a")]);
  const [token, target] = cell.shown.map((at) => TOKEN_LABELS[at] as string) as [string, string];
  const found = examplesOf(names, token, target);
  const describe = (row: number, column: number): string =>
    `${TOKEN_LABELS[row]}, then ${TOKEN_LABELS[column]}: ${times(table[row]?.[column] as number)}`;
  const cells = table.flat();
  const first = cells.indexOf(Math.max(...cells));
  const largest: GridCell = [Math.floor(first / TOKEN_LABELS.length), first % TOKEN_LABELS.length];
  return (
    <>
      <Choices
        label="Names counted"
        class="examples controls"
        choices={SIZES.map((each) => [
          each,
          each === NAMES.length ? `all ${groupThousands(each)}` : formatCount(each, "name"),
        ])}
        value={size}
        onChange={setSize}
      />
      <p class="verdict" role="status">
        {formatCount(size, "name")}, {groupThousands(sum(cells))} pairs; {cells.filter((value) => value === 0).length}{" "}
        of the {cells.length} cells are 0.
      </p>
      <HeatMap
        tokens={TOKEN_LABELS}
        counts={table}
        selected={cell.shown}
        onSelect={cell.select}
        onHover={cell.hover}
        label={`How often each token follows each other one, after ${formatCount(size, "name")}. Largest: ${describe(...largest)}`}
        describeCell={describe}
        rowTitle="current token"
        columnTitle="next token"
      />
      <div class="cell-details">
        <p class="what">{describe(...cell.shown)}</p>
        <p class="filled">
          {found.slice(0, EXAMPLES).join(", ") || "No name so far has this pair."}
          {found.length > EXAMPLES && ", …"}
        </p>
      </div>
    </>
  );
}
