/** A race of three optimizers down a narrow valley, with the same start and learning rate. */

import { groups } from "d3-array";
import { useState } from "preact/hooks";
import { formatCount, formatNumber, joinWithAnd } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { DiscreteSlider, Slider } from "../../parts/slider.js";
import { Status } from "../../parts/status.js";

const [WIDTH, HEIGHT] = [440, 170];
const STEEPEST = 50;
const STEEPNESS = [1, STEEPEST]; // along the valley, and across
const START_POINT = [-4, 1.5];
const STEP_COUNT = 100;
const LEARNING_RATE_CHOICES = [0.01, 0.02, 0.03, 0.038, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2];
const [BETA1, BETA2, EPSILON] = [0.85, 0.99, 1e-8];
const [BOTTOM_RADIUS, DIVERGED_RADIUS] = [0.2, 10]; // distances from the bottom

/** Return how far an optimizer goes along one direction in step t, at a rate of 1; `memory` is its own. */
type StepRule = (grad: number, t: number, memory: number[]) => number;

/** Return the new running mean of a value, kept in `memory` at an index. */
function updateMean(memory: number[], index: number, beta: number, value: number): number {
  const mean = beta * (memory[index] ?? 0) + (1 - beta) * value;
  memory[index] = mean;
  return mean;
}

function adamRule(grad: number, t: number, memory: number[]): number {
  const firstMoment = updateMean(memory, 0, BETA1, grad) / (1 - BETA1 ** t);
  const secondMoment = updateMean(memory, 1, BETA2, grad ** 2) / (1 - BETA2 ** t);
  return firstMoment / (Math.sqrt(secondMoment) + EPSILON);
}

const momentumRule: StepRule = (grad, _, memory) => updateMean(memory, 0, BETA1, grad);

/** The critical rate is the one above which each jump across the valley is longer than the last. */
const OPTIMIZERS: [name: string, className: string, rule: StepRule, criticalRate?: number][] = [
  ["SGD", "gradient dashed", (grad) => grad, 2 / STEEPEST],
  ["momentum", "attention dotted", momentumRule, (2 * (1 + BETA1)) / ((1 - BETA1) * STEEPEST)],
  ["Adam", "data", adamRule],
];

/** Return where a ball is at the start and after each step, until it has flown off. */
function ballPath(rule: StepRule, learningRate: number): number[][] {
  const memories: number[][] = START_POINT.map(() => []);
  const path = [START_POINT];
  let point = START_POINT;
  for (let t = 1; t <= STEP_COUNT && Math.hypot(...point) <= DIVERGED_RADIUS; t++) {
    const grads = point.map((x, i) => (STEEPNESS[i] as number) * x);
    point = point.map((x, i) => x - learningRate * rule(grads[i] as number, t, memories[i] as number[]));
    path.push(point);
  }
  return path;
}

/** Return whether a ball flew off, or from which step on it stayed near the bottom. */
function describeOutcome(path: number[][]): string {
  if (Math.hypot(...(path.at(-1) as number[])) > DIVERGED_RADIUS) return "flew off";
  const arrivalStep = path.findLastIndex((point) => Math.hypot(...point) > BOTTOM_RADIUS) + 1;
  return arrivalStep > STEP_COUNT ? "ran out of time" : `got there in ${formatCount(arrivalStep, "step")}`;
}

const [X_SCALE, Y_SCALE] = [44, 42]; // SVG units per unit
const toSvgPoint = ([x = 0, y = 0]: number[]): string =>
  `${(WIDTH / 2 + X_SCALE * x).toFixed(1)} ${(HEIGHT / 2 - Y_SCALE * y).toFixed(1)}`;
const CONTOUR_RADII = [0.75, 2, 4, 6.5, 9.5];

export function OptimizerRace() {
  const [learningRate, setLearningRate] = useState(0.2);
  const [step, setStep] = useState(STEP_COUNT);
  const balls = OPTIMIZERS.map(([name, className, rule, criticalRate]) => {
    const path = ballPath(rule, learningRate);
    const pathSoFar = path.slice(0, step + 1);
    return { name, className, criticalRate, path, pathSoFar, point: pathSoFar.at(-1) as number[] };
  });
  const outcomes = groups(balls, ({ path }) => describeOutcome(path)).map(
    ([outcome, sameBalls]) => `${joinWithAnd(sameBalls.map(({ name }) => name))} ${outcome}`,
  );
  const verdict = `${outcomes.join("; ")}.`;
  const label = `Three paths down a narrow valley. ${verdict}`;
  return (
    <>
      <div class="controls">
        <DiscreteSlider label="rate" stops={LEARNING_RATE_CHOICES} value={learningRate} onInput={setLearningRate} />
        <Slider label="step" value={step} max={STEP_COUNT} decimals={0} onInput={setStep} />
      </div>
      <svg class="drawing" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {CONTOUR_RADII.map((radius) => {
          const ry = (Y_SCALE * radius) / Math.sqrt(STEEPNESS[1] as number);
          return <ellipse class="line soft" cx={WIDTH / 2} cy={HEIGHT / 2} rx={X_SCALE * radius} ry={ry} />;
        })}
        {balls.map(({ className, pathSoFar, point }) => (
          <>
            <path class={`line curve ${className}`} d={`M${pathSoFar.map(toSvgPoint).join("L")}`} />
            <circle class={`dot ${className}`} transform={`translate(${toSvgPoint(point)})`} r={5} />
          </>
        ))}
      </svg>
      <NumberTable
        columnTitles={[`after ${formatCount(step, "step")}`, "along", "across", "critical rate"]}
        rows={balls.map(({ name, className, criticalRate, point }) => [
          <>
            <span class={`swatch ${className}`} /> {name}
          </>,
          ...point.map((x) => (Math.hypot(...point) > DIVERGED_RADIUS ? "flew off" : Math.abs(x).toFixed(3))),
          criticalRate === undefined ? "varies" : formatNumber(criticalRate, 2),
        ])}
      />
      <Status class="verdict">{step === STEP_COUNT && verdict}</Status>
    </>
  );
}
