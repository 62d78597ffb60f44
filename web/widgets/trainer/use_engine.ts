/** The worker in which a widget trains, begun when it is first asked. */

import { type Remote, wrap } from "comlink";
import { useEffect, useRef } from "preact/hooks";
import type { Trainer } from "../../engine/worker.js";
import { newWorker } from "../../runtime/new-worker.js";

/** Given by the build: the name of the worker's script. */
declare const TRAINER: string;

export type Question<T> = (trainer: Remote<Trainer>) => Promise<T>;

interface Engine {
  trainer: Remote<Trainer>;
  end(): void;
  broken: Promise<never>;
}

/** Return what asks the worker; one that breaks takes its run with it, which `lost` is told. */
export function useEngine(lost = () => {}): <T>(question: Question<T>) => Promise<T> {
  const engine = useRef<Engine | null>(null);
  useEffect(() => () => engine.current?.end(), []);
  const begin = (): Engine => {
    const worker = newWorker(TRAINER);
    const end = (): void => worker.terminate();
    const broken = new Promise<never>((_, reject) => {
      worker.addEventListener("error", (event) => {
        event.preventDefault();
        const why = navigator.onLine ? "could not be loaded" : "is not here yet, and this browser is offline";
        reject(new Error(`What trains ${why}. Try again.`));
      });
    });
    broken.catch(() => {
      end();
      engine.current = null;
      lost();
    });
    return { trainer: wrap<Trainer>(worker), end, broken };
  };
  return (question) => {
    engine.current ??= begin();
    return Promise.race([question(engine.current.trainer), engine.current.broken]);
  };
}
