/** The slope of the loss along one parameter, measured with a nudge that the reader chooses. */

import { scaleLinear } from "d3-scale";
import { useMemo, useState } from "preact/hooks";
import {
  belongs,
  documentOf,
  type Matrices,
  movedLoss,
  type Parameter,
  pairsOf,
  trueSlope,
} from "../../engine/network.js";
import { plural, significant } from "../../parts/numerals.js";
import { IconButton } from "../../parts/player.js";
import { Readout } from "../../parts/readout.js";
import type { Network } from "../types.js";

/** The nudges: 1, 0.1, … 1e-15. */
const EPSILONS = Array.from({ length: 16 }, (_, n) => Number(`1e-${n}`));
/** The window of the curve, in nudges. */
const LEFT = -0.5;
const RIGHT = 1.5;
/** Sizes of the coordinates in which curves are drawn, before they are stretched. */
const WIDTH = 1000;
const GLASS = 200;
/** Where in the window points of the curve are computed. */
const POINTS = Array.from({ length: 13 }, (_, i) => LEFT + ((RIGHT - LEFT) * i) / 12);
/** So many digits fill a bar. */
const DIGITS = 8;
/** A measured slope is good if it is no further off than this share of the true one. */
const NEAR = 0.02;
/** The loss can move by fewer floats than this, and then they are felt. */
const FEW = 1000;

const round = (value: number): number => Math.round(value * 10) / 10;
/** A number as a programmer writes it: 1.17e-2. */
const power = (value: number, digits = 0): string =>
  value === 0 ? "0" : value.toExponential(digits).replace(/^-/, "−").replace("e+", "e");
/** An epsilon, written out where that is short. */
const written = (value: number): string => (value >= 0.001 ? String(value) : power(value));

interface Measured {
  epsilon: number;
  rise: number;
  slope: number;
  /** How many digits of the slope are right. */
  digits: number;
  says: string;
}

/** How many digits of a slope agree with the true one. */
function digitsOf(slope: number, true_: number): number {
  const gap = Math.abs(slope - true_) / Math.abs(true_);
  return gap === 0 ? 16 : Math.max(0, -Math.log10(gap));
}

/** How good a measured slope is, and what spoils it; `floats` is how far the loss has moved, from float to float. */
function says(slope: number, true_: number, floats: number): string {
  if (Math.abs(slope - true_) < NEAR * Math.abs(true_)) {
    const count = Math.max(1, Math.floor(digitsOf(slope, true_)));
    return `The measured slope agrees with the true one in about ${plural(count, "digit")}.`;
  }
  if (floats === 0) return "The loss has not moved at all: the nudge is lost in its last digit.";
  if (floats < FEW)
    return `The loss has moved by ${plural(floats, "step")} from float to float: too few to tell a slope.`;
  return "Between the two points the curve bends, and the straight line does not.";
}

interface GlassProps {
  called: string;
  value: number;
  loss: number;
  spacing: number;
  trueSlope: number;
  nudge: Measured;
  /** How far the loss is from that without a nudge, at each of the points. */
  curve: number[];
}

