/** The slope of the loss with respect to one parameter, measured with a nudge that the reader chooses. */

import { useMemo, useState } from "preact/hooks";
import { encodeName, initialWeights, type PairTrace, tracePairs } from "../../engine/network.js";
import { mean, type Vector } from "../../engine/vectors.js";
import { formatCount, formatSignificant } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { Slider } from "../../parts/slider.js";
import { Status } from "../../parts/status.js";
import { VectorStrip } from "../../parts/vector_strip.js";
import type { ShuffledNameCount } from "../types.js";

const TRAINING_NAME = "emma";
/** The nudged parameter, in the embedding of "m". */
const [NUDGED_ROW, NUDGED_COLUMN] = [12, 13];
/** The nudges: 1, 0.1, … 1e-15. */
const EPSILONS = Array.from({ length: 16 }, (_, n) => Number(`1e-${n}`));
/** A cell with this many right digits has the strongest colour. */
const FULL_COLOR_DIGITS = 8;
/** A measured slope agrees with the true one up to this relative error. */
const MAX_RELATIVE_ERROR = 0.02;
/** Below this many floats, rounding is why a measured slope is off. */
const MIN_FLOATS_MOVED = 1000;

/** Format a nudge by its index, as a programmer writes it: 0.01, 1e-5. */
const formatEpsilon = (index: number): string => (index < 3 ? String(EPSILONS[index]) : `1e-${index}`);

/** Explain why a measured slope is off; `floatsMoved` is by how many floats the loss has moved. */
function explainError(floatsMoved: number): string {
  if (floatsMoved === 0) return "The loss has not moved at all: the nudge is lost in its last digit.";
  if (floatsMoved < MIN_FLOATS_MOVED)
    return `The loss has moved by ${formatCount(floatsMoved, "step")} from float to float: too few to tell a slope.`;
  return "Between the two points the curve bends, and the straight line does not.";
}

export function NumericalSlope({ shuffled_count: shuffledCount }: ShuffledNameCount) {
  const [index, setIndex] = useState(0);
  const { slope, lossChanges, floatSpacing } = useMemo(() => {
    const weights = initialWeights(shuffledCount);
    const wte = weights["wte"] as Vector[];
    const row = wte[NUDGED_ROW] as Vector;
    const traceNudged = (nudge: number): PairTrace[] => {
      const nudgedRow = row.with(NUDGED_COLUMN, (row[NUDGED_COLUMN] as number) + nudge);
      return tracePairs({ ...weights, wte: wte.with(NUDGED_ROW, nudgedRow) }, encodeName(TRAINING_NAME));
    };
    const meanLoss = (pairs: PairTrace[]): number => mean(pairs.map(({ loss }) => loss));
    const pairs = traceNudged(0);
    const loss = meanLoss(pairs);
    const slopeOfPair = ({ token, vectors }: PairTrace): number =>
      token === NUDGED_ROW ? (vectors.d_x[NUDGED_COLUMN] as number) : 0;
    return {
      slope: mean(pairs.map(slopeOfPair)),
      lossChanges: EPSILONS.map((epsilon) => meanLoss(traceNudged(epsilon)) - loss),
      // The distance from the loss to the next larger float
      floatSpacing: 2 ** (Math.floor(Math.log2(loss)) - 52),
    };
  }, []);
  const measuredSlopes = lossChanges.map((each, i) => each / (EPSILONS[i] as number));
  const errors = measuredSlopes.map((each) => Math.abs(each - slope));
  const rightDigits = errors.map((error) => Math.max(0, Math.floor(-Math.log10(error / Math.abs(slope)))));
  const formatDigits = (index: number): string => formatCount(rightDigits[index] as number, "digit");
  const isRight = (errors[index] as number) < MAX_RELATIVE_ERROR * Math.abs(slope);
  return (
    <>
      <p class="title">Digits that are right, from ε = 1 to {formatEpsilon(EPSILONS.length - 1)}</p>
      <VectorStrip
        values={rightDigits}
        kind="gradient"
        maxMagnitude={FULL_COLOR_DIGITS}
        label="Digits that are right, for each nudge"
        cellLabels={rightDigits.map(String)}
        columns={EPSILONS.length}
        selected={index}
        describeCell={(each) => `ε = ${formatEpsilon(each)}, ${formatDigits(each)}`}
      />
      <div class="controls">
        <Slider label="ε" value={index} max={EPSILONS.length - 1} format={formatEpsilon} onInput={setIndex} />
      </div>
      <NumberTable
        rows={[
          ["the loss moves by", formatSignificant(lossChanges[index] as number, 5)],
          ["measured slope: that / ε", formatSignificant(measuredSlopes[index] as number, 5)],
          ["true slope", formatSignificant(slope, 5)],
          ["off by", formatSignificant(errors[index] as number, 2)],
        ]}
      />
      <Status class="verdict">
        {isRight
          ? `The measured slope agrees with the true one in about ${formatDigits(index)}.`
          : explainError(Math.abs(Math.round((lossChanges[index] as number) / floatSpacing)))}
      </Status>
    </>
  );
}
