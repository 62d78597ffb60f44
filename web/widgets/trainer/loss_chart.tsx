/** Losses of runs as curves over the names seen, on a logarithmic axis, and the names that they sample. */

import { scaleLog } from "d3-scale";
import { useEffect } from "preact/hooks";
import type { ModelEvaluation } from "../../engine/training.js";
import { EVALUATE_AFTER_NAMES } from "../../engine/training_setup.js";
import { formatPercent, groupThousands } from "../../parts/format.js";
import { LineChart, type Series, useStepCursor } from "../../parts/line_chart.js";
import { joinSampledNames, NumberTable } from "../../parts/number_table.js";
import { abbreviateThousands, describeLines, formatLoss, lastEvaluationUpTo, type Run } from "./runs.js";

/** A run with more evaluations than these is long: the chart cuts off its steep beginning lower. */
const LONG_RUN_EVALUATIONS = 20;
/** Where the first ten names stand on the x axis, as a share of its width: a logarithmic axis has no 0. */
const FIRST_X_POSITION = 0.05;
/** How many of the sampled sentences the table shows: they are long. */
const MAX_SAMPLED_SENTENCES = 3;
/** The lowest top of the y axis, for long runs and others, and its least height, in nats. */
const [LONG_RUN_MIN_TOP_LOSS, MIN_TOP_LOSS, MIN_LOSS_RANGE] = [2.9, 3.4, 0.4];

/** Return the losses at their indices in `EVALUATE_AFTER_NAMES`: NaN above the chart, except for points next to its edge. */
function visibleLosses(evaluations: ModelEvaluation[], key: "heldOutLoss" | "trainingLoss", topLoss: number): number[] {
  const losses = EVALUATE_AFTER_NAMES.map(() => Number.NaN);
  const points = evaluations.flatMap(({ gridIndex, [key]: loss }) => (loss === null ? [] : [{ gridIndex, loss }]));
  for (const [i, { gridIndex, loss }] of points.entries()) {
    const isVisible = points.slice(Math.max(0, i - 1), i + 2).some((each) => each.loss <= topLoss);
    if (isVisible) losses[gridIndex] = Math.min(topLoss, loss);
  }
  return losses;
}

/** The newest run, and those that it is compared with. */
export function LossChart({ run, compared }: { run: Run; compared: Run[] }) {
  const allRuns = [...compared, run];
  const { bigramLoss } = run.facts;
  const lines = describeLines(run);
  const hasHardCases = run.evaluations.some(({ hardCasesRight }) => hardCasesRight !== undefined);
  const lastStep = Math.max(2, ...allRuns.map(({ evaluations }) => 1 + (evaluations.at(-1)?.gridIndex ?? 0)));
  const cursor = useStepCursor(EVALUATE_AFTER_NAMES.length, lastStep);
  useEffect(() => cursor.select(EVALUATE_AFTER_NAMES.length), [run.facts]);
  const labelOf = ({ name, facts }: Run): string => {
    const isUnique = allRuns.filter((other) => other.name === name).length === 1;
    return isUnique ? name : `${name}, ${abbreviateThousands(facts.setup.namesToSee)}`;
  };
  const mostNames = Math.max(...allRuns.map(({ facts }) => facts.setup.namesToSee), 100);
  const xNames = EVALUATE_AFTER_NAMES.slice(0, 1 + EVALUATE_AFTER_NAMES.findIndex((count) => count >= mostNames));
  const lastTick = xNames.at(-1) as number;
  const xScale = scaleLog([10, lastTick], [FIRST_X_POSITION, 1]);
  const ticks = [100, 1000, 10_000, 100_000].filter((names) => names <= lastTick);
  // The beginning is steep and the same everywhere: later losses need the room, and every end is visible.
  const finalHeldOutLosses = allRuns.flatMap(({ diverged, evaluations }) =>
    diverged ? [] : (evaluations.at(-1)?.heldOutLoss ?? []),
  );
  const minTop = xNames.length > LONG_RUN_EVALUATIONS ? LONG_RUN_MIN_TOP_LOSS : MIN_TOP_LOSS;
  const top = Math.max(minTop, ...finalHeldOutLosses.filter(Number.isFinite));
  const allEvaluations = allRuns.flatMap(({ evaluations }) => evaluations);
  const heldOutLosses = allEvaluations.flatMap(({ heldOutLoss }) => heldOutLoss ?? []);
  const lowest = Math.min(top - MIN_LOSS_RANGE, ...heldOutLosses.filter(Number.isFinite));
  // As in pictures, each optimizer has its colour, whichever run is newest.
  const optimizers = new Set(allRuns.map(({ facts }) => facts.setup.optimizer));
  const classOf = (each: Run, position = each === run ? "newest" : `compared-${compared.indexOf(each)}`): string =>
    optimizers.size > 1 ? `${position} ${each.facts.setup.optimizer}` : position;
  const series: Series[] = [
    ...(bigramLoss === null ? [] : [{ className: "bigram-loss", values: xNames.map(() => bigramLoss) }]),
    { className: classOf(run, "training-loss"), values: visibleLosses(run.evaluations, "trainingLoss", top) },
    ...allRuns.map((each): Series => {
      const values = visibleLosses(each.evaluations, "heldOutLoss", top);
      return { className: classOf(each), values, hasDiverged: each.diverged };
    }),
  ];
  const finalLosses = allRuns.map(
    (each) => `${labelOf(each)} ${formatLoss(lastEvaluationUpTo(each, xNames.length - 1)?.heldOutLoss)}`,
  );
  return (
    <>
      <LineChart
        title={`loss in nats per token: on held-out ${lines}; thin, on those it learns from; dotted, a table of pairs`}
        series={series}
        minYRange={[lowest, top]}
        lastStep={lastStep}
        cursor={cursor}
        label={`Held-out losses while they train, at the end: ${finalLosses.join(", ")}`}
        describeStep={(step) => {
          const evaluation = lastEvaluationUpTo(run, step - 1);
          return `after ${groupThousands(evaluation?.namesSeen ?? 0)} ${lines}: held-out loss ${formatLoss(evaluation?.heldOutLoss)}`;
        }}
        xUnit={hasHardCases ? "lines" : lines}
        xPositions={xNames.map((names) => (names ? xScale(names) : 0))}
        xTicks={ticks.map((names) => [xScale(names), abbreviateThousands(names)])}
      />
      <NumberTable
        hasSamplesColumn
        caption="What they write, at temperature 0.5, from the same random numbers"
        columnTitles={["model", `${lines} seen`, "held-out", ...(hasHardCases ? ["hard cases right"] : []), "writes"]}
        rows={allRuns.toReversed().map((each) => {
          const evaluation = lastEvaluationUpTo(each, cursor.shown - 1);
          const namesSeen = evaluation ? groupThousands(evaluation.namesSeen) : "–";
          return [
            <>
              <span class={`legend-line ${classOf(each)}`} /> {labelOf(each)}
            </>,
            ...[namesSeen, formatLoss(evaluation?.heldOutLoss)],
            ...(hasHardCases ? [formatPercent(evaluation?.hardCasesRight ?? Number.NaN)] : []),
            joinSampledNames(evaluation?.names.slice(0, hasHardCases ? MAX_SAMPLED_SENTENCES : undefined)),
          ];
        })}
      />
      {hasHardCases && (
        <p class="note">
          Hard cases are held-out sentences in which only one of the first and the last noun is plural. A model gets one
          right if it finds the sentence likelier than with the wrong verb.
        </p>
      )}
    </>
  );
}
