/** Every parameter of the network, as drawn and after training. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { fixed } from "../../parts/numerals.js";
import { useSeen } from "../../parts/use_seen.js";
import type { Network } from "../types.js";

const VIEWS = [
  ["untrained", "as drawn"],
  ["trained", "after training"],
] as const;
const VOWELS = [..."aeiou"];
/** Cells are strongest from here on, the same before and after. */
const LIMIT = 0.5;

export function Maps({ given }: { given: Network }) {
  const { tokens, weights } = given;
  const [view, setView] = useState<"untrained" | "trained">("trained");
  const [vowelsFirst, sort] = useState(false);
  const [name, setName] = useState(given.matrix);
  const { at, picked, pick, look } = useSeen<Cell>([given.row, given.column]);
  const values = weights[view]?.[name] as number[][];
  const [height, width] = [values.length, values[0]?.length ?? 0];
  const ofTokens = height === tokens.length;
  const indices = [...values.keys()];
  const isVowel = (row: number): boolean => VOWELS.includes(tokens[row] as string);
  const order =
    vowelsFirst && ofTokens ? [...indices.filter(isVowel), ...indices.filter((row) => !isVowel(row))] : indices;
  const called = (row: number): string => (ofTokens ? (tokens[row] as string) : String(row));
  const value = (state: string, row: number, column: number): string =>
    fixed(weights[state]?.[name]?.[row]?.[column] ?? 0, 2);
  const whose = (row: number): string =>
    ofTokens ? `, ${name === "wte" ? "in the embedding of" : "in the row for"} ${called(row)}` : "";
  const describe = (row: number, column: number): string =>
    `${name}[${row}][${column}]${whose(row)}: ${VIEWS.map(([state, title]) => `${title} ${value(state, row, column)}`).join(", ")}`;
  const another = (next: string): void => {
    setName(next);
    pick([0, 0]);
  };
  return (
    <div class="maps-panel">
      <div class="choices controls">
        <button type="button" aria-pressed={vowelsFirst} disabled={!ofTokens} onClick={() => sort(!vowelsFirst)}>
          vowels first
        </button>
        <Choices label="What the picture shows" choices={VIEWS} value={view} onChoose={setView} class="wrap" />
      </div>
      <p class="title">
        <code>{name}</code> {height} × {width}
      </p>
      <HeatMap
        rows={order.map(called)}
        columns={(values[0] ?? []).map((_, column) => String(column))}
        values={order.map((row) => values[row] as number[])}
        scale="diverging"
        kind="parameter"
        limit={LIMIT}
        picked={[order.indexOf(picked[0]), picked[1]]}
        onPick={(place, column) => pick([order[place] as number, column])}
        onLook={(cell) => look(cell && [order[cell[0]] as number, cell[1]])}
        format={(value) => fixed(value, 2)}
        label={`${name}, ${view}`}
        describe={(place, column) => describe(order[place] as number, column)}
        cell={Math.max(width, height) > 32 ? 10 : 20}
      />
      <p class="verdict">{describe(...at)}</p>
      <details class="more controls">
        <summary>More</summary>
        <Choices
          label="The matrix"
          word="Another matrix:"
          choices={Object.keys(weights["trained"] ?? {})}
          value={name}
          onChoose={another}
        />
      </details>
    </div>
  );
}
