/** Both gradients of every parameter, as points, and where they disagree, as heat maps. */

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { significant } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { useAlive } from "../../parts/use_alive.js";
import { useEditor } from "../../parts/use_editor.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Break, GradientCheck, GradientCheckParameters, MatrixCheck } from "../types.js";

/** The side of the square of points, in its own coordinates. */
const SIDE = 320;
const ROOM = 8;
const SMALL = 4;
/** How near to a point the mouse has to be. */
const NEAR = 12;
const ALL = 7;

/** A parameter: its matrix, and either where it stands or the how-manieth it was nudged. */
type Place = [matrix: number, index: number];

interface Square {
  limit: number;
  x(value: number): number;
  y(value: number): number;
}

function square(matrices: MatrixCheck[]): Square {
  const all = matrices.flatMap(({ numerical, analytic }) => [...numerical, ...analytic]);
  const limit = Math.max(...all.map(Math.abs)) || 1;
  const at = (part: number): number => ROOM + ((SIDE - 2 * ROOM) * (1 + part)) / 2;
  const x = (value: number): number => Math.round(at(value / limit));
  return { limit, x, y: (value) => SIDE - x(value) };
}

/** Points as one path: a dot is a line of no length, what disagrees is a cross. */
function points(matrix: MatrixCheck, { x, y }: Square, tolerance: number): { right: string; wrong: string } {
  const right = new Set<string>();
  const wrong = new Set<string>();
  matrix.numerical.forEach((value, index) => {
    const at = `M${x(value)} ${y(matrix.analytic[index] as number)}`;
    if ((matrix.gaps[index] as number) > tolerance) wrong.add(`${at}m-2.5-2.5l5 5m0-5l-5 5`);
    else right.add(`${at}h0`);
  });
  return { right: [...right].join(""), wrong: [...wrong].join("") };
}

/** The parameter of the last matrix whose slope is furthest from 0. */
function steepest(matrices: MatrixCheck[]): Place {
  const last = matrices.length - 1;
  const { numerical, places } = matrices[last] as MatrixCheck;
  const sizes = numerical.map(Math.abs);
  return [last, places[sizes.indexOf(Math.max(...sizes))] as number];
}

/** What a parameter is for. */
function meaning({ name }: MatrixCheck, tokens: string[], row: number, column: number): string {
  if (name === "wte") return `number ${column} of the embedding of ${tokens[row]}`;
  if (name === "fc1") return `from number ${column} of x into hidden unit ${row}`;
  return `from hidden unit ${column} into the logit of ${tokens[row]}`;
}

interface MapProps {
  matrix: MatrixCheck;
  tolerance: number;
  limit: number;
  picked: Cell | null;
  onPick(row: number, column: number): void;
  describe(row: number, column: number): string;
}

/** Where a matrix is wrong; parameters that agree, or were not nudged, are left blank. */
function Gaps({ matrix, tolerance, limit, picked, onPick, describe }: MapProps) {
  const { name, rows, columns, places, gaps, wrong } = matrix;
  const values = useMemo(() => {
    const all = Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));
    places.forEach((place, index) => {
      const gap = gaps[index] as number;
      if (gap > tolerance) (all[Math.floor(place / columns)] as number[])[place % columns] = gap;
    });
    return all;
  }, [matrix]);
  const nothing = (size: number): string[] => Array.from({ length: size }, () => "");
  return (
    <div class={`gaps ${name}`}>
      <p class="head">
        <code>{name}</code>
        <span>{wrong === 0 ? "no difference" : `${wrong} of ${places.length} wrong`}</span>
      </p>
      <HeatMap
        rows={nothing(rows)}
        columns={nothing(columns)}
        values={values}
        scale="sequential"
        kind="gradient"
        limit={limit}
        picked={picked}
        onPick={onPick}
        format={(value) => significant(value, 2)}
        describe={describe}
        label={`${name}: ${wrong} of ${places.length} parameters wrong`}
        cell={SMALL}
      />
    </div>
  );
}

/** The chosen break as a difference: the line that goes, the line that comes. */
function Change({ source, of }: { source: string; of: Break | undefined }) {
  const lines = source.split("\n");
  const at = of ? lines.findIndex((line) => line.includes(of.old)) : -1;
  const line = at < 0 ? "" : (lines[at] as string).trim();
  return (
    <div class="change" aria-live="polite">
      <code class={of ? "gone" : ""}>{of ? `− ${line}` : " "}</code>
      <code class={of ? "come" : ""}>{of ? `+ ${line.replace(of.old, of.new)}` : " "}</code>
    </div>
  );
}

