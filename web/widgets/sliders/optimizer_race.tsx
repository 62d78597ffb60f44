/** A race down a narrow valley: three optimizers, one rate, the same start. */

import { groups } from "d3-array";
import { useState } from "preact/hooks";
import { formatCount, formatNumber, joinWithAnd } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { DiscreteSlider, Slider } from "../../parts/slider.js";

const [WIDE, HIGH] = [440, 170];
const STEEPNESS = [1, 50]; // along the valley, and across
const START = [-4, 1.5];
const STEPS = 100;
const RATES = [0.01, 0.02, 0.03, 0.038, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2];
const [BETA1, BETA2, EPSILON] = [0.85, 0.99, 1e-8];
const [NEAR, FAR] = [0.2, 10]; // of the bottom: there, or gone

/** How far along a direction an optimizer goes in step t, for a rate of 1. */
type Rule = (grad: number, t: number, memory: number[]) => number;
const RULES: [name: string, kind: string, rule: Rule][] = [
  ["SGD", "gradient dashed", (grad) => grad],
  [
    "momentum",
    "attention dotted",
    (grad, _, memory) => {
      memory[0] = BETA1 * (memory[0] ?? 0) + (1 - BETA1) * grad;
      return memory[0];
    },
  ],
  [
    "Adam",
    "data",
    (grad, t, memory) => {
      memory[0] = BETA1 * (memory[0] ?? 0) + (1 - BETA1) * grad;
      memory[1] = BETA2 * (memory[1] ?? 0) + (1 - BETA2) * grad ** 2;
      return memory[0] / (1 - BETA1 ** t) / (Math.sqrt(memory[1] / (1 - BETA2 ** t)) + EPSILON);
    },
  ],
];

/** Where a ball is at the start and after each step, until it has flown off. */
function pathOf(rule: Rule, rate: number): number[][] {
  const memories: number[][] = START.map(() => []);
  const path = [START];
  for (let t = 1; t <= STEPS && Math.hypot(...(path[t - 1] as number[])) <= FAR; t++) {
    path.push(
      START.map((_, i) => {
        const at = (path[t - 1] as number[])[i] as number;
        return at - rate * rule((STEEPNESS[i] as number) * at, t, memories[i] as number[]);
      }),
    );
  }
  return path;
}

/** How it went: whether it flew off, or from which step on it stayed near the bottom. */
function outcome(path: number[][]): string {
  if (Math.hypot(...(path.at(-1) as number[])) > FAR) return "flew off";
  const late = path.findLastIndex((at) => Math.hypot(...at) > NEAR) + 1;
  return late > STEPS ? "ran out of time" : `got there in ${formatCount(late, "step")}`;
}

const [X, Y] = [44, 42]; // of a unit, in the picture
const place = ([x = 0, y = 0]: number[]): string => `${(WIDE / 2 + X * x).toFixed(1)} ${(HIGH / 2 - Y * y).toFixed(1)}`;
const RINGS = [0.75, 2, 4, 6.5, 9.5];

export function Race() {
  const [rate, setRate] = useState(0.02);
  const [at, go] = useState(STEPS);
  const balls = RULES.map(([name, kind, rule]) => {
    const path = pathOf(rule, rate);
    return { name, kind, path: path.slice(0, at + 1), now: path[Math.min(at, path.length - 1)] as number[], all: path };
  });
  const told = groups(balls, ({ all }) => outcome(all)).map(
    ([how, those]) => `${joinWithAnd(those.map(({ name }) => name))} ${how}`,
  );
  const verdict = `${told.join("; ")}.`;
  return (
    <>
      <div class="controls">
        <DiscreteSlider label="rate" stops={RATES} value={rate} onInput={setRate} />
        <Slider label="step" value={at} max={STEPS} decimals={0} onInput={go} />
      </div>
      <svg
        class="drawing scene"
        viewBox={`0 0 ${WIDE} ${HIGH}`}
        role="img"
        aria-label={`Three paths down a narrow valley. ${verdict}`}
      >
        {RINGS.map((ring) => (
          <ellipse
            class="line soft"
            cx={WIDE / 2}
            cy={HIGH / 2}
            rx={X * ring}
            ry={(Y * ring) / Math.sqrt(STEEPNESS[1] as number)}
          />
        ))}
        {balls.map(({ kind, path, now }) => (
          <>
            <path class={`line curve ${kind}`} d={`M${path.map(place).join("L")}`} />
            <circle class={`dot ${kind}`} cx={place(now).split(" ")[0]} cy={place(now).split(" ")[1]} r={5} />
          </>
        ))}
      </svg>
      <NumberTable
        columnTitles={[`after ${formatCount(at, "step")}`, "distance to the bottom"]}
        rows={balls.map(({ name, kind, now }) => [
          <>
            <span class={`swatch ${kind}`} /> {name}
          </>,
          Math.hypot(...now) > FAR ? "flew off" : formatNumber(Math.hypot(...now), 3),
        ])}
      />
      <p class="verdict" role="status">
        {at === STEPS && verdict}
      </p>
    </>
  );
}
