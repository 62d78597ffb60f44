/** A race down a narrow valley: three optimizers, one rate, the same start. */

import { useState } from "preact/hooks";
import { decimals, plural } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider, Stops } from "../../parts/slider.js";
import { Dot, HIGH, line, Plane, type Point, WIDE } from "./plane.js";
import { Verdict } from "./says.js";

const STEEPNESS = [1, 50]; // along the valley, and across
const START = [-4, 1.5];
const STEPS = 100;
const RATES = [0.01, 0.02, 0.03, 0.038, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2];
const [BETA1, BETA2, EPSILON] = [0.85, 0.99, 1e-8];
const [NEAR, FAR] = [0.2, 10]; // of the bottom: there, or gone
const MANY = 8; // swings from wall to wall
const LIST = new Intl.ListFormat("en-GB"); // without a comma before "and"

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

const place = ([x = 0, y = 0]: number[]): Point => [WIDE / 2 + 44 * x, HIGH / 2 - 42 * y];
const RINGS = [0.75, 2, 4, 6.5, 9.5];

/** How it went: the step from which it stayed near the bottom, its swings, whether it flew off. */
function outcome(path: number[][]) {
  const gone = Math.hypot(...(path.at(-1) as number[])) > FAR;
  const late = path.findLastIndex((at) => Math.hypot(...at) > NEAR) + 1;
  const swings = path.filter(([, y = 0], t) => Math.abs(y) > NEAR && y * (path[t - 1]?.[1] ?? 0) < 0).length;
  return { gone, there: gone || late > STEPS ? null : late, swings };
}

/** What else there is to say of those that did so. */
const ELSE: [what: string, did: (ball: ReturnType<typeof outcome>) => boolean][] = [
  ["zigzagged across the valley", ({ gone, swings }) => !gone && swings > MANY],
  ["flew off", ({ gone }) => gone],
  ["ran out of time", ({ gone, there }) => !gone && there === null],
];

export function Race() {
  const [rate, setRate] = useState(0.02);
  const [at, go] = useState(STEPS);
  const balls = RULES.map(([name, kind, rule]) => {
    const path = pathOf(rule, rate);
    return { name, kind, path, now: path[Math.min(at, path.length - 1)] as number[], ...outcome(path) };
  });
  const first = Math.min(...balls.flatMap(({ there }) => there ?? []));
  const winners = balls.filter(({ there }) => there === first).map(({ name }) => name);
  const others = ELSE.flatMap(([what, did]) => {
    const names = balls.filter(did).map(({ name }) => name);
    return names.length ? `${LIST.format(names)} ${what}.` : [];
  });
  const winner = winners.length
    ? `${LIST.format(winners)} ${winners.length === 1 ? "is" : "are"} there first, after ${plural(first, "step")}.`
    : "Nobody gets there.";
  const verdict = [winner, ...others].join(" ");
  return (
    <>
      <div class="controls">
        <Stops label="rate" stops={RATES} value={rate} onInput={setRate} />
        <Slider label="step" value={at} max={STEPS} digits={0} onInput={go} />
      </div>
      <Plane label={`Three paths down a narrow valley. ${verdict}`}>
        {RINGS.map((ring) => (
          <ellipse
            class="line soft"
            cx={WIDE / 2}
            cy={HIGH / 2}
            rx={44 * ring}
            ry={(42 * ring) / Math.sqrt(STEEPNESS[1] as number)}
          />
        ))}
        {balls.map(({ kind, path, now }) => (
          <>
            <path class={`line curve ${kind}`} d={line(path.slice(0, at + 1).map(place))} />
            <Dot at={place(now)} look={`dot ${kind}`} r={5} />
          </>
        ))}
      </Plane>
      <Readout
        head={[`after ${plural(at, "step")}`, "distance to the bottom"]}
        rows={balls.map(({ name, kind, now, gone, path }) => [
          <>
            <span class={`swatch ${kind}`} /> {name}
          </>,
          gone && at >= path.length - 1 ? "flew off" : decimals(Math.hypot(...now), 3),
        ])}
      />
      <Verdict>{at === STEPS ? verdict.charAt(0).toUpperCase() + verdict.slice(1) : ""}</Verdict>
    </>
  );
}
