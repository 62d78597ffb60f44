/** The slope of the loss along one parameter, measured with a nudge that the reader chooses. */

import { useMemo, useState } from "preact/hooks";
import { encodeName, initialWeights, type PairTrace, tracePairs } from "../../engine/network.js";
import { mean, type Vector } from "../../engine/vectors.js";
import { formatCount, formatSignificant } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { Slider } from "../../parts/slider.js";
import { VectorStrip } from "../../parts/vector_strip.js";
import type { Sliders } from "../types.js";

const NAME = "emma";
/** The parameter that is nudged stands in the embedding of "m". */
const [ROW, COLUMN] = [12, 13];
/** The nudges: 1, 0.1, … 1e-15. */
const EPSILONS = Array.from({ length: 16 }, (_, n) => Number(`1e-${n}`));
/** So many right digits make a cell as strong as it gets. */
const DIGITS = 8;
/** A measured slope is good if it is no further off than this share of the true one. */
const NEAR = 0.02;
/** The loss can move by fewer floats than this, and then they are felt. */
const FEW = 1000;

/** A nudge as a programmer writes it. */
const written = (n: number): string => (n < 3 ? String(EPSILONS[n]) : `1e-${n}`);

/** Why a measured slope is off; `floats` is how far the loss has moved, from float to float. */
function spoilt(floats: number): string {
  if (floats === 0) return "The loss has not moved at all: the nudge is lost in its last digit.";
  if (floats < FEW)
    return `The loss has moved by ${formatCount(floats, "step")} from float to float: too few to tell a slope.`;
  return "Between the two points the curve bends, and the straight line does not.";
}

export function Nudge({ shuffled_count: names }: Sliders) {
  const [n, choose] = useState(0);
  const { slope, rises, spacing } = useMemo(() => {
    const weights = initialWeights(names);
    const wte = weights["wte"] as Vector[];
    const row = wte[ROW] as Vector;
    const nudged = (by: number): PairTrace[] => {
      const moved = row.with(COLUMN, (row[COLUMN] as number) + by);
      return tracePairs({ ...weights, wte: wte.with(ROW, moved) }, encodeName(NAME));
    };
    const lossOf = (pairs: PairTrace[]): number => mean(pairs.map(({ loss }) => loss));
    const pairs = nudged(0);
    const loss = lossOf(pairs);
    return {
      slope: mean(pairs.map(({ token, vectors }) => (token === ROW ? (vectors.d_x[COLUMN] as number) : 0))),
      rises: EPSILONS.map((epsilon) => lossOf(nudged(epsilon)) - loss),
      // The distance from the loss to the next larger float
      spacing: 2 ** (Math.floor(Math.log2(loss)) - 52),
    };
  }, []);
  const measured = rises.map((each, i) => each / (EPSILONS[i] as number));
  const off = measured.map((each) => Math.abs(each - slope));
  const digits = off.map((gap) => Math.max(0, Math.floor(-Math.log10(gap / Math.abs(slope)))));
  const right = formatCount(digits[n] as number, "digit");
  return (
    <>
      <p class="title">Digits that are right, from ε = 1 to {written(EPSILONS.length - 1)}</p>
      <VectorStrip
        values={digits}
        kind="gradient"
        maxMagnitude={DIGITS}
        label="Digits that are right, for each nudge"
        cellLabels={digits.map(String)}
        columns={EPSILONS.length}
        selected={n}
        describeCell={(n) => `ε = ${written(n)}, ${formatCount(digits[n] as number, "digit")}`}
      />
      <div class="controls">
        <Slider label="ε" value={n} max={EPSILONS.length - 1} format={written} onInput={choose} />
      </div>
      <NumberTable
        rows={[
          ["the loss moves by", formatSignificant(rises[n] as number, 5)],
          ["measured slope: that / ε", formatSignificant(measured[n] as number, 5)],
          ["true slope", formatSignificant(slope, 5)],
          ["off by", formatSignificant(off[n] as number, 2)],
        ]}
      />
      <p class="verdict" role="status">
        {(off[n] as number) < NEAR * Math.abs(slope)
          ? `The measured slope agrees with the true one in about ${right}.`
          : spoilt(Math.abs(Math.round((rises[n] as number) / spacing)))}
      </p>
    </>
  );
}
