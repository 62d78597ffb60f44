/** The runs of a trainer: the one that is trained now, and those that stand beside it. */

import { useRef, useState } from "preact/hooks";
import { nameOf, type Setup } from "../../engine/setup.js";
import type { Begun, Completed } from "../../engine/training.js";
import { keepRun } from "./own_run.js";
import { type Recorded, type Run, runOf, SEEDS, textOf } from "./runs.js";
import { type Question, useEngine } from "./use_engine.js";

/** How long the worker trains before it tells what has come of it, in milliseconds. */
const SLICE_MS = 40;
/** Runs that stand beside the newest, at most. */
const BESIDE = 3;
/** Names that are invented when a run is complete. */
const NAMES = 20;

type Work = "training" | "seeds";
type Ask = ReturnType<typeof useEngine>;

/** `keep` is told of a complete run. */
export function useTrainer(first: Recorded, others: Recorded[], keep: (run: Completed) => void = keepRun) {
  const [run, setRun] = useState(() => runOf(first.begun, first));
  const [beside, setBeside] = useState(() => others.map((each) => runOf(each.begun, each)));
  const [seeds, setSeeds] = useState<Run[]>([]);
  const [work, setWork] = useState<Work | null>(null);
  const [refusal, setRefusal] = useState("");
  const [names, setNames] = useState(() => textOf(first));
  // A worker of its own for seeds, so that they are tried beside a run that can go on.
  const ask = useEngine(() => setRun((before) => ({ ...before, own: false })));
  const askForSeeds = useEngine();
  const [working, stopped] = [useRef(false), useRef(false)];

  /** Do something that takes a while, unless something is being done; return whether it was done. */
  const attempt = async (what: Work, act: () => Promise<void>): Promise<boolean> => {
    if (working.current) return false;
    working.current = true;
    stopped.current = false;
    setWork(what);
    setRefusal("");
    try {
      await act();
      return true;
    } catch (error) {
      setRefusal((error as Error).message);
      return false;
    } finally {
      working.current = false;
      setWork(null);
    }
  };
  /** Let a worker train, and show what comes; return whether the run was completed. */
  const goThrough = async (worker: Ask, show: (grow: (run: Run) => Run) => void): Promise<boolean> => {
    for (;;) {
      const { seen, broken, done, moments } = await worker((trainer) => trainer.advance(SLICE_MS));
      show((before) => ({ ...before, seen, broken, moments: before.moments.concat(moments) }));
      if (done || broken || stopped.current) return done && !broken;
    }
  };
  const finishRun = async (): Promise<void> => {
    if (!(await goThrough(ask, setRun))) return;
    const completed = await ask((trainer) => trainer.completed());
    if (completed) keep(completed);
    const invented = await ask((trainer) => trainer.finish(NAMES));
    setRun((before) => ({ ...before, invented }));
  };
  /** What was there before stands beside, unless it was the same, never began, or read other names. */
  const show = (begun: Begun, otherNames: boolean): void => {
    const known = run.moments.length > 1 ? [...beside.filter(({ name }) => name !== run.name), run] : beside;
    const different = known.filter(({ name }) => name !== nameOf(begun.setup));
    setBeside(otherNames ? [] : different.slice(-BESIDE));
    setSeeds([]);
    setRun(runOf(begun));
  };
  return {
    ...{ run, beside, seeds, work, refusal },
    /** Train a set-up; `accepted` is called once the worker has taken it. */
    train: (setup: Setup, text: string, accepted: () => void) =>
      attempt("training", async () => {
        const begun = await ask((trainer) => trainer.begin(setup, text));
        accepted();
        setNames(text);
        show(begun, text !== names);
        await finishRun();
      }),
    goOn: () => attempt("training", finishRun),
    stop: () => {
      stopped.current = true;
    },
    /** A refusal is of what was sent: it goes as the reader types on. */
    forgetRefusal: () => setRefusal(""),
    clear: () => setBeside([]),
    trySeeds: () =>
      attempt("seeds", async () => {
        setSeeds([]);
        for (let seed = 1; seed <= SEEDS && !stopped.current; seed++) {
          const begun = await askForSeeds((trainer) => trainer.begin({ ...run.begun.setup, seed }, names));
          setSeeds((all) => [...all, runOf(begun)]);
          await goThrough(askForSeeds, (grow) => setSeeds((all) => [...all.slice(0, -1), grow(all.at(-1) as Run)]));
        }
      }),
    look: <T>(question: Question<T>): Promise<T> => ask(question),
  };
}

export type Runs = ReturnType<typeof useTrainer>;
