/** A network small enough to do by hand, and the paths through it. */

import { fixed } from "../../parts/numerals.js";

export const FIRST = { a: 2, b: 1, ag: 1, bg: 2, ah: 3, bh: 1, go: 5, ho: 4 };
export type Numbers = typeof FIRST;
/** An input, or a weight by its two ends. */
export type Place = keyof Numbers;
type Unit = "g" | "h";

export const WEIGHTS = ["ag", "bg", "ah", "bh", "go", "ho"] as const;
const NUDGE = 0.001;

export interface Path {
  unit: Unit;
  /** The slope of each operation on the way to the output. */
  factors: number[];
}

/** What each circle computes; a gate is a ReLU on h. */
export function forward(x: Numbers, gate: boolean) {
  const g = x.ag * x.a + x.bg * x.b;
  const h = x.ah * x.a + x.bh * x.b;
  const passed = gate ? Math.max(0, h) : h;
  return { g, h, passed, o: x.go * g + x.ho * passed };
}

/** Every path from a place to the output. */
export function pathsFrom(place: Place, x: Numbers, gate: boolean): Path[] {
  const { g, h, passed } = forward(x, gate);
  const on = { g: [x.go], h: gate ? [Number(h > 0), x.ho] : [x.ho] };
  const through = (unit: Unit, first: number): Path => ({ unit, factors: [first, ...on[unit]] });
  if (place === "go") return [{ unit: "g", factors: [g] }];
  if (place === "ho") return [{ unit: "h", factors: [passed] }];
  if (place === "a" || place === "b") return [through("g", x[`${place}g`]), through("h", x[`${place}h`])];
  return [through(place[1] as Unit, x[place[0] as "a" | "b"])];
}

export const product = (path: Path): number => path.factors.reduce((all, factor) => all * factor, 1);
export const slopeOf = (paths: Path[]): number => paths.reduce((sum, path) => sum + product(path), 0);

/** How far the output moves if this is nudged. */
export const nudged = (place: Place, x: Numbers, gate: boolean): number =>
  forward({ ...x, [place]: x[place] + NUDGE }, gate).o - forward(x, gate).o;

export function verdict(place: Place, x: Numbers, gate: boolean): string {
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