/** The curve around the parameter, as large as the nudge makes it. */
function Glass({ called, value, loss, spacing, trueSlope, nudge, curve }: GlassProps) {
  const { epsilon, rise } = nudge;
  const tangent = [LEFT, RIGHT].map((t) => trueSlope * epsilon * t);
  const secant = [LEFT, RIGHT].map((t) => rise * t);
  const ends = [...curve, ...secant, 0];
  const [low, high] = [Math.min(...ends, -spacing / 2), Math.max(...ends, spacing / 2)];
  const room = 0.06 * (high - low);
  const y = scaleLinear([low - room, high + room], [GLASS, 0]);
  const x = scaleLinear([LEFT, RIGHT], [0, WIDTH]);
  const place = (t: number, value: number): string => `${round(x(t))} ${round(y(value))}`;
  const points = curve.map((value, index) => place(POINTS[index] as number, value));
  const straight = ([from = 0, to = 0]: number[]): string => `M${place(LEFT, from)}L${place(RIGHT, to)}`;
  const top = (value: number): string => `${round(y(value))}px`;
  const left = (t: number): string => `${round((100 * x(t)) / WIDTH)}%`;
  const apart = Math.abs(y(rise) - y(0)) > 18;
  return (
    <div class="glass">
      <p class="title">
        Loss along {called}, in a window {written(2 * epsilon)} wide
      </p>
      <div class="plane" style={{ height: `${GLASS}px` }}>
        <span class="tick" style={{ top: top(0) }}>
          {significant(loss, 6)}
        </span>
        {apart && (
          <span class="tick" style={{ top: top(rise) }}>
            {rise < 0 ? "" : "+"}
            {power(rise, 1)}
          </span>
        )}
        <svg viewBox={`0 0 ${WIDTH} ${GLASS}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
          <path class="grid" d={`M${x(0)} 0V${GLASS}M${x(1)} 0V${GLASS}M0 ${round(y(0))}H${WIDTH}`} />
          <path class="loss" d={`M${points.join("L")}`} />
          <path class="tangent" d={straight(tangent)} />
          <path class="secant" d={straight(secant)} />
        </svg>
        <span class="dot" style={{ left: left(0), top: top(0) }} />
        <span class="dot" style={{ left: left(1), top: top(rise) }} />
        <span class="foot" style={{ left: left(0) }}>
          {significant(value, 3)}
        </span>
        <span class="foot" style={{ left: left(1) }}>
          + ε
        </span>
      </div>
      <p class="note">
        <span class="key loss" /> loss <span class="key secant" /> through both points <span class="key tangent" /> true
        slope
      </p>
    </div>
  );
}

export function Nudge({ given }: { given: Network }) {
  const { tokens, name } = given;
  const matrices = given.weights[given.state] as Matrices;
  const parameter: Parameter = [given.matrix, given.row, given.column];
  const [at, setAt] = useState(0);
  const [said, say] = useState("");
  const [matrix, row, column] = parameter;
  const { loss, slope, spacing, nudges, lossAt } = useMemo(() => {
    const pairs = pairsOf(matrices, documentOf(name, tokens));
    const lossAt = (by: number): number => movedLoss(matrices, pairs, parameter, by);
    const loss = lossAt(0);
    const slope = trueSlope(pairs, parameter);
    // The distance from the loss to the next larger float
    const spacing = 2 ** (Math.floor(Math.log2(loss)) - 52);
    const nudges = EPSILONS.map((epsilon): Measured => {
      const rise = lossAt(epsilon) - loss;
      const measured = rise / epsilon;
      const floats = Math.abs(Math.round(rise / spacing));
      return { epsilon, rise, slope: measured, digits: digitsOf(measured, slope), says: says(measured, slope, floats) };
    });
    return { loss, slope, spacing, nudges, lossAt };
  }, []);
  const nudge = nudges[at] as Measured;
  const curve = useMemo(() => POINTS.map((t) => lossAt(t * nudge.epsilon) - loss), [lossAt, at]);
  const last = nudges.length - 1;
  const describe = (index: number): string => {
    const { epsilon, slope, says } = nudges[index] as Measured;
    return `ε = ${written(epsilon)}, measured slope ${significant(slope, 4)}. ${says}`;
  };
  const go = (index: number): void => {
    const to = Math.max(0, Math.min(last, index));
    setAt(to);
    say(describe(to));
  };
  const called = `${matrix}[${row}][${column}]`;
  return (
    <div class="nudge-panel">
      <div class="digits" aria-hidden="true">
        {nudges.map(({ digits }, index) => (
          <span class={index === at ? "picked" : ""}>
            <span class="right" style={{ height: `${Math.round(Math.min(100, (100 * digits) / DIGITS))}%` }} />
          </span>
        ))}
      </div>
      <div class="wrap size controls" role="group" aria-label="Size of the nudge">
        <IconButton icon="back" says="A larger nudge" off={at === 0} press={() => go(at - 1)} />
        <input
          type="range"
          min={0}
          max={last}
          value={at}
          aria-label="ε, from 1 down"
          aria-valuetext={describe(at)}
          onInput={(event) => {
            setAt(event.currentTarget.valueAsNumber);
            say("");
          }}
        />
        <IconButton icon="on" says="A smaller nudge" off={at === last} press={() => go(at + 1)} />
        <span class="epsilon">ε = {written(nudge.epsilon)}</span>
        <span class="sr-only" role="status">
          {said}
        </span>
      </div>
      <Readout
        caption="The nudge in numbers"
        unseen
        rows={[
          ["measured slope: difference / ε", significant(nudge.slope, 5)],
          ["true slope", significant(slope, 5)],
        ]}
      />
      <p class="says words">{nudge.says}</p>
      <Glass
        called={called}
        value={matrices[matrix]?.[row]?.[column] as number}
        loss={loss}
        spacing={spacing}
        trueSlope={slope}
        nudge={nudge}
        curve={curve}
      />
      <p class="note">
        <code>{called}</code>: {belongs(parameter, tokens)}, {given.state}, with the loss of “{name}”
      </p>
    </div>
  );
}
