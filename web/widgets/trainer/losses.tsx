/** The losses of runs as curves, over how many names were seen; that axis grows by factors. */

import { scaleLog } from "d3-scale";
import { GRID, nameOf } from "../../engine/setup.js";
import type { Moment } from "../../engine/training.js";
import { Curves, type Series, type useCursor } from "../../parts/curves.js";
import { grouped } from "../../parts/numerals.js";
import { momentAt, type Run, thousands, written } from "./runs.js";

/** With more moments than these, a run goes on long enough for its end to be the subject. */
const LONG = 20;
/** Where the first names end that were seen: as a share of the axis, for 0 has no place on it. */
const BEGINNING = 0.05;
/** The lowest loss that a picture's top may stand at, for long runs and others; and how high it is at least. */
const [LONG_TOP, TOP, SPAN] = [2.9, 3.4, 0.4];

const held = ({ heldOut }: Moment): number | null => heldOut;

/** The values at their places in the grid, without those above the picture, but for the points at its edge. */
function valuesOf(moments: Moment[], value: (moment: Moment) => number | null, top: number): number[] {
  const known = moments.filter((moment) => value(moment) !== null);
  const values: number[] = [];
  for (const [i, moment] of known.entries()) {
    const near = known.slice(Math.max(0, i - 1), i + 2).some((each) => (value(each) as number) <= top);
    values[moment.index] = near ? Math.min(top, value(moment) as number) : Number.NaN;
  }
  return Array.from(values, (each) => each ?? Number.NaN);
}

/** What tells a run from the others: its optimizer if that is all, or how long it learnt, or its name. */
export function labelOf({ name, begun: { setup } }: Run, shown: Run[]): string {
  const { model, optimizer, seen } = setup;
  const alike = ({ begun }: Run): boolean =>
    begun.setup.optimizer !== optimizer && nameOf({ ...begun.setup, optimizer }) === nameOf(setup);
  if (model === "gpt" && shown.some(alike)) return optimizer;
  return shown.filter((other) => other.name === name).length > 1 ? `${name}, ${thousands(seen)}` : name;
}

/** The last step of the grid that a run has come to. */
export const reached = (runs: Run[]): number =>
  Math.max(2, ...runs.map(({ moments }) => 1 + (moments.at(-1)?.index ?? 0)));

interface Props {
  run: Run;
  beside: Run[];
  seeds: Run[];
  cursor: ReturnType<typeof useCursor>;
}

export function Losses({ run, beside, seeds, cursor }: Props) {
  const shown = [...beside, run];
  const { pairs } = run.begun;
  const steps = 1 + GRID.findIndex((seen) => seen >= Math.max(...shown.map((each) => each.begun.setup.seen), 100));
  const across = scaleLog([10, GRID[steps - 1] as number], [BEGINNING, 1]);
  const ticks = [100, 1000, 10_000, 100_000].filter((seen) => seen <= (GRID[steps - 1] as number));
  // The beginning is steep and alike everywhere: what comes later needs the room, and every end.
  const ends = shown.flatMap(({ broken, moments }) => (broken ? [] : (moments.at(-1)?.heldOut ?? [])));
  const top = Math.max(steps > LONG ? LONG_TOP : TOP, ...ends.filter(Number.isFinite));
  const lowest = Math.min(
    top - SPAN,
    ...shown.flatMap(({ moments }) => moments.flatMap(({ heldOut }) => heldOut ?? [])),
  );
  const curve = (each: Run, kind: string, name: string, value = held): Series => {
    return { name, kind, values: valuesOf(each.moments, value, top) };
  };
  // As in pictures, an optimizer has its colour, whichever of two runs now.
  const optimizers = new Set(shown.map(({ begun }) => begun.setup.optimizer));
  const kind = (each: Run, place: string): string =>
    optimizers.size > 1 ? `${place} ${each.begun.setup.optimizer}` : `${place} `;
  const series = [
    ...(pairs === null ? [] : [{ name: "pairs", kind: "floor", values: Array<number>(steps).fill(pairs) }]),
    ...beside.map((each, i) => curve(each, kind(each, `other${i}`), labelOf(each, shown))),
    ...seeds.map((each) => curve(each, "each", "")),
    curve(run, kind(run, "learnt"), "training", ({ training }) => training),
    { ...curve(run, kind(run, "s1"), labelOf(run, shown)), broken: run.broken },
  ];
  const atEnd = shown.map((each) => `${labelOf(each, shown)} ${written(momentAt(each, steps - 1)?.heldOut)}`);
  return (
    <Curves
      panel={{
        title: "loss in nats per token: on held-out names, and on the names it learns from (thin)",
        series,
        height: 260,
        least: [lowest, top],
      }}
      steps={steps}
      last={reached(shown)}
      cursor={cursor}
      label={`Held-out losses while they train, at the end: ${atEnd.join(", ")}`}
      describe={(step) => {
        const moment = momentAt(run, step - 1);
        return `after ${grouped(moment?.seen ?? 0)} names: held-out loss ${written(moment?.heldOut)}`;
      }}
      along={{
        unit: "names",
        places: GRID.slice(0, steps).map((seen) => (seen ? across(seen) : 0)),
        ticks: ticks.map((seen) => [across(seen), thousands(seen)]),
      }}
    />
  );
}
