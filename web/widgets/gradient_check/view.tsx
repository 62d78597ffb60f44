/** Where both gradients disagree, as heat maps, and what each says of a parameter. */

import { useMemo } from "preact/hooks";
import {
  belongs,
  documentOf,
  initialWeights,
  type Matrices,
  numericalGradient,
  type Parameter,
  TOKENS,
} from "../../engine/network.js";
import { HeatMap } from "../../parts/heat_map.js";
import { grouped, significant } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Readout } from "../../parts/readout.js";
import { refusal } from "../../parts/refusal.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import { useSeen } from "../../parts/use_seen.js";
import type { Given } from "../../runtime/widget.js";
import type { Break, GradientCheck, GradientCheckParameters } from "../types.js";

/** Letters of a name. */
const LONGEST = 16;
/** Slopes may differ by this: nudges do by far less, mistakes by far more. */
const TOLERANCE = 1e-6;

/** Both slopes along a parameter. */
interface Slopes {
  at: Parameter;
  numerical: number;
  analytic: number;
  gap: number;
}

/** Each matrix, with both slopes of all its parameters. */
function compare(numerical: Matrices, analytic: Matrices) {
  return Object.entries(numerical).map(([name, matrix]) => {
    const rows = matrix.map((row, i) =>
      row.map((nudged, j): Slopes => {
        const derived = analytic[name]?.[i]?.[j] as number;
        return { at: [name, i, j], numerical: nudged, analytic: derived, gap: Math.abs(derived - nudged) };
      }),
    );
    const gaps = rows.map((row) => row.map(({ gap }) => (gap > TOLERANCE ? gap : 0)));
    const wrong = gaps.flat().filter(Boolean).length;
    const says = wrong === 0 ? "none wrong" : `${wrong} of ${gaps.flat().length} wrong`;
    return { name, rows, gaps, wrong, says };
  });
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
  const { breaks, names } = given.result;
  const refuse = ({ name }: GradientCheckParameters): string => refusal(name, TOKENS, LONGEST);
  const python = usePython<GradientCheckParameters, GradientCheck>("gradient_check", given, refuse);
  const { asked, ask } = python;
  const { name } = python.parameters;
  const { gradient } = python.result;

  const weights = useMemo(() => initialWeights(names), []);
  const numerical = useMemo(() => numericalGradient(weights, documentOf(name)), [name]);
  const matrices = useMemo(() => compare(numerical, gradient), [numerical, gradient]);
  const all = matrices.flatMap(({ rows }) => rows.flat());
  const largest = Math.max(...all.map(({ gap }) => gap));
  const wrong = matrices.reduce((sum, matrix) => sum + matrix.wrong, 0);

  // What is shown: the parameter under the mouse, or the one that was picked, which is at first the steepest.
  const { at, pick, look } = useSeen<Parameter>(
    () => all.reduce((a, b) => (Math.abs(b.numerical) > Math.abs(a.numerical) ? b : a)).at,
  );
  const here = matrices.find((matrix) => matrix.name === at[0])?.rows[at[1]]?.[at[2]] as Slopes;
  const called = (at: Parameter): string => `${at[0]}[${at[1]}][${at[2]}], ${belongs(at)}`;
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
        <div class="wrap maps">
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
                onLook={(cell) => look(cell && [name, ...cell])}
                format={(value) => significant(value, 2)}
                describe={(row, column) => {
                  const { at, numerical, analytic } = (rows[row] as Slopes[])[column] as Slopes;
                  return `${called(at)}: numerical ${four(numerical)}, analytic ${four(analytic)}`;
                }}
                label={`${name}: ${says}`}
                cell={5}
              />
            </div>
          ))}
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