const OWN = -2;
const NONE = -1;

export default function Check(given: Given<GradientCheckParameters, GradientCheck>) {
  const python = usePython<GradientCheckParameters, GradientCheck>("gradient_check", given);
  const alive = useAlive();
  const program = given.result.source;
  const { breaks } = given.result;
  const { matrices, tokens, nudged, total, tolerance } = python.result;
  const [chosen, choose] = useState(NONE);
  const [picked, pick] = useState<Place>(() => steepest(given.result.matrices));
  const [seen, look] = useState<Place | null>(null);
  const [typed, type] = useState(given.parameters.name);
  const [spoken, speak] = useState("");
  const select = useRef<HTMLSelectElement>(null);

  // The name is the one that stands in the field.
  const ask = (source: string): void => python.ask({ name: typed, source, passes: ALL });
  const editor = useEditor({
    label: "Code of the gradient. Escape, then Tab, leaves the editor",
    run: (text) => check(text),
    leave: () => select.current?.focus(),
  });
  const check = (text: string): void => {
    choose(OWN);
    ask(text);
  };
  const broken = (index: number): string => {
    const of = breaks[index];
    return of ? program.replace(of.old, of.new) : program;
  };
  const onChoose = (index: number): void => {
    choose(index);
    if (index === OWN) {
      if (editor.state === "closed") editor.open(broken(chosen), true);
      return;
    }
    if (editor.state === "open") editor.open(broken(index), false);
    ask(broken(index));
  };
  const { refusal } = python;
  // A name that was not checked has other slopes, too.
  const stale = python.stale || typed !== python.parameters.name ? "stale" : "";
  useEffect(() => {
    const at = refusal?.at ?? null;
    const source = refusal?.parameters.source || program;
    editor.mark(at === null ? null : source.slice(0, at).split("\n").length);
  }, [refusal]);

  const area = useMemo(() => square(matrices), [matrices]);
  const drawn = useMemo(() => matrices.map((matrix) => points(matrix, area, tolerance)), [matrices]);
  const largest = Math.max(...matrices.map((matrix) => matrix.largest));
  const wrong = matrices.reduce((sum, matrix) => sum + matrix.wrong, 0);
  const limit = Math.max(largest, 10 * tolerance);

  // What is shown: the point under the mouse, or the cell that was picked.
  const [matrixAt, flat] = seen ? [seen[0], matrices[seen[0]]?.places[seen[1]] ?? 0] : picked;
  const shown = matrices[matrixAt] as MatrixCheck;
  const cell: Cell = [Math.floor(flat / shown.columns), flat % shown.columns];
  const index = shown.places.indexOf(flat);
  const describe = (matrix: MatrixCheck, row: number, column: number): string => {
    const at = matrix.places.indexOf(row * matrix.columns + column);
    const slopes =
      at < 0
        ? "not nudged yet"
        : `numerical ${significant(matrix.numerical[at] as number, 4)}, ` +
          `analytic ${significant(matrix.analytic[at] as number, 4)}`;
    return `${matrix.name}[${row}][${column}], ${meaning(matrix, tokens, row, column)}: ${slopes}`;
  };
  const nearest = (event: PointerEvent & { currentTarget: Element }): Place | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const [px, py] = [((event.clientX - box.left) / box.width) * SIDE, ((event.clientY - box.top) / box.height) * SIDE];
    let found: Place | null = null;
    let least = NEAR ** 2;
    for (const [which, { numerical, analytic }] of matrices.entries()) {
      for (const [one, value] of numerical.entries()) {
        const distance = (area.x(value) - px) ** 2 + (area.y(analytic[one] as number) - py) ** 2;
        if (distance < least) [least, found] = [distance, [which, one]];
      }
    }
    return found;
  };
  const verdict =
    wrong === 0
      ? `No slope differs by more than ${significant(largest, 2)}.`
      : `${wrong} of ${nudged} slopes are wrong, by up to ${significant(largest, 2)}.`;
  const progress =
    nudged < total ? `${nudged} of ${total} parameters nudged so far.` : `All ${total} parameters nudged.`;
  useEffect(() => {
    if (alive && !python.busy && python.parameters !== given.parameters) speak(`${verdict} ${progress}`);
  }, [python.busy, python.parameters]);
  return (
    <>
      <div class="choices controls">
        <label class="choice">
          <span>Break a line</span>
          <select ref={select} value={chosen} onInput={(event) => onChoose(Number(event.currentTarget.value))}>
            <option value={NONE}>none: the gradient of the program</option>
            {breaks.map(({ name }, which) => (
              <option value={which}>{name}</option>
            ))}
            <option value={OWN}>your own code</option>
          </select>
        </label>
        <TextField
          id="gradient-check"
          label="A name"
          value={typed}
          onInput={type}
          onEnter={() => ask(editor.text() ?? broken(chosen))}
          refusal={refusal}
        >
          <button type="submit">Check</button>
          <PythonStatus python={python} />
        </TextField>
        <Change source={program} of={breaks[chosen]} />
      </div>
      <div class={stale}>
        <p class="verdict">
          {verdict} {progress}
        </p>
        <div class="seen">
          <div class="plot-of-both">
            <p class="title" aria-hidden="true">
              analytic slope ↑
            </p>
            <svg
              class={alive ? "alive" : ""}
              viewBox={`0 0 ${SIDE} ${SIDE}`}
              role="img"
              aria-label={`Numerical slope across, analytic slope upwards, of ${nudged} parameters. ${verdict}`}
              onPointerMove={(event) => look(nearest(event))}
              onPointerDown={(event) => {
                const found = nearest(event);
                if (found) pick([found[0], (matrices[found[0]] as MatrixCheck).places[found[1]] as number]);
              }}
              onPointerLeave={() => look(null)}
            >
              <path class="axis" d={`M0 ${SIDE / 2}H${SIDE}M${SIDE / 2} 0V${SIDE}`} />
              <path class="diagonal" d={`M0 ${SIDE}L${SIDE} 0`} />
              {drawn.map(({ right, wrong: crossed }, which) => (
                <g class={which === matrixAt ? "picked" : ""}>
                  <path class="right" d={right} />
                  <path class="wrong" d={crossed} />
                </g>
              ))}
              {index >= 0 && (
                <circle
                  class="here"
                  r="6"
                  cx={area.x(shown.numerical[index] as number)}
                  cy={area.y(shown.analytic[index] as number)}
                />
              )}
              <text x={SIDE - 2} y={SIDE / 2 - 5} text-anchor="end" aria-hidden="true">
                {significant(area.limit, 2)}
              </text>
              <text x={2} y={SIDE / 2 - 5} aria-hidden="true">
                {significant(-area.limit, 2)}
              </text>
            </svg>
            <p class="title under" aria-hidden="true">
              numerical slope →
            </p>
          </div>
          <div class="maps">
            {matrices.map((matrix, which) => (
              <Gaps
                matrix={matrix}
                tolerance={tolerance}
                limit={limit}
                picked={which === matrixAt ? cell : null}
                onPick={(row, column) => {
                  look(null);
                  pick([which, row * matrix.columns + column]);
                }}
                describe={(row, column) => describe(matrix, row, column)}
              />
            ))}
          </div>
        </div>
        <table class="readout">
          <caption>
            {shown.name}[{cell[0]}][{cell[1]}], {meaning(shown, tokens, ...cell)}
          </caption>
          <tbody>
            <tr>
              <th scope="row">numerical</th>
              <td>{index < 0 ? "not nudged yet" : significant(shown.numerical[index] as number, 4)}</td>
            </tr>
            <tr>
              <th scope="row">analytic</th>
              <td>{index < 0 ? "–" : significant(shown.analytic[index] as number, 4)}</td>
            </tr>
            <tr>
              <th scope="row">difference</th>
              <td>{index < 0 ? "–" : significant(shown.gaps[index] as number, 2)}</td>
            </tr>
          </tbody>
        </table>
      </div>
      <span class="sr-only" role="status">
        {spoken}
      </span>
      <div class="own controls">
        <div class="buttons">
          {editor.state === "closed" ? (
            <button type="button" onClick={() => editor.open(broken(chosen), true)}>
              Edit the code
            </button>
          ) : (
            <>
              <button type="button" onClick={() => check(editor.text() ?? program)}>
                Check this code
              </button>
              <button type="button" onClick={() => onChoose(NONE)}>
                Back to the program
              </button>
            </>
          )}
          <span class="note">
            {editor.state === "loading"
              ? "loading the editor"
              : editor.state === "open"
                ? "Shift+Enter checks, Escape leaves"
                : ""}
          </span>
        </div>
        <div
          class="editor-place"
          ref={editor.place}
          {...(editor.state === "open" && { role: "group", "aria-label": "Editor" })}
        />
      </div>
    </>
  );
}
