/** Runs of a trainer: what is known of each, and what there is to say about them. */

import { doubled } from "../../engine/doubled.js";
import { nameOf } from "../../engine/setup.js";
import type { Begun, Moment, Progress } from "../../engine/training.js";
import { formatNumber, groupThousands } from "../../parts/format.js";

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
  /** The names that it reads, one on each line; empty for the guide’s. */
  text: string;
  seen: number;
  /** Trained here, and not when the page was made. */
  own: boolean;
}

/** A run that has begun in this page. */
export const runOf = (begun: Begun, text: string): Run => ({
  ...{ begun, text, moments: [], broken: false, own: true, seen: 0, name: nameOf(begun.setup) },
});

/** What was recorded of a run. */
export const recordedRun = (recorded: Recorded): Run => ({
  ...runOf(recorded.begun, recorded.doubled ? doubled() : ""),
  ...{ ...recorded, own: false, seen: recorded.moments.at(-1)?.seen ?? 0 },
});

export const grown = (run: Run, { seen, broken, moments }: Progress): Run => ({
  ...run,
  ...{ seen, broken, moments: run.moments.concat(moments) },
});

export const complete = (run: Run): boolean => run.broken || run.seen >= run.begun.setup.seen;

/** The moment that is shown where the reader points: the last one up to there. */
export const momentAt = ({ moments }: Run, index: number): Moment | undefined =>
  moments.findLast((moment) => moment.index <= index) ?? moments[0];

export const written = (loss: number | null | undefined): string => formatNumber(loss ?? undefined, 3);

export const thousands = (seen: number): string => (seen < 1000 ? `${seen}` : `${seen / 1000}k`);

/** In one sentence: what there is to see. */
export function saying(run: Run, busy: boolean): string {
  const { begun, broken, own, name, seen } = run;
  const last = run.moments.at(-1);
  const of = `${groupThousands(seen)} of ${groupThousands(begun.setup.seen)} names`;
  if (broken) return `After ${of} the loss is no longer finite: the steps were too large.`;
  if (last === undefined || busy) return `${of}: held-out loss ${written(last?.heldOut)}.`;
  if (!complete(run)) return `Stopped after ${of}, with a held-out loss of ${written(last.heldOut)}. It can go on.`;
  if (last.heldOut === null) return `After ${of} its loss on them is ${written(last.training)}; no name is held out.`;
  const start = `${own ? "After" : "Recorded: after"} ${groupThousands(seen)} names, ${name}: held-out loss`;
  if (begun.setup.model === "counts" || begun.pairs === null) return `${start} ${written(last.heldOut)}.`;
  const far = last.heldOut - begun.pairs;
  return `${start} ${written(last.heldOut)}: ${written(Math.abs(far))} ${far > 0 ? "more" : "less"} than the table of pairs.`;
}
