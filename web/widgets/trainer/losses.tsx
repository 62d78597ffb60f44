/** Runs as curves of their losses, over how many names were seen, and what they invent; that axis grows by factors. */

import { scaleLog } from "d3-scale";
import { useEffect } from "preact/hooks";
import type { Evaluation } from "../../engine/training.js";
import { EVALUATE_AT } from "../../engine/training_setup.js";
import { groupThousands } from "../../parts/format.js";
import { LineChart, type Series, useStepCursor } from "../../parts/line_chart.js";
import { formatSamples, NumberTable } from "../../parts/number_table.js";
import { momentAt, type Run, thousands, written } from "./runs.js";

/** With more moments than these, a run goes on long enough for its end to be the subject. */
const LONG = 20;
/** Where the first names end that were seen: as a share of the axis, for 0 has no place on it. */
const BEGINNING = 0.05;
/** The lowest loss that a picture's top may stand at, for long runs and others; and how high it is at least. */
const [LONG_TOP, TOP, SPAN] = [2.9, 3.4, 0.4];

/** The values at their places in the grid, without those above the picture, but for the points at its edge. */
function valuesOf(moments: Evaluation[], of: "heldOutLoss" | "trainingLoss", top: number): number[] {
  const known = moments.filter((moment) => moment[of] !== null);
  const values: number[] = [];
  for (const [i, moment] of known.entries()) {
    const near = known.slice(Math.max(0, i - 1), i + 2).some((each) => (each[of] as number) <= top);
    values[moment.gridIndex] = near ? Math.min(top, moment[of] as number) : Number.NaN;
  }
  return Array.from(values, (each) => each ?? Number.NaN);
}

/** The newest run, and those beside it. */
export function Losses({ run, beside }: { run: Run; beside: Run[] }) {
  const shown = [...beside, run];
  const { bigramLoss } = run.facts;
  const reached = Math.max(2, ...shown.map(({ evaluations }) => 1 + (evaluations.at(-1)?.gridIndex ?? 0)));
  const cursor = useStepCursor(EVALUATE_AT.length, reached);
  useEffect(() => cursor.select(EVALUATE_AT.length), [run.facts]);
  const labelOf = ({ name, facts }: Run): string =>
    shown.filter((other) => other.name === name).length > 1 ? `${name}, ${thousands(facts.setup.seen)}` : name;
  const steps =
    1 + EVALUATE_AT.findIndex((seen) => seen >= Math.max(...shown.map((each) => each.facts.setup.seen), 100));
  const across = scaleLog([10, EVALUATE_AT[steps - 1] as number], [BEGINNING, 1]);
  const ticks = [100, 1000, 10_000, 100_000].filter((seen) => seen <= (EVALUATE_AT[steps - 1] as number));
  // The beginning is steep and alike everywhere: what comes later needs the room, and every end.
  const ends = shown.flatMap(({ diverged, evaluations }) => (diverged ? [] : (evaluations.at(-1)?.heldOutLoss ?? [])));
  const top = Math.max(steps > LONG ? LONG_TOP : TOP, ...ends.filter(Number.isFinite));
  const all = shown.flatMap(({ evaluations }) => evaluations.flatMap(({ heldOutLoss }) => heldOutLoss ?? []));
  const lowest = Math.min(top - SPAN, ...all.filter(Number.isFinite));
  // As in pictures, an optimizer has its colour, whichever of two runs now.
  const optimizers = new Set(shown.map(({ facts }) => facts.setup.optimizer));
  const kindOf = (each: Run, place = each === run ? "newest" : `compared-${beside.indexOf(each)}`): string =>
    optimizers.size > 1 ? `${place} ${each.facts.setup.optimizer}` : place;
  const series: Series[] = [
    ...(bigramLoss === null ? [] : [{ className: "bigram-loss", values: Array<number>(steps).fill(bigramLoss) }]),
    { className: kindOf(run, "training-loss"), values: valuesOf(run.evaluations, "trainingLoss", top) },
    ...shown.map((each) => ({
      ...{
        className: kindOf(each),
        values: valuesOf(each.evaluations, "heldOutLoss", top),
        hasDiverged: each.diverged,
      },
    })),
  ];
  const atEnd = shown.map((each) => `${labelOf(each)} ${written(momentAt(each, steps - 1)?.heldOutLoss)}`);
  return (
    <>
      <LineChart
        title="loss in nats per token: on held-out names; thin, on those it learns from; dotted, a table of pairs"
        series={series}
        minYRange={[lowest, top]}
        lastStep={reached}
        cursor={cursor}
        label={`Held-out losses while they train, at the end: ${atEnd.join(", ")}`}
        describeStep={(step) => {
          const moment = momentAt(run, step - 1);
          return `after ${groupThousands(moment?.seen ?? 0)} names: held-out loss ${written(moment?.heldOutLoss)}`;
        }}
        xUnit="names"
        xPositions={EVALUATE_AT.slice(0, steps).map((seen) => (seen ? across(seen) : 0))}
        xTicks={ticks.map((seen) => [across(seen), thousands(seen)])}
      />
      <NumberTable
        hasSamplesColumn
        caption="Names that they invent, at temperature 0.5, from the same random numbers"
        columnTitles={["model", "names seen", "held-out", "invents"]}
        rows={shown.toReversed().map((each) => {
          const moment = momentAt(each, cursor.shown - 1);
          const seen = moment ? groupThousands(moment.seen) : "–";
          const label = (
            <>
              <span class={`legend-line ${kindOf(each)}`} /> {labelOf(each)}
            </>
          );
          return [label, seen, written(moment?.heldOutLoss), formatSamples(moment?.names)];
        })}
      />
    </>
  );
}
