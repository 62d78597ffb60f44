/** The slope of the loss along one parameter, measured with a nudge that the reader chooses. */

import { useMemo, useState } from "preact/hooks";
import {
  belongs,
  documentOf,
  initialWeights,
  movedLoss,
  type Parameter,
  pairsOf,
  trueSlope,
} from "../../engine/network.js";
import { plural, significant } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";
import { Strip } from "../../parts/strip.js";
import type { Sliders } from "../types.js";
import { Axes, Dot, HIGH, line, Plane, type Point, scale } from "./plane.js";
import { Verdict } from "./says.js";

const NAME = "emma";
const PARAMETER: Parameter = ["wte", 12, 13];
const CALLED = "wte[12][13]";
/** The nudges: 1, 0.1, … 1e-15. */
const EPSILONS = Array.from({ length: 16 }, (_, n) => Number(`1e-${n}`));
/** The window of the curve, in nudges, and where in it points are computed. */
const [LEFT, RIGHT] = [-0.5, 1.5];
const POINTS = Array.from({ length: 13 }, (_, i) => LEFT + ((RIGHT - LEFT) * i) / 12);
/** So many right digits make a cell as strong as it gets. */
const DIGITS = 8;
/** A measured slope is good if it is no further off than this share of the true one. */
const NEAR = 0.02;
/** The loss can move by fewer floats than this, and then they are felt. */
const FEW = 1000;

/** A nudge as a programmer writes it. */
const written = (n: number): string => (n < 3 ? String(EPSILONS[n]) : `1e-${n}`);

/** How many digits of a slope agree with the true one. */
function digitsOf(slope: number, true_: number): number {
  const gap = Math.abs(slope - true_) / Math.abs(true_);
  return gap === 0 ? 16 : Math.max(0, -Math.log10(gap));
}

/** How good a measured slope is, and what spoils it; `floats` is how far the loss has moved, from float to float. */
function verdict(slope: number, true_: number, floats: number): string {
  if (Math.abs(slope - true_) < NEAR * Math.abs(true_))
    return `The measured slope agrees with the true one in about ${plural(Math.floor(digitsOf(slope, true_)), "digit")}.`;
  if (floats === 0) return "The loss has not moved at all: the nudge is lost in its last digit.";
  if (floats < FEW)
    return `The loss has moved by ${plural(floats, "step")} from float to float: too few to tell a slope.`;
  return "Between the two points the curve bends, and the straight line does not.";
}

export function Nudge({ names }: Sliders) {
  const [n, choose] = useState(0);
  const { value, loss, slope, rises, lossAt } = useMemo(() => {
    const weights = initialWeights(names);
    const pairs = pairsOf(weights, documentOf(NAME));
    const lossAt = (by: number): number => movedLoss(weights, pairs, PARAMETER, by);
    const [matrix, row, column] = PARAMETER;
    const value = weights[matrix]?.[row]?.[column] as number;
    const loss = lossAt(0);
    return { value, loss, slope: trueSlope(pairs, PARAMETER), rises: EPSILONS.map((e) => lossAt(e) - loss), lossAt };
  }, []);
  const [epsilon, rise] = [EPSILONS[n] as number, rises[n] as number];
  const measured = rises.map((each, i) => each / (EPSILONS[i] as number));
  const digits = measured.map((each) => digitsOf(each, slope));
  // The distance from the loss to the next larger float
  const spacing = 2 ** (Math.floor(Math.log2(loss)) - 52);
  const curve = useMemo(() => POINTS.map((t): Point => [t, lossAt(t * epsilon) - loss]), [n]);
  /** A straight line through the first point that rises so far with the nudge. */
  const straight = (by: number): Point[] => [LEFT, RIGHT].map((t): Point => [t, by * t]);
  const seen = [...curve, ...straight(rise)].map(([, y]) => y);
  const place = scale([LEFT, RIGHT], [Math.min(...seen, -spacing / 2), Math.max(...seen, spacing / 2)], [20, 30]);
  const drawn = (points: Point[]): string => line(points.map(([t, y]) => place(t, y)));
  return (
    <>
      <p class="title">Digits that are right, from ε = 1 to {written(EPSILONS.length - 1)}</p>
      <Strip
        values={digits}
        kind="gradient"
        limit={DIGITS}
        label="Digits that are right, for each nudge"
        names={digits.map((each) => String(Math.floor(each)))}
        columns={EPSILONS.length}
        picked={n}
        describe={(n) => `ε = ${written(n)}, ${plural(Math.floor(digits[n] as number), "digit")}`}
      />
      <div class="controls">
        <Slider label="ε" value={n} max={EPSILONS.length - 1} format={written} onInput={choose} />
      </div>
      <Readout
        rows={[
          ["the loss moves by", significant(rise, 5)],
          ["measured slope: that / ε", significant(measured[n] as number, 5)],
          ["true slope", significant(slope, 5)],
          ["off by", significant(Math.abs((measured[n] as number) - slope), 2)],
        ]}
      />
      <Verdict>{verdict(measured[n] as number, slope, Math.abs(Math.round(rise / spacing)))}</Verdict>
      <Plane label={`The loss along ${CALLED}, its tangent, and the straight line through both ends of the nudge`}>
        <path class="line soft" d={line([place(LEFT, 0), place(RIGHT, 0)])} />
        {[0, 1].map((t) => (
          <path class="line dotted" d={`M${place(t, 0)[0].toFixed(1)} 0V${HIGH - 20}`} />
        ))}
        <path class="line thick data" d={drawn(curve)} />
        <path class="line dashed ink" d={drawn(straight(slope * epsilon))} />
        <path class="line curve gradient" d={drawn(straight(rise))} />
        <Dot at={place(0, 0)} look="dot gradient" r={5} />
        <Dot at={place(1, rise)} look="dot gradient" r={5} />
        <text x={place(0, 0)[0]} y={HIGH - 4}>
          {significant(value, 3)}
        </text>
        <text x={place(1, 0)[0]} y={HIGH - 4}>
          + ε
        </text>
        <Axes across={CALLED} up="loss" />
      </Plane>
      <p class="note">
        <span class="swatch data" /> loss, <span class="swatch gradient" /> through both points,{" "}
        <span class="swatch ink" /> true slope
      </p>
      <p class="note">
        <code>{CALLED}</code>: {belongs(PARAMETER)}, untrained, with the loss of “{NAME}”
      </p>
    </>
  );
}
