/** Trains in a web worker, which starts at the first call. */

import { type Remote, wrap } from "comlink";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TrainingChange } from "../../engine/training_change.js";
import type { TrainingSetup } from "../../engine/training_setup.js";
import type { TrainingWorker } from "../../engine/training_worker.js";
import { createWorkerFromBlob } from "../../runtime/create-worker.js";
import { isComplete, newRun, type Run, runWithProgress } from "./runs.js";

/** File name of the worker's script, which the build defines. */
declare const TRAINER: string;

/** How long the worker trains in each call, before it returns its progress. */
const SLICE_MS = 40;

type TrainerStartArguments = [setup: TrainingSetup, namesText: string, change?: TrainingChange];

/** Start the worker; return it with a promise that rejects if it can't be loaded or breaks down. */
function startWorker(onFailure: () => void) {
  const worker = createWorkerFromBlob(TRAINER);
  const failure = new Promise<never>((_, reject) => {
    worker.addEventListener("error", (event) => {
      event.preventDefault();
      worker.terminate();
      onFailure();
      const problem = navigator.onLine ? "could not be loaded" : "is not here yet, and this browser is offline";
      reject(new Error(`The trainer ${problem}. Try again.`));
    });
  });
  failure.catch(() => {}); // a call reports it
  return { trainer: wrap<TrainingWorker>(worker), worker, failure };
}

/** Return functions that train in the worker, and whether it trains or what went wrong. */
export function useTrainer() {
  const connection = useRef<ReturnType<typeof startWorker> | null>(null);
  /** A token of the run that trains now; null when none does. */
  const currentRun = useRef<object | null>(null);
  const [isTraining, setIsTraining] = useState(false);
  const [error, setError] = useState("");
  useEffect(() => () => connection.current?.worker.terminate(), []);

  /** Call the trainer in its worker; if the worker breaks down, its run is lost. */
  const callTrainer = <T>(call: (trainer: Remote<TrainingWorker>) => Promise<T>): Promise<T> => {
    connection.current ??= startWorker(() => {
      connection.current = null;
    });
    return Promise.race([call(connection.current.trainer), connection.current.failure]);
  };
  /** Start a run or continue one; return whether it is complete, not stopped, superseded or failed. */
  const train = async (source: TrainerStartArguments | Run, onProgress: (run: Run) => void): Promise<boolean> => {
    const thisRun = {};
    currentRun.current = thisRun;
    const isSuperseded = (): boolean => currentRun.current !== null && currentRun.current !== thisRun;
    setIsTraining(true);
    setError("");
    try {
      let run = source as Run;
      if (Array.isArray(source)) run = newRun(await callTrainer((trainer) => trainer.start(...source)), source[1]);
      if (!isSuperseded()) onProgress(run);
      while (!isComplete(run) && currentRun.current === thisRun) {
        const progress = await callTrainer((trainer) => trainer.trainFor(SLICE_MS));
        if (isSuperseded()) break;
        run = runWithProgress(run, progress);
        onProgress(run);
      }
      return isComplete(run);
    } catch (reason) {
      if (!isSuperseded()) setError((reason as Error).message);
      return false;
    } finally {
      if (!isSuperseded()) setIsTraining(false);
    }
  };
  return {
    ...{ isTraining, error, callTrainer, train },
    stop: () => {
      currentRun.current = null;
    },
    /** Stop, and report no more progress. */
    abandon: () => {
      currentRun.current = {};
      setIsTraining(false);
    },
    clearError: () => setError(""),
  };
}
