/** The runs of a trainer: the one that is trained now, and those that stand beside it. */

import { type Remote, wrap } from "comlink";
import { useEffect, useRef, useState } from "preact/hooks";
import { nameOf, type Setup } from "../../engine/setup.js";
import type { Begun, Moment } from "../../engine/training.js";
import type { Trainer as Engine } from "../../engine/worker.js";
import { newWorker } from "../../runtime/new-worker.js";
import type { TrainerRun } from "../types.js";

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
  const seen = moments.at(-1)?.seen ?? 0;
  const name = nameOf(begun.setup);
  return { name, begun, moments, seen, broken, own: false, invented: [] };
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
      const which = what === "seeds" ? "seeds" : "run";
      if ((error as Error).message.startsWith("What trains")) engines.current[which] = null;
    } finally {
      working.current = null;
      setWork(null);
    }
  };
  const open = (which: "run" | "seeds") => (engines.current[which] ??= engine());

  /** Let the worker train, and show what comes, until the run is complete or stopped. */
  const goThrough = async (which: "run" | "seeds", doing: Work, show: (grow: (run: Run) => Run) => void) => {
    const { trainer, broken } = open(which);
    for (;;) {
      const part = await Promise.race([trainer.advance(TURN), broken]);
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
    const invented = await open("run").trainer.finish(NAMES);
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
    setRun({ name: nameOf(begun.setup), begun, moments: [], seen: begun.seen, broken: false, own: true, invented: [] });
  };
  const train = (setup: Setup, text: string) =>
    attempt("training", async (doing) => {
      const { trainer, broken } = open("run");
      const begun = await Promise.race([trainer.begin(setup, text), broken]);
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
        const { trainer, broken } = open("seeds");
        for (let seed = 1; seed <= SEEDS && !doing.stopped; seed++) {
          const setup = { ...run.begun.setup, seed };
          const begun = await Promise.race([trainer.begin(setup, names), broken]);
          const started = { ...run, begun, moments: [], seen: 0, own: true, invented: [] };
          setSeeds((all) => [...all, started]);
          await goThrough("seeds", doing, (grow) => setSeeds((all) => [...all.slice(0, -1), grow(all.at(-1) as Run)]));
        }
      }),
    openFile: (file: string, text: string) =>
      attempt("opening", async () => {
        const { trainer, broken } = open("run");
        const begun = await Promise.race([trainer.open(file, text), broken]);
        const moments = [await Promise.race([trainer.now(), broken])];
        setNames(text);
        setBeside([]);
        setSeeds([]);
        const name = nameOf(begun.setup);
        setRun({ name, begun, moments, seen: begun.seen, broken: false, own: true, invented: [] });
      }),
    save: (saved: () => void) =>
      attempt("opening", async () => {
        const text = await open("run").trainer.save();
        const link = document.createElement("a");
        link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
        link.download = "microgpt-run.json";
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
        saved();
      }),
    look: <T>(ask: (trainer: Remote<Engine>) => Promise<T>): Promise<T> => ask(open("run").trainer),
  };
}

export type Runs = ReturnType<typeof useTrainer>;
