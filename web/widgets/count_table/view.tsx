/** The table of pair counts after some of the names, and the names behind the selected cell. */

import { sum } from "d3-array";
import { useMemo, useState } from "preact/hooks";
import { pairCounts } from "../../engine/bigram_table.js";
import { NAMES, shuffledNames } from "../../engine/names.js";
import { TOKEN_LABELS } from "../../engine/network.js";
import { formatCount, groupThousands } from "../../parts/format.js";
import { type GridCell, HeatMap } from "../../parts/heat_map.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { Status } from "../../parts/status.js";
import { useHoverSelection } from "../../parts/use_hover_selection.js";

/** After how many names the reader can see the table, and after how many it opens. */
const NAME_COUNT_CHOICES = [1, 10, 100, 1000, NAMES.length];
const INITIAL_NAME_COUNT = 1000;
const MAX_EXAMPLE_NAMES = 3;

const formatChoice = (count: number): string =>
  count === NAMES.length ? `all ${groupThousands(count)}` : formatCount(count, "name");

const formatOccurrences = (value: number): string =>
  value === 0 ? "never" : value === 1 ? "once" : `${groupThousands(value)} times`;

/** Return the names that have a pair of tokens. */
function filterNamesByPair(names: string[], ...pair: string[]): string[] {
  const [bos, written] = [" ", pair.map((token) => (token === "BOS" ? " " : token)).join("")];
  return names.filter((name) => `${bos}${name}${bos}`.includes(written));
}

export default function CountTableWidget() {
  const [nameCount, setNameCount] = useState(INITIAL_NAME_COUNT);
  const names = useMemo(() => shuffledNames().slice(0, nameCount), [nameCount]);
  const table = useMemo(() => pairCounts(names), [names]);
  const selection = useHoverSelection<GridCell>([TOKEN_LABELS.indexOf("m"), TOKEN_LABELS.indexOf("a")]);
  const [token, target] = selection.shown.map((at) => TOKEN_LABELS[at] as string) as [string, string];
  const examples = filterNamesByPair(names, token, target);
  const describeCell = (row: number, column: number): string =>
    `${TOKEN_LABELS[row]}, then ${TOKEN_LABELS[column]}: ${formatOccurrences(table[row]?.[column] as number)}`;
  const counts = table.flat();
  const largestIndex = counts.indexOf(Math.max(...counts));
  const largest: GridCell = [Math.floor(largestIndex / TOKEN_LABELS.length), largestIndex % TOKEN_LABELS.length];
  return (
    <>
      <SingleChoice
        label="Names counted"
        class="examples controls"
        choices={NAME_COUNT_CHOICES.map((each) => [each, formatChoice(each)])}
        value={nameCount}
        onChange={setNameCount}
      />
      <Status class="verdict">
        {formatCount(nameCount, "name")}, {groupThousands(sum(counts))} pairs;{" "}
        {counts.filter((value) => value === 0).length} of the {counts.length} cells are 0.
      </Status>
      <HeatMap
        labels={TOKEN_LABELS}
        counts={table}
        selected={selection.shown}
        onSelect={selection.select}
        onHover={selection.hover}
        label={`How often each token follows each other one, after ${formatCount(nameCount, "name")}. Largest: ${describeCell(...largest)}`}
        describeCell={describeCell}
        rowTitle="current token"
        columnTitle="next token"
      />
      <div class="cell-details">
        <p class="cell-count">{describeCell(...selection.shown)}</p>
        <p class="cell-names">
          {examples.slice(0, MAX_EXAMPLE_NAMES).join(", ") || "No name so far has this pair."}
          {examples.length > MAX_EXAMPLE_NAMES && ", …"}
        </p>
      </div>
    </>
  );
}
