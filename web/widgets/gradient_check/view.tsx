/** Both gradients of every parameter, as points, and where they disagree, as heat maps. */

import { useMemo } from "preact/hooks";
import {
  belongs,
  documentOf,
  initialWeights,
  type Matrices,
  numericalGradient,
  type Parameter,
} from "../../engine/network.js";
import { HeatMap } from "../../parts/heat_map.js";
import { grouped, significant } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Readout } from "../../parts/readout.js";
import { refusal } from "../../parts/refusal.js";
import { TextField } from "../../parts/text_field.js";
import { useAlive } from "../../parts/use_alive.js";
import { usePython } from "../../parts/use_python.js";
import { useSeen } from "../../parts/use_seen.js";
import type { Given } from "../../runtime/widget.js";
import type { Break, GradientCheck, GradientCheckParameters } from "../types.js";

/** Letters of a name. */
const LONGEST = 16;
/** Slopes may differ by this: nudges do by far less, mistakes by far more. */
const TOLERANCE = 1e-6;
/** The side of the square of points, in its own coordinates, and what is left free at its edges. */
const SIDE = 320;
const ROOM = 8;
/** How near to a point the mouse has to be. */
const NEAR = 12;

/** Both slopes along a parameter, and where they lie in the square. */
interface Slopes {
  at: Parameter;
  numerical: number;
  analytic: number;
  gap: number;
  x: number;
  y: number;
}

/** Points as one path. */
const path = (some: Slopes[], mark: string): string =>
  [...new Set(some.map(({ x, y }) => `M${x} ${y}${mark}`))].join("");

function compare(numerical: Matrices, analytic: Matrices) {
  const slopes = [numerical, analytic].flatMap((each) => Object.values(each).flat(2));
  const limit = Math.max(...slopes.map(Math.abs)) || 1;
  const along = (slope: number): number => Math.round(ROOM + ((SIDE - 2 * ROOM) * (1 + slope / limit)) / 2);
  const both = (at: Parameter, nudged: number): Slopes => {
    const derived = analytic[at[0]]?.[at[1]]?.[at[2]] as number;
    const gap = Math.abs(derived - nudged);
    return { at, numerical: nudged, analytic: derived, gap, x: along(nudged), y: SIDE - along(derived) };
  };
  const matrices = Object.entries(numerical).map(([name, matrix]) => {
    const rows = matrix.map((row, i) => row.map((slope, j) => both([name, i, j], slope)));
    const all = rows.flat();
    const wrong = all.filter(({ gap }) => gap > TOLERANCE);
    const says = wrong.length === 0 ? "no difference" : `${wrong.length} of ${all.length} wrong`;
    return {
      ...{ name, rows, all, wrong, says },
      gaps: rows.map((row) => row.map(({ gap }) => (gap > TOLERANCE ? gap : 0))),
      // A dot is a line of no length, what is wrong is a cross.
      dots: path(
        all.filter(({ gap }) => gap <= TOLERANCE),
        "h0",
      ),
      crosses: path(wrong, "m-2.5-2.5l5 5m0-5l-5 5"),
    };
  });
  return { limit, matrices, all: matrices.flatMap(({ all }) => all) };
}

const four = (slope: number): string => significant(slope, 4);

/** The chosen break as a difference: the line that goes, the line that comes. */
function Change({ of }: { of: Break | undefined }) {
  return (
    <div class="change" aria-live="polite">
      <code class={of ? "gone" : ""}>{of && `− ${of.gone}`}</code>
      <code class={of ? "come" : ""}>{of && `+ ${of.come}`}</code>
    </div>
  );
}

