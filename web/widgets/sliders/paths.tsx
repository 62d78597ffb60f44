/** What a nudge does to a small network, path by path. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { fixed } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import { line, type Point } from "./plane.js";
import { Verdict } from "./says.js";

const FIRST = { a: 2, b: 1, ag: 1, bg: 2, ah: 3, bh: 1, go: 5, ho: 4 };
type Numbers = typeof FIRST;
/** An input, or a weight by its two ends. */
type Place = keyof Numbers;
type Unit = "g" | "h";

const WEIGHTS = ["ag", "bg", "ah", "bh", "go", "ho"] as const;
const NUDGE = 0.001;

interface Path {
  unit: Unit;
  /** The slope of each operation on the way to the output. */
  factors: number[];
}

/** What each circle computes; a gate is a ReLU on h. */
function forward(x: Numbers, gate: boolean) {
  const g = x.ag * x.a + x.bg * x.b;
  const h = x.ah * x.a + x.bh * x.b;
  const passed = gate ? Math.max(0, h) : h;
  return { g, h, passed, o: x.go * g + x.ho * passed };
}

/** Every path from a place to the output. */
function pathsFrom(place: Place, x: Numbers, gate: boolean): Path[] {
  const { g, h, passed } = forward(x, gate);
  const on = { g: [x.go], h: gate ? [Number(h > 0), x.ho] : [x.ho] };
  const through = (unit: Unit, first: number): Path => ({ unit, factors: [first, ...on[unit]] });
  if (place === "go") return [{ unit: "g", factors: [g] }];
  if (place === "ho") return [{ unit: "h", factors: [passed] }];
  if (place === "a" || place === "b") return [through("g", x[`${place}g`]), through("h", x[`${place}h`])];
  return [through(place[1] as Unit, x[place[0] as "a" | "b"])];
}

const product = (path: Path): number => path.factors.reduce((all, factor) => all * factor, 1);
const slopeOf = (paths: Path[]): number => paths.reduce((sum, path) => sum + product(path), 0);

/** How far the output moves if this is nudged. */
const nudged = (place: Place, x: Numbers, gate: boolean): number =>
  forward({ ...x, [place]: x[place] + NUDGE }, gate).o - forward(x, gate).o;

function verdict(place: Place, x: Numbers, gate: boolean): string {
  const paths = pathsFrom(place, x, gate);
  const moved = nudged(place, x, gate);
  const slope = slopeOf(paths);
  const out = Math.abs(moved) < NUDGE / 2 ? "out stays where it is" : `out moved by ${fixed(moved, 3)}`;
  const told = `Nudged by ${NUDGE}, ${out}.`;
  if (Math.abs(moved - NUDGE * slope) > NUDGE / 2)
    return `${told} But h is at 0, the corner of the ReLU, where its slope counts as 0.`;
  const shut = gate && forward(x, gate).h <= 0;
  const [first, second] = paths.map(product);
  if (second !== undefined)
    return shut
      ? `${told} The gate is shut: only the path through g is left.`
      : `${told} Two paths: ${fixed(first as number, 0)} through g, and ${fixed(second, 0)} through h.`;
  if (shut && paths[0]?.unit === "h") return `${told} The gate is shut, so nobody hears this weight.`;
  if (slope === 0) return `${told} Nothing goes into this weight.`;
  return place[1] === "o"
    ? `${told} A weight’s slope is what goes into it.`
    : `${told} One path: what goes in, times the slope of ${place[1]}.`;
}

type Circle = "a" | "b" | "g" | "h" | "o";
const AT: Record<Circle, Point> = { a: [42, 62], b: [42, 188], g: [208, 62], h: [208, 188], o: [394, 125] };
const KINDS = { a: "data", b: "data", g: "activation", h: "activation", o: "cost" };

/** What can be nudged. */
const PLACES = ["a", "b", ...WEIGHTS] as const;

const named = (place: string): string => [...place].map((end) => (end === "o" ? "out" : end)).join(" → ");

