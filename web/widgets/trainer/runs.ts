/** Runs of a trainer: what is known of each, and what there is to say about them. */

import { doubled } from "../../engine/doubled.js";
import { nameOf } from "../../engine/setup.js";
import type { Begun, Moment } from "../../engine/training.js";
import { mean } from "../../engine/vectors.js";
import { decimals, grouped } from "../../parts/numerals.js";

/** Seeds that are tried to see how much chance decides. */
export const SEEDS = 10;
/** Two losses are level if they differ by less. */
const LEVEL = 0.012;
/** A model knows its names by heart if it is better on them by more. */
const BY_HEART = 0.1;

/** What `record.mjs` keeps of a run. */
export interface Recorded {
  begun: Begun;
  moments: Moment[];
  broken: boolean;
  /** Whether it learnt doubled names, and not the guide’s. */
  doubled?: true;
}

export interface Run extends Recorded {
  name: string;
  seen: number;
  /** Trained here, and not when the page was made. */
  own: boolean;
  /** What the command line would invent after it. */
  invented: string[];
}

/** A run that has begun in this page, or what was recorded of one. */
export const runOf = (begun: Begun, recorded?: Recorded): Run => ({
  ...{ begun, moments: [], broken: false, ...recorded, own: !recorded },
  ...{ name: nameOf(begun.setup), seen: recorded?.moments.at(-1)?.seen ?? 0, invented: [] },
});

/** The names of a recorded run, one on each line; empty for the guide’s. */
export const textOf = (run: Recorded): string => (run.doubled ? doubled() : "");

export const complete = (run: Run): boolean => run.broken || run.seen >= run.begun.setup.seen;

/** The moment that is shown where the reader points: the last one up to there. */
export const momentAt = ({ moments }: Run, index: number): Moment | undefined =>
  moments.findLast((moment) => moment.index <= index) ?? moments[0];

export const written = (loss: number | null | undefined): string => decimals(loss ?? undefined, 3);

export const thousands = (seen: number): string => (seen < 1000 ? `${seen}` : `${seen / 1000}k`);

/** How far apart the ends of a model's runs are, if several seeds were tried. */
function ofSeeds(name: string, ends: number[]): string {
  const average = mean(ends);
  const deviation = Math.sqrt(ends.reduce((sum, end) => sum + (end - average) ** 2, 0) / (ends.length - 1));
  return (
    `With ${ends.length} seeds, each with its own random numbers and held-out names, ${name} ends between ` +
    `${written(Math.min(...ends))} and ${written(Math.max(...ends))}: on average at ${written(average)}, ` +
    `with a standard deviation of ${written(deviation)}.`
  );
}

/** What the end of a run means: learnt by heart, or how far from the table of pairs. */
function ofEnd({ begun: { setup, pairs } }: Run, training: number | null, heldOut: number): string {
  if (training !== null && heldOut - training > BY_HEART)
    return `, but ${written(training)} on the names that it learns from: it is learning them by heart.`;
  if (setup.model === "counts" || pairs === null) return ".";
  const far = heldOut - pairs;
  if (Math.abs(far) < LEVEL)
    return `, level with the table of pairs (${written(pairs)}), which knows only the last letter.`;
  return `: ${written(Math.abs(far))} ${far > 0 ? "more" : "less"} than the table of pairs, which ${far > 0 ? "only counts" : "knows only the last letter"}.`;
}

/** In one sentence: what there is to see. */
export function saying(run: Run, seeds: Run[], work: "training" | "seeds" | null): string {
  const last = run.moments.at(-1);
  if (seeds.length > 0 && work === "seeds") return `Seed ${seeds.length} of ${SEEDS} is being trained.`;
  const ends = seeds.filter(complete).flatMap(({ moments }) => moments.at(-1)?.heldOut ?? []);
  if (ends.length > 1) return ofSeeds(run.name, ends);
  const of = `${grouped(run.seen)} of ${grouped(run.begun.setup.seen)} names`;
  if (run.broken) return `After ${of} the loss is no longer finite: the steps were too large.`;
  if (last === undefined || work === "training") return `${of}: held-out loss ${written(last?.heldOut)}.`;
  if (!complete(run)) return `Stopped after ${of}, with a held-out loss of ${written(last.heldOut)}. It can go on.`;
  if (last.heldOut === null) return `After ${of} its loss on them is ${written(last.training)}; no name is held out.`;
  const when = run.own ? "After" : "Recorded: after";
  const start = `${when} ${grouped(run.seen)} names, ${run.name}: held-out loss ${written(last.heldOut)}`;
  return start + ofEnd(run, last.training, last.heldOut);
}
