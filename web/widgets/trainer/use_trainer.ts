/** The runs of a trainer: the one that is trained now, and those that stand beside it. */

import { useRef, useState } from "preact/hooks";
import { doubled } from "../../engine/doubled.js";
import { nameOf, type Setup } from "../../engine/setup.js";
import type { Begun, Moment } from "../../engine/training.js";
import { keepRun } from "./own_run.js";
import { type Question, useEngine } from "./use_engine.js";

/** As long the page leaves the worker alone, in milliseconds. */
const TURN = 40;
/** Runs that stand beside the newest, at most. */
const BESIDE = 3;
/** Seeds that are tried to see how much chance decides. */
export const SEEDS = 10;
/** Names that are invented when a run is complete. */
const NAMES = 20;

/** What `record.mjs` keeps of a run. */
export interface Recorded {
  begun: Begun;
  moments: Moment[];
  broken: boolean;
  /** Whether it learnt doubled names, and not the guide’s. */
  doubled?: true;
}

/** The names of a recorded run, one on each line; empty for the guide’s. */
export const textOf = (run: Recorded): string => (run.doubled ? doubled() : "");

export interface Run extends Recorded {
  name: string;
  seen: number;
  /** Trained here, and not when the page was made. */
  own: boolean;
  /** What the command line would invent after it. */
  invented: string[];
}

/** A training that the worker does for the page; it ends when `stop` says so. */
interface Work {
  what: "training" | "seeds";
  stopped: boolean;
}

export const complete = (run: Run): boolean => run.broken || run.seen >= run.begun.setup.seen;

function recordedRun({ begun, moments, broken }: Recorded): Run {
  return { ...started(begun), moments, seen: moments.at(-1)?.seen ?? 0, broken, own: false };
}

/** A run that the page's worker has begun. */
function started(begun: Begun): Run {
  return { name: nameOf(begun.setup), begun, moments: [], seen: 0, broken: false, own: true, invented: [] };
}

export function useTrainer(first: Recorded, others: Recorded[]) {
  const [run, setRun] = useState<Run>(() => recordedRun(first));
  const [beside, setBeside] = useState<Run[]>(() => others.map(recordedRun));
  const [seeds, setSeeds] = useState<Run[]>([]);
  const [work, setWork] = useState<Work | null>(null);
  const [refusal, setRefusal] = useState("");
  const [names, setNames] = useState(() => textOf(first));
  // A worker of its own for seeds, so that they are tried beside a run that can go on.
  const engines = {
    run: useEngine(() => setRun((before) => ({ ...before, own: false }))),
    seeds: useEngine(),
  };
  const working = useRef<Work | null>(null);

  /** Do something that takes a while, unless something is being done. */
  const attempt = async (what: Work["what"], act: (work: Work) => Promise<void>): Promise<void> => {
    if (working.current !== null) return;
    const begun: Work = { what, stopped: false };
    working.current = begun;
    setWork(begun);
    setRefusal("");
    try {
      await act(begun);
    } catch (error) {
      setRefusal((error as Error).message);
    } finally {
      working.current = null;
      setWork(null);
    }
  };
  /** Let the worker train, and show what comes, until the run is complete or stopped. */
  const goThrough = async (which: "run" | "seeds", doing: Work, show: (grow: (run: Run) => Run) => void) => {
    for (;;) {
      const part = await engines[which]((trainer) => trainer.advance(TURN));
      show((before) => ({
        ...before,
        seen: part.seen,
        broken: part.broken,
        moments: before.moments.concat(part.moments),
      }));
      if (part.done || part.broken || doing.stopped) return part;
    }
  };
  const finishRun = async (doing: Work): Promise<void> => {
    const part = await goThrough("run", doing, setRun);
    if (!part.done || part.broken) return;
    const completed = await engines.run((trainer) => trainer.completed());
    if (completed) keepRun(completed);
    const invented = await engines.run((trainer) => trainer.finish(NAMES));
    setRun((before) => ({ ...before, invented }));
  };
  const begin = (begun: Begun, otherNames: boolean): void => {
    // What was there before stands beside, unless it was the same, never began, or read other names.
    const same = (other: Run): boolean => other.name === nameOf(begun.setup);
    setBeside((all) => {
      if (otherNames) return [];
      const before =
        run.moments.length > 1 && !seeds.includes(run) ? [...all.filter((each) => each.name !== run.name), run] : all;
      return before.filter((each) => !same(each)).slice(-BESIDE);
    });
    setSeeds([]);
    setRun(started(begun));
  };
  /** Train a set-up; `accepted` is called once the worker has taken it. */
  const train = (setup: Setup, text: string, accepted: () => void) =>
    attempt("training", async (doing) => {
      const begun = await engines.run((trainer) => trainer.begin(setup, text));
      accepted();
      setNames(text);
      begin(begun, text !== names);
      await finishRun(doing);
    });
  return {
    run,
    beside,
    seeds,
    work: work?.what ?? null,
    refusal,
    train,
    goOn: () => attempt("training", finishRun),
    stop: () => {
      if (working.current) working.current.stopped = true;
    },
    clear: () => setBeside([]),
    trySeeds: () =>
      attempt("seeds", async (doing) => {
        setSeeds([]);
        for (let seed = 1; seed <= SEEDS && !doing.stopped; seed++) {
          const setup = { ...run.begun.setup, seed };
          const begun = await engines.seeds((trainer) => trainer.begin(setup, names));
          setSeeds((all) => [...all, started(begun)]);
          await goThrough("seeds", doing, (grow) => setSeeds((all) => [...all.slice(0, -1), grow(all.at(-1) as Run)]));
        }
      }),
    look: <T>(question: Question<T>): Promise<T> => engines.run(question),
  };
}

export type Runs = ReturnType<typeof useTrainer>;
