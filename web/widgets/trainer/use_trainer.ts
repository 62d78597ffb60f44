/** The runs of a trainer: the one that is trained now, and those that stand beside it. */

import { type Remote, wrap } from "comlink";
import { useEffect, useRef, useState } from "preact/hooks";
import { nameOf, type Setup } from "../../engine/setup.js";
import type { Begun, Moment } from "../../engine/training.js";
import type { Trainer as Engine } from "../../engine/worker.js";
import { newWorker } from "../../runtime/new-worker.js";
import type { TrainerRun } from "../types.js";
import { keepRun } from "./own_run.js";

/** Given by the build: the name of the worker's script. */
declare const TRAINER: string;

/** As long the page leaves the worker alone, in milliseconds. */
const TURN = 40;
/** Runs that stand beside the newest, at most. */
const BESIDE = 3;
/** Seeds that are tried to see how much chance decides. */
export const SEEDS = 10;
/** Names that are invented when a run is complete. */
const NAMES = 20;

export interface Run {
  name: string;
  begun: Begun;
  moments: Moment[];
  seen: number;
  broken: boolean;
  /** Trained here, and not when the page was made. */
  own: boolean;
  /** What the command line would invent after it. */
  invented: string[];
}

/** A training that the worker does for the page; it ends when `stop` says so. */
interface Work {
  what: "training" | "seeds" | "opening";
  stopped: boolean;
}

export const complete = (run: Run): boolean => run.broken || run.seen >= run.begun.setup.seen;

export function recordedRun({ begun, moments, broken }: TrainerRun): Run {
  return { ...started(begun, moments), seen: moments.at(-1)?.seen ?? 0, broken, own: false };
}

/** A run that the page's worker has begun. */
function started(begun: Begun, moments: Moment[] = []): Run {
  return { name: nameOf(begun.setup), begun, moments, seen: begun.seen, broken: false, own: true, invented: [] };
}

/** A worker of its own for each, so that seeds are tried beside a run that can go on. */
export function engine(): { trainer: Remote<Engine>; end(): void; broken: Promise<never> } {
  const worker = newWorker(TRAINER);
  const broken = new Promise<never>((_, reject) => {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      const why = navigator.onLine ? "could not be loaded" : "is not here yet, and this browser is offline";
      reject(new Error(`What trains ${why}. Try again.`));
    });
  });
  broken.catch(() => {});
  return { trainer: wrap<Engine>(worker), end: () => worker.terminate(), broken };
}

export function useTrainer(first: TrainerRun, others: TrainerRun[]) {
  const [run, setRun] = useState<Run>(() => recordedRun(first));
  const [beside, setBeside] = useState<Run[]>(() => others.map(recordedRun));
  const [seeds, setSeeds] = useState<Run[]>([]);
  const [work, setWork] = useState<Work | null>(null);
  const [refusal, setRefusal] = useState("");
  const [names, setNames] = useState("");
  const engines = useRef<Record<"run" | "seeds", ReturnType<typeof engine> | null>>({ run: null, seeds: null });
  const working = useRef<Work | null>(null);
  useEffect(
    () => () => {
      if (working.current) working.current.stopped = true;
      engines.current.run?.end();
      engines.current.seeds?.end();
    },
    [],
  );

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
  /** Ask a worker, which is begun when it is first needed; one that breaks takes its run's weights with it. */
  const ask = <T>(which: "run" | "seeds", question: (trainer: Remote<Engine>) => Promise<T>): Promise<T> => {
    const asked = engines.current[which] ?? engine();
    if (engines.current[which] === null) {
      asked.broken.catch(() => {
        asked.end();
        engines.current[which] = null;
        if (which === "run") setRun((before) => ({ ...before, own: false }));
      });
    }
    engines.current[which] = asked;
    return Promise.race([question(asked.trainer), asked.broken]);
  };

  /** Let the worker train, and show what comes, until the run is complete or stopped. */
  const goThrough = async (which: "run" | "seeds", doing: Work, show: (grow: (run: Run) => Run) => void) => {
    for (;;) {
      const part = await ask(which, (trainer) => trainer.advance(TURN));
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
    const completed = await ask("run", (trainer) => trainer.completed());
    if (completed) keepRun(completed);
    const invented = await ask("run", (trainer) => trainer.finish(NAMES));
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
      const begun = await ask("run", (trainer) => trainer.begin(setup, text));
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
          const begun = await ask("seeds", (trainer) => trainer.begin(setup, names));
          setSeeds((all) => [...all, started(begun)]);
          await goThrough("seeds", doing, (grow) => setSeeds((all) => [...all.slice(0, -1), grow(all.at(-1) as Run)]));
        }
      }),
    openFile: (file: string, text: string) =>
      attempt("opening", async () => {
        const begun = await ask("run", (trainer) => trainer.open(file, text));
        const moments = [await ask("run", (trainer) => trainer.now())];
        setNames(text);
        setBeside([]);
        setSeeds([]);
        setRun(started(begun, moments));
      }),
    save: (saved: () => void) =>
      attempt("opening", async () => {
        const text = await ask("run", (trainer) => trainer.save());
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        link.download = "microgpt-run.json";
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
        saved();
      }),
    look: <T>(question: (trainer: Remote<Engine>) => Promise<T>): Promise<T> => ask("run", question),
  };
}

export type Runs = ReturnType<typeof useTrainer>;
