/** A hill with two valleys, and what a walk down it feels like. */

import { fixed } from "../../parts/numerals.js";
import type { Point } from "./plane.js";

export const MAP: Point = [-4, 7];
/** Where the ridge is highest. */
const RIDGE = -0.41;
/** A slope that boots don't feel. */
const FLAT = 0.1;

/** Height and slope where two parabolas, a narrow one and a wider, deeper one, meet in a smooth ridge. */
export function feel(w: number): Point {
  const [narrow, wide] = [1.5 * (w + 2) ** 2 + 2.5, 0.5 * (w - 3) ** 2];
  const share = 1 / (1 + Math.exp((narrow - wide) / 1.5));
  const height = Math.min(narrow, wide) - 1.5 * Math.log1p(Math.exp(-Math.abs(narrow - wide) / 1.5));
  return [height, share * 3 * (w + 2) + (1 - share) * (w - 3)];
}

export const isOff = (w: number): boolean => w < MAP[0] || w > MAP[1];
export const isFlat = (w: number): boolean => Math.abs(feel(w)[1]) < FLAT;
export const isTop = (w: number): boolean => Math.abs(w - RIDGE) < 0.5;
/** How far a step goes, and which way. */
export const way = (by: number): string =>
  Math.abs(by) < 0.005 ? "nowhere" : `${fixed(Math.abs(by), 2)} to the ${by < 0 ? "left" : "right"}`;

/** What has happened on a walk, given every place where it stood. */
export function verdict(walk: number[]): string {
  const [before, at] = walk.slice(-2) as [number, number?];
  if (at === undefined) return "Which way is down? Trust your boots, and take a step.";
  const [[was, slopeBefore], [height, slope]] = [feel(before), feel(at)];
  const steps = walk.length === 2 ? "one step" : `${walk.length - 1} steps`;
  if (isOff(at)) return "You’ve stepped off the map. That rate was too high.";
  if (isFlat(at) && isTop(at)) return "It’s flat here, but you’re on top of a ridge. Down is on both sides.";
  if (isFlat(at) && at > RIDGE) return `The bottom of the deepest valley, in ${steps}. Well walked.`;
  if (isFlat(at)) return "The bottom of a valley. Not of the deepest, it turns out: try a higher rate.";
  const went = `You went ${way(at - before)}`;
  if (before > RIDGE !== at > RIDGE) return `${went}, clean over a ridge and into another valley.`;
  if (slope * slopeBefore < 0)
    return `${went}, past the lowest point${height < was ? ". Turn around." : ", and you’re higher than before."}`;
  if (Math.abs(at - before) < FLAT) return `${went}. Baby steps: at this rate it’ll be a long night.`;
  return `${went}, downhill. The ground gets ${Math.abs(slope) < Math.abs(slopeBefore) ? "flatter" : "steeper"}.`;
}
