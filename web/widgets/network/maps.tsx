/** Every parameter of the network, before and after training. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { decimals, grouped } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import type { Given } from "../../runtime/widget.js";
import type { Histogram, Network, NetworkParameters, WeightMatrices, WeightMatrix } from "../types.js";
import { usePanel } from "./use_panel.js";

const VIEWS = ["before", "after", "change"] as const;
type View = (typeof VIEWS)[number];

const TITLES: Record<View, string> = {
  before: "before training",
  after: "after training",
  change: "change",
};
/** Cells are strongest from here on, in hundredths; the same before and after. */
const LIMIT = 50;
/** The side of a cell, in pixels. */
const SIDE = 7;

/** A number of hundredths, as the number that it is. */
const written = (hundredths: number): string => decimals(hundredths / 100, 2);

interface Place {
  matrix: number;
  cell: Cell;
}

/** What a parameter belongs to, in words. */
function belongs({ name, rows, columns }: WeightMatrix, [row, column]: Cell): string {
  const token = rows[row] === "BOS" ? "BOS" : `the letter ${rows[row]}`;
  if (name === "wte") return `in the embedding of ${token}`;
  if (name === "fc2") return `in the row for ${token}, if it comes next`;
  return `in row ${rows[row]}, column ${columns[column]}`;
}

function Counts({ edges, most, before, after }: Histogram) {
  const width = before.length;
  const top = (count: number): number => 100 * (1 - count / most);
  const outline = `M0 100${before.map((count, i) => `V${top(count).toFixed(1)}H${i + 1}`).join("")}V100`;
  const bars = after.map((count, i) => (count ? `M${i} 100V${top(count).toFixed(1)}h1V100z` : "")).join("");
  const marks = edges.map((edge, i) => ({ edge, i })).filter(({ i }) => i % (width / 4) === 0);
  return (
    <div class="histogram">
      <svg viewBox={`0 0 ${width} 100`} preserveAspectRatio="none" aria-hidden="true">
        <path class="after" d={bars} />
        <path class="before" d={outline} />
      </svg>
      <div class="marks" aria-hidden="true">
        {marks.map(({ edge, i }) => (
          <span style={{ left: `${(100 * i) / width}%` }}>{decimals(edge, 1)}</span>
        ))}
      </div>
    </div>
  );
}

export function MapsPanel({ given }: { given: Given<NetworkParameters, Network> }) {
  const { python, shown } = usePanel(given, "maps", "parameters");
  return shown ? <Maps result={shown} /> : <PythonStatus python={python} />;
}

function Maps({ result }: { result: WeightMatrices }) {
  const { matrices, count, histogram, before, after } = result;
  const [view, setView] = useState<View>("after");
  const [picked, setPicked] = useState<Place>({
    matrix: result.matrix,
    cell: [result.row, result.column],
  });
  const [seen, setSeen] = useState<Place | null>(null);
  const [said, say] = useState("");
  const at = seen ?? picked;
  const matrix = matrices[at.matrix] as WeightMatrix;
  const [row, column] = at.cell;
  const value = (of: View): number => matrix[of][row]?.[column] ?? 0;
  const show = (next: View): void => {
    setView(next);
    say(`The pictures show the parameters ${next === "change" ? "as they have changed" : TITLES[next]}.`);
  };
  const map = (index: number) => {
    const { name, shape, rows, columns, ...values } = matrices[index] as WeightMatrix;
    const describe = (row: number, column: number): string => {
      const of = (which: View): string => written(values[which][row]?.[column] ?? 0);
      const whose = belongs(matrices[index] as WeightMatrix, [row, column]);
      return `${name}[${row}][${column}], ${whose}: before ${of("before")}, after ${of("after")}, change ${of("change")}`;
    };
    return (
      <div class={name}>
        <p class="title">
          <code>{name}</code> {shape}
        </p>
        <HeatMap
          rows={rows}
          columns={columns}
          values={values[view]}
          scale="diverging"
          kind="parameter"
          limit={LIMIT}
          picked={picked.matrix === index ? picked.cell : null}
          onPick={(row, column) => {
            setSeen(null);
            setPicked({ matrix: index, cell: [row, column] });
          }}
          onLook={(cell) => setSeen(cell && { matrix: index, cell })}
          format={written}
          label={`${name}, ${shape}, ${values.rows_are}: ${TITLES[view]}`}
          describe={describe}
          cell={SIDE}
          every={8}
          everyRow={name === "fc1" ? 8 : 2}
          legend={name === "fc2"}
        />
      </div>
    );
  };
  const about = `before training ${decimals(before.deviation, 3)}, after ${decimals(after.deviation, 3)}`;
  return (
    <div class="maps-panel">
      <Choices
        label="What the pictures show"
        choices={VIEWS.map((each) => [each, TITLES[each]])}
        value={view}
        onChoose={show}
      />
      <span class="sr-only" role="status">
        {said}
      </span>
      <div class="maps">
        {map(0)}
        <table class="readout">
          <caption>
            <code>
              {matrix.name}[{row}][{column}]
            </code>
            <span>{belongs(matrix, at.cell)}</span>
          </caption>
          <tbody>
            {VIEWS.map((each) => (
              <tr>
                <th scope="row">{TITLES[each]}</th>
                <td>{written(value(each))}</td>
              </tr>
            ))}
          </tbody>
        </table>
        {map(1)}
        {map(2)}
      </div>
      <p class="title">
        All {grouped(count)} parameters by their size: <span class="swatch before" /> before{" "}
        <span class="swatch after" /> after
      </p>
      <Counts {...histogram} />
      <p class="note">
        Each bar is {histogram.width} wide; the highest stands for {histogram.most} parameters. Standard deviation{" "}
        {about}. Farthest from 0: before {decimals(before.farthest, 3)}, after {decimals(after.farthest, 3)}.
      </p>
    </div>
  );
}
