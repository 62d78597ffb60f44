/** Trains in a worker of the page, which is begun when it is first asked. */

import { type Remote, wrap } from "comlink";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TrainingChange } from "../../engine/training_change.js";
import type { TrainingSetup } from "../../engine/training_setup.js";
import type { TrainingWorker } from "../../engine/training_worker.js";
import { createWorker } from "../../runtime/create-worker.js";
import { complete, grown, type Run, runOf } from "./runs.js";

/** Given by the build: the name of the worker's script. */
declare const TRAINER: string;

/** How long the worker trains before it tells what has come of it, in milliseconds. */
const SLICE_MS = 40;

type Question<T> = (trainer: Remote<TrainingWorker>) => Promise<T>;
type Wish = [setup: TrainingSetup, text: string, change?: TrainingChange];

interface Engine {
  trainer: Remote<TrainingWorker>;
  worker: Worker;
  broken: Promise<never>;
}

export function useTrainer() {
  const engine = useRef<Engine | null>(null);
  /** What is trained now; null when nothing is. */
  const wanted = useRef<object | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, refuse] = useState("");
  useEffect(() => () => engine.current?.worker.terminate(), []);

  const begin = (): Engine => {
    const worker = createWorker(TRAINER);
    const broken = new Promise<never>((_, reject) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        const why = navigator.onLine ? "could not be loaded" : "is not here yet, and this browser is offline";
        reject(new Error(`What trains ${why}. Try again.`));
      });
    });
    broken.catch(() => {
      worker.terminate();
      engine.current = null;
    });
    return { trainer: wrap<TrainingWorker>(worker), worker, broken };
  };
  /** Ask the worker; one that breaks takes its run with it. */
  const ask = <T>(question: Question<T>): Promise<T> => {
    engine.current ??= begin();
    return Promise.race([question(engine.current.trainer), engine.current.broken]);
  };
  /** Train anew, or go on with a run, and show it as it grows, until it is complete: then the answer is true. */
  const train = async (what: Wish | Run, show: (run: Run) => void): Promise<boolean> => {
    const mine = {};
    wanted.current = mine;
    const superseded = (): boolean => wanted.current !== null && wanted.current !== mine;
    setBusy(true);
    refuse("");
    try {
      let run = Array.isArray(what) ? runOf(await ask((trainer) => trainer.start(...what)), what[1]) : what;
      if (!superseded()) show(run);
      while (!complete(run) && wanted.current === mine) {
        const progress = await ask((trainer) => trainer.trainFor(SLICE_MS));
        if (superseded()) break;
        run = grown(run, progress);
        show(run);
      }
      return complete(run);
    } catch (error) {
      if (!superseded()) refuse((error as Error).message);
      return false;
    } finally {
      if (!superseded()) setBusy(false);
    }
  };
  return {
    ...{ busy, refusal, ask, train },
    stop: () => {
      wanted.current = null;
    },
    /** What is trained is shown no more. */
    drop: () => {
      wanted.current = {};
      setBusy(false);
    },
    /** A refusal is of what was sent: it goes as the reader types on. */
    forget: () => refuse(""),
  };
}
