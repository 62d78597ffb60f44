/** What each token's embedding is, as drawn and after training. */

import { useMemo, useState } from "preact/hooks";
import { initialWeights, TOKENS } from "../../engine/network.js";
import type { Vector } from "../../engine/vectors.js";
import { Choices } from "../../parts/choices.js";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { fixed } from "../../parts/numerals.js";
import { useSeen } from "../../parts/use_seen.js";
import type { Sliders } from "../types.js";

const VIEWS = [
  [false, "as drawn"],
  [true, "after training"],
] as const;
const VOWELS = "aeiou";
/** Cells are strongest from here on, the same before and after. */
const LIMIT = 0.5;

export function Embeddings({ names, embeddings }: Sliders) {
  const drawn = useMemo(() => initialWeights(names)["wte"] as Vector[], []);
  const [trained, setTrained] = useState(true);
  const [vowelsFirst, sort] = useState(false);
  const { at, picked, pick, look } = useSeen<Cell>([TOKENS.indexOf("e"), 12]);
  const values = trained ? embeddings : drawn;
  const isVowel = (row: number): boolean => VOWELS.includes(TOKENS[row] as string);
  const rows = [...TOKENS.keys()];
  const order = vowelsFirst ? [...rows.filter(isVowel), ...rows.filter((row) => !isVowel(row))] : rows;
  const describe = ([row, column]: Cell): string => {
    const [before, after] = [drawn, embeddings].map((each) => fixed(each[row]?.[column] as number, 2));
    return `wte[${row}][${column}], in the embedding of ${TOKENS[row]}: as drawn ${before}, after training ${after}`;
  };
  /** The cell of the matrix that stands in a place of the picture. */
  const cellAt = (place: number, column: number): Cell => [order[place] as number, column];
  return (
    <>
      <div class="choices controls">
        <button type="button" aria-pressed={vowelsFirst} onClick={() => sort(!vowelsFirst)}>
          vowels first
        </button>
        <Choices label="What the picture shows" choices={VIEWS} value={trained} onChoose={setTrained} class="wrap" />
      </div>
      <p class="title">
        <code>wte</code> {TOKENS.length} × {drawn[0]?.length}
      </p>
      <HeatMap
        rows={order.map((row) => TOKENS[row] as string)}
        columns={(drawn[0] as Vector).map((_, column) => String(column))}
        values={order.map((row) => values[row] as Vector)}
        scale="diverging"
        kind="parameter"
        limit={LIMIT}
        picked={[order.indexOf(picked[0]), picked[1]]}
        onPick={(place, column) => pick(cellAt(place, column))}
        onLook={(cell) => look(cell && cellAt(...cell))}
        format={(value) => fixed(value, 2)}
        label={trained ? "wte, after training" : "wte, as drawn"}
        describe={(place, column) => describe(cellAt(place, column))}
        cell={20}
      />
      <p class="verdict">{describe(at)}</p>
    </>
  );
}