export default function Check(given: Given<GradientCheckParameters, GradientCheck>) {
  const { breaks, tokens, names } = given.result;
  const refuse = ({ name }: GradientCheckParameters): string => refusal(name, tokens, LONGEST);
  const python = usePython<GradientCheckParameters, GradientCheck>("gradient_check", given, refuse);
  const alive = useAlive();
  const { asked, ask } = python;
  const { name } = python.parameters;
  const { gradient } = python.result;

  const weights = useMemo(() => initialWeights(names, tokens.length), []);
  const numerical = useMemo(() => numericalGradient(weights, documentOf(name, tokens)), [name]);
  const { limit, matrices, all } = useMemo(() => compare(numerical, gradient), [numerical, gradient]);
  const largest = Math.max(...all.map(({ gap }) => gap));
  const wrong = matrices.reduce((sum, matrix) => sum + matrix.wrong.length, 0);

  // What is shown: the point under the mouse, or the parameter that was picked, which is at first the steepest.
  const { at, picked, pick, look } = useSeen<Parameter>(
    () => all.reduce((a, b) => (Math.abs(b.numerical) > Math.abs(a.numerical) ? b : a)).at,
  );
  const here = matrices.find((matrix) => matrix.name === at[0])?.rows[at[1]]?.[at[2]] as Slopes;
  const called = (at: Parameter): string => `${at[0]}[${at[1]}][${at[2]}], ${belongs(at, tokens)}`;
  const nearest = (event: PointerEvent & { currentTarget: Element }): Parameter | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const across = ((event.clientX - box.left) / box.width) * SIDE;
    const down = ((event.clientY - box.top) / box.height) * SIDE;
    let found: Parameter | null = null;
    let least = NEAR;
    for (const slopes of all) {
      const distance = Math.hypot(slopes.x - across, slopes.y - down);
      if (distance < least) [least, found] = [distance, slopes.at];
    }
    return found;
  };

  const count = grouped(all.length);
  const verdict =
    wrong === 0
      ? `None of ${count} slopes differs by more than ${significant(largest, 2)}.`
      : `${grouped(wrong)} of ${count} slopes are wrong, by up to ${significant(largest, 2)}.`;
  return (
    <>
      <div class="controls">
        <label class="choice">
          <span>Break a line</span>
          <select value={asked.broken ?? ""} onInput={(event) => ask({ ...asked, broken: event.currentTarget.value })}>
            <option value="">none: the gradient of the program</option>
            {breaks.map(({ name }) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </label>
        <TextField
          id="gradient-check"
          label="A name"
          value={asked.name}
          onInput={(name) => ask({ ...asked, name }, true)}
          onEnter={(name) => ask({ ...asked, name })}
          refusal={python.refusal}
        >
          <PythonStatus python={python} />
        </TextField>
        <Change of={breaks.find(({ name }) => name === asked.broken)} />
      </div>
      <div class={python.stale ? "stale" : ""}>
        <p class="verdict" role="status">
          {verdict}
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
              aria-label={`Numerical slope across, analytic slope upwards, of ${count} parameters. ${verdict}`}
              onPointerMove={(event) => look(nearest(event))}
              onPointerDown={(event) => pick(nearest(event) ?? picked)}
              onPointerLeave={() => look(null)}
            >
              <path class="axis" d={`M0 ${SIDE / 2}H${SIDE}M${SIDE / 2} 0V${SIDE}`} />
              <path class="diagonal" d={`M0 ${SIDE}L${SIDE} 0`} />
              {matrices.map(({ name, dots, crosses }) => (
                <g class={name === at[0] ? "picked" : ""}>
                  <path class="right" d={dots} />
                  <path class="wrong" d={crosses} />
                </g>
              ))}
              <circle class="here" r="6" cx={here.x} cy={here.y} />
              <text x={SIDE - 2} y={SIDE / 2 - 5} text-anchor="end" aria-hidden="true">
                {significant(limit, 2)}
              </text>
              <text x={2} y={SIDE / 2 - 5} aria-hidden="true">
                {significant(-limit, 2)}
              </text>
            </svg>
            <p class="title under" aria-hidden="true">
              numerical slope →
            </p>
          </div>
          <div class="maps">
            {matrices.map(({ name, rows, gaps, says }) => (
              <div class={`gaps ${name}`}>
                <p class="head">
                  <code>{name}</code>
                  <span>{says}</span>
                </p>
                <HeatMap
                  rows={rows.map(() => "")}
                  columns={rows[0]?.map(() => "") ?? []}
                  values={gaps}
                  scale="sequential"
                  kind="gradient"
                  limit={Math.max(largest, 10 * TOLERANCE)}
                  picked={at[0] === name ? [at[1], at[2]] : null}
                  onPick={(row, column) => pick([name, row, column])}
                  format={(value) => significant(value, 2)}
                  describe={(row, column) => {
                    const { at, numerical, analytic } = (rows[row] as Slopes[])[column] as Slopes;
                    return `${called(at)}: numerical ${four(numerical)}, analytic ${four(analytic)}`;
                  }}
                  label={`${name}: ${says}`}
                  cell={4}
                />
              </div>
            ))}
          </div>
        </div>
        <Readout
          caption={called(at)}
          rows={[
            ["numerical", four(here.numerical)],
            ["analytic", four(here.analytic)],
            ["difference", significant(here.gap, 2)],
          ]}
        />
      </div>
    </>
  );
}
