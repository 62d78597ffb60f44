/** Runs of the trainer, recorded or trained in this page, and sentences about them. */

import type { ModelEvaluation, RunFacts, TrainingProgress } from "../../engine/training.js";
import { DATASETS, describeSetup } from "../../engine/training_setup.js";
import { formatNumber, formatPercent, groupThousands } from "../../parts/format.js";

/** A run as `record_runs.mjs` records it. */
export interface RecordedRun {
  facts: RunFacts;
  evaluations: ModelEvaluation[];
  diverged: boolean;
}

/** A run as the page shows it. */
export interface Run extends RecordedRun {
  /** The name of its set-up. */
  name: string;
  /** A reader's own lines that it learns; empty for those of its dataset. */
  namesText: string;
  /** How many names it has seen so far. */
  namesSeen: number;
  /** Whether it was trained in this browser, not recorded. */
  isTrainedHere: boolean;
}

/** Return a run that starts in this page. */
export function newRun(facts: RunFacts, namesText: string): Run {
  const progress = { evaluations: [], diverged: false, namesSeen: 0 };
  return { facts, namesText, ...progress, isTrainedHere: true, name: describeSetup(facts.setup) };
}

export const runFromRecord = (record: RecordedRun): Run => ({
  ...newRun(record.facts, ""),
  ...{ ...record, isTrainedHere: false, namesSeen: record.evaluations.at(-1)?.namesSeen ?? 0 },
});

/** Return a run with the evaluations that the trainer has added. */
export const runWithProgress = (run: Run, { namesSeen, diverged, evaluations }: TrainingProgress): Run => ({
  ...run,
  ...{ namesSeen, diverged, evaluations: run.evaluations.concat(evaluations) },
});

/** Return whether a run has seen all its names, or diverged. */
export const isComplete = (run: Run): boolean => run.diverged || run.namesSeen >= run.facts.setup.namesToSee;

/** Return the last evaluation up to an index in `EVALUATE_AFTER_NAMES`, or else the first. */
export const lastEvaluationUpTo = ({ evaluations }: Run, gridIndex: number): ModelEvaluation | undefined =>
  evaluations.findLast((evaluation) => evaluation.gridIndex <= gridIndex) ?? evaluations[0];

/** Format a loss with three decimals, a missing one as a dash. */
export const formatLoss = (loss: number | null | undefined): string => formatNumber(loss ?? undefined, 3);

/** Format a round number of names for an axis: 100, 10k. */
export const abbreviateThousands = (count: number): string => (count < 1000 ? `${count}` : `${count / 1000}k`);

/** Return what the lines are that a run learns: names or sentences. */
export const describeLines = ({ facts, namesText }: Run): string =>
  namesText ? "lines" : DATASETS[facts.setup.dataset].lines;

/** Describe in a sentence how far a run has come, and its loss. */
export function describeRunProgress(run: Run, isTraining: boolean): string {
  const { facts, diverged, isTrainedHere, name, namesSeen } = run;
  const last = run.evaluations.at(-1);
  const lines = describeLines(run);
  const hardCases =
    last?.hardCasesRight === undefined ? "" : `, ${formatPercent(last.hardCasesRight)} of the hard cases right`;
  const progress = `${groupThousands(namesSeen)} of ${groupThousands(facts.setup.namesToSee)} ${lines}`;
  if (diverged) return `After ${progress} the loss is no longer finite: the steps were too large.`;
  if (last === undefined || isTraining)
    return `${progress}: held-out loss ${formatLoss(last?.heldOutLoss)}${hardCases}.`;
  if (!isComplete(run))
    return `Stopped after ${progress}, with a held-out loss of ${formatLoss(last.heldOutLoss)}. It can go on.`;
  if (last.heldOutLoss === null)
    return `After ${progress} its loss on them is ${formatLoss(last.trainingLoss)}; none is held out.`;
  const start = `${isTrainedHere ? "After" : "Recorded: after"} ${groupThousands(namesSeen)} ${lines}, ${name}: held-out loss`;
  if (facts.setup.model === "counts" || facts.bigramLoss === null || hardCases)
    return `${start} ${formatLoss(last.heldOutLoss)}${hardCases}.`;
  const difference = last.heldOutLoss - facts.bigramLoss;
  return `${start} ${formatLoss(last.heldOutLoss)}: ${formatLoss(Math.abs(difference))} ${difference > 0 ? "more" : "less"} than the table of pairs.`;
}