/** Where a share of the way from one circle to another is done. */
function along(ends: string, share: number): Point {
  const [[x0, y0], [x1, y1]] = [AT[ends[0] as Circle], AT[ends[1] as Circle]];
  return [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
}

export function Paths() {
  const [x, setX] = useState(FIRST);
  const [gate, setGate] = useState(false);
  const [place, pick] = useState<Place>("a");
  const values: Record<Circle, number> & { passed: number } = { ...x, ...forward(x, gate) };
  const shut = gate && values.h <= 0;
  const slopes: Record<Circle, number> = {
    a: slopeOf(pathsFrom("a", x, gate)),
    b: slopeOf(pathsFrom("b", x, gate)),
    g: x.go,
    h: shut ? 0 : x.ho,
    o: 1,
  };
  const paths = pathsFrom(place, x, gate);
  const lit = paths.flatMap(({ unit }) => [place.length === 1 ? place + unit : place, `${unit}o`]);
  const products = paths.map(({ factors }) => factors.map((factor) => fixed(factor, 0)).join(" · ")).join(" + ");
  const slope = fixed(slopeOf(paths), 0);
  return (
    <>
      <Choices
        label="What is nudged"
        word="Nudge"
        choices={PLACES.map((each) => [each, named(each)] as const)}
        value={place}
        onChoose={pick}
      />
      <svg class="drawing scene paths" viewBox="0 12 440 226" role="img" aria-label="The network, and its slopes">
        {WEIGHTS.map((ends) => (
          <path
            class={`line wire${lit.includes(ends) ? " lit" : ""}${shut && ends[1] !== "g" && ends !== "go" ? " shut" : ""}`}
            d={line([along(ends, 0), along(ends, 1)])}
          />
        ))}
        {WEIGHTS.map((ends) => {
          const [cx, cy] = along(ends, ends[1] === "o" ? 0.66 : ends[0] === ends[1] ? 0.5 : 0.33);
          return (
            <g class={ends === place ? "parameter picked" : "parameter"}>
              <rect x={cx - 19} y={cy - 17} width="38" height="34" rx="5" />
              <text class="value" x={cx} y={cy + 6}>
                {x[ends]}
              </text>
            </g>
          );
        })}
        {(["a", "b", "g", "h", "o"] as const).map((circle) => {
          const [cx, cy] = AT[circle];
          return (
            <g class={`${KINDS[circle]}${circle === place ? " picked" : ""}`}>
              <circle cx={cx} cy={cy} r="23" />
              <text class="value" x={cx} y={cy + 6}>
                {fixed(values[circle], 0)}
              </text>
              <text x={cx} y={cy - 31}>
                {named(circle)}
              </text>
              <text class="slope" x={cx} y={cy + 42}>
                slope {fixed(slopes[circle], 0)}
              </text>
            </g>
          );
        })}
        {gate && (
          <g class={shut ? "gate shut" : "gate"} transform={`translate(${along("ho", 0.34).join(" ")})`}>
            <rect x="-23" y="-15" width="46" height="30" rx="3" />
            <text y="5">ReLU</text>
            <text class="slope" y="33">
              {shut ? "shut: 0" : "open: 1"}
            </text>
          </g>
        )}
      </svg>
      <p class="sum">
        slope of {named(place)} = {products === slope ? "" : `${products} = `}
        <b>{slope}</b>
      </p>
      <Verdict>{verdict(place, x, gate)}</Verdict>
      <div class="controls">
        {(["a", "b"] as const).map((input) => (
          <Slider
            label={input}
            value={x[input]}
            min={-3}
            max={3}
            digits={0}
            onInput={(to) => setX({ ...x, [input]: to })}
          />
        ))}
        <label class="check">
          <input type="checkbox" checked={gate} onInput={(event) => setGate(event.currentTarget.checked)} />
          ReLU on h
        </label>
      </div>
    </>
  );
}
