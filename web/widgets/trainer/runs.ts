/** Runs of a trainer: what is known of each, and what there is to say about them. */

import { generateDoubledNames } from "../../engine/doubled_names.js";
import type { Evaluation, RunFacts, TrainingProgress } from "../../engine/training.js";
import { describeSetup } from "../../engine/training_setup.js";
import { formatNumber, groupThousands } from "../../parts/format.js";

/** What `record_runs.mjs` records of a run. */
export interface Recorded {
  facts: RunFacts;
  evaluations: Evaluation[];
  diverged: boolean;
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
export const runOf = (facts: RunFacts, text: string): Run => ({
  ...{ facts, text, evaluations: [], diverged: false, own: true, seen: 0, name: describeSetup(facts.setup) },
});

/** What was recorded of a run. */
export const recordedRun = (recorded: Recorded): Run => ({
  ...runOf(recorded.facts, recorded.doubled ? generateDoubledNames() : ""),
  ...{ ...recorded, own: false, seen: recorded.evaluations.at(-1)?.seen ?? 0 },
});

export const grown = (run: Run, { seen, diverged, evaluations }: TrainingProgress): Run => ({
  ...run,
  ...{ seen, diverged, evaluations: run.evaluations.concat(evaluations) },
});

export const complete = (run: Run): boolean => run.diverged || run.seen >= run.facts.setup.seen;

/** The moment that is shown where the reader points: the last one up to there. */
export const momentAt = ({ evaluations }: Run, index: number): Evaluation | undefined =>
  evaluations.findLast((moment) => moment.gridIndex <= index) ?? evaluations[0];

export const written = (loss: number | null | undefined): string => formatNumber(loss ?? undefined, 3);

export const thousands = (seen: number): string => (seen < 1000 ? `${seen}` : `${seen / 1000}k`);

/** In one sentence: what there is to see. */
export function saying(run: Run, busy: boolean): string {
  const { facts, diverged, own, name, seen } = run;
  const last = run.evaluations.at(-1);
  const of = `${groupThousands(seen)} of ${groupThousands(facts.setup.seen)} names`;
  if (diverged) return `After ${of} the loss is no longer finite: the steps were too large.`;
  if (last === undefined || busy) return `${of}: held-out loss ${written(last?.heldOutLoss)}.`;
  if (!complete(run)) return `Stopped after ${of}, with a held-out loss of ${written(last.heldOutLoss)}. It can go on.`;
  if (last.heldOutLoss === null)
    return `After ${of} its loss on them is ${written(last.trainingLoss)}; no name is held out.`;
  const start = `${own ? "After" : "Recorded: after"} ${groupThousands(seen)} names, ${name}: held-out loss`;
  if (facts.setup.model === "counts" || facts.bigramLoss === null) return `${start} ${written(last.heldOutLoss)}.`;
  const far = last.heldOutLoss - facts.bigramLoss;
  return `${start} ${written(last.heldOutLoss)}: ${written(Math.abs(far))} ${far > 0 ? "more" : "less"} than the table of pairs.`;
}
