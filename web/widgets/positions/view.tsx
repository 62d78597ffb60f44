/** The embedding of each token of a name, that of its position, and the sum that goes on. */

import { useState } from "preact/hooks";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import type { Kind } from "../../parts/kinds.js";
import { decimals, significant } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { PositionRows, Positions, PositionsParameters } from "../types.js";

const MAPS = ["token", "position", "sum"] as const;
type MapName = (typeof MAPS)[number];
const TITLES: Record<MapName, string> = { token: "wte, the token", position: "wpe, the position", sum: "their sum" };
const KINDS: Record<MapName, Kind> = { token: "parameter", position: "parameter", sum: "activation" };

const two = (value: number): string => decimals(value, 2);

interface Place {
  map: MapName | "similar";
  cell: Cell;
}

/** Where a reader begins: the token that is shown first, and its largest number. */
function firstPlace({ at, networks }: Positions): Place {
  const row = networks[1]?.sum[at] as number[];
  const sizes = row.map(Math.abs);
  return { map: "sum", cell: [at, sizes.indexOf(Math.max(...sizes))] };
}

export default function PositionsWidget(given: Given<PositionsParameters, Positions>) {
  const python = usePython<PositionsParameters, Positions>("positions", given);
  const { asked, ask } = python;
  const { tokens, networks } = python.result;
  const [weights, setWeights] = useState(given.parameters.weights);
  const [chosen, choose] = useState({ of: given.result, place: firstPlace(given.result) });
  const [seen, look] = useState<Place | null>(null);
  const picked = chosen.of === python.result ? chosen.place : firstPlace(python.result);
  const at = (chosen.of === python.result && seen) || picked;
  const network = networks.find((one) => one.weights === weights) as PositionRows;
  const columns = network.position[0]?.map((_, index) => String(index)) ?? [];
  const named = tokens.map((token) => (token.length > 1 ? "·" : token));
  const limit = Math.max(...networks.flatMap((one) => MAPS.flatMap((map) => one[map].flat().map(Math.abs))));
  const [row, column] = at.cell;
  const number = (map: MapName, [y, x]: Cell): string => significant(network[map][y]?.[x] ?? 0, 3);
  const sum = (cell: Cell): string => {
    const second = number("position", cell);
    const plus = second.startsWith("−") ? `− ${second.slice(1)}` : `+ ${second}`;
    return `${number("token", cell)} ${plus} = ${number("sum", cell)}`;
  };
  const similar = ([y, x]: Cell): string =>
    y === x
      ? `Position ${y} is itself: 1.`
      : `Positions ${y} and ${x}: a cosine similarity of ${two(network.similar[y]?.[x] ?? 0)}.`;
  const whose = (y: number): string => `${tokens[y]} at position ${y}`;
  const says = at.map === "similar" ? similar(at.cell) : `${whose(row)}, number ${column}: ${sum(at.cell)}`;
  const pick = (place: Place): void => {
    look(null);
    choose({ of: python.result, place });
  };
  /** The cell of a map that is marked: the same one in all three. */
  const mark = (map: Place["map"]): Cell | null =>
    (map === "similar") === (picked.map === "similar") ? picked.cell : null;
  const shared = (map: Place["map"]) => ({
    picked: mark(map),
    onPick: (y: number, x: number) => pick({ map, cell: [y, x] }),
    onLook: (cell: Cell | null) => look(cell && { map, cell }),
    format: two,
    scale: "diverging" as const,
  });
  return (
    <>
      <TextField
        id="positions"
        label="A name"
        value={asked.name}
        onInput={(name) => ask({ ...asked, name }, true)}
        onEnter={(name) => ask({ ...asked, name })}
        refusal={python.refusal}
      >
        <div class="states" role="group" aria-label="Weights">
          {networks.map((one) => (
            <button type="button" aria-pressed={one.weights === weights} onClick={() => setWeights(one.weights)}>
              {one.weights}
            </button>
          ))}
        </div>
        <PythonStatus python={python} />
      </TextField>
      <div class={python.stale ? "stale" : ""}>
        <div class="maps">
          {MAPS.map((map, index) => (
            <div>
              <p class="title">
                {["", "+ ", "= "][index]}
                {TITLES[map]}
              </p>
              <HeatMap
                rows={map === "position" ? tokens.map((_, position) => String(position)) : named}
                columns={columns}
                values={network[map]}
                kind={KINDS[map]}
                limit={limit}
                label={`${TITLES[map]}: a row for each token of the name, ${weights}`}
                describe={(y, x) => `${whose(y)}, number ${x}: ${sum([y, x])}`}
                cell={24}
                every={8}
                everyRow={1}
                legend={map === "sum"}
                {...shared(map)}
              />
            </div>
          ))}
        </div>
        <p class="says">{says}</p>
        <p class="title">Cosine similarity of any two rows of wpe</p>
        <div class="similar">
          <HeatMap
            rows={columns}
            columns={columns}
            values={network.similar}
            kind="parameter"
            limit={1}
            label={`Cosine similarity of any two position embeddings, ${weights}`}
            describe={(y, x) => similar([y, x])}
            down="position"
            across="position"
            cell={22}
            every={1}
            {...shared("similar")}
          />
        </div>
        <p class="note">
          A dash marks a number below 0, and · stands for BOS. The upper maps share one scale. Numbers are rounded, so
          the last digit of a sum may seem to be one off.
        </p>
      </div>
    </>
  );
}
