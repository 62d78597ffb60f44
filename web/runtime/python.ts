/**
 * Runs Python in a worker that all parts of the page share: started when it is first needed, one call at a time. A call
 * that a reader stops is interrupted; if Python does not react in time, the worker is terminated.
 */

import { type Remote, wrap } from "comlink";
import { ASSETS_URL, createWorkerFromBlob } from "./create-worker.js";
import { describeCrash, describeLoadFailure, ENDED_MESSAGE, NO_WEBASSEMBLY_MESSAGE } from "./python-error-messages.js";
import { deleteSnapshot } from "./python-snapshot.js";
import { loadItem } from "./storage.js";
import type { LoadingEvent, PythonWorker, RunEvent, RunResult, WidgetAnswer } from "./worker-protocol.js";

/** File name of the worker's script; build.mjs defines it. */
declare const PYTHON_WORKER: string;

/** Progress of a call, for display; `fraction` is the loaded part of Python, null until its size is known. */
export type PythonProgress = { kind: "waiting" } | { kind: "loading"; fraction: number | null } | { kind: "running" };

/** Return progress in words. */
export function describeProgress(progress: PythonProgress): string {
  if (progress.kind === "waiting") return "waiting for another part of the page";
  if (progress.kind === "running") return "running";
  return progress.fraction === 1 ? "starting Python" : "loading Python";
}

type ProgressListener = (progress: PythonProgress) => void;
type RunEventListener = (event: RunEvent) => void;

/** The reader has pressed Stop. */
export class StoppedError extends Error {}

/** Python could not be loaded, or has crashed; the message tells readers why and what to do. */
export class PythonUnavailableError extends Error {}

/** A worker in which Python is loading or loaded. */
interface PythonSession {
  worker: Worker;
  python: Remote<PythonWorker>;
  /** Aborted, with the reason, when the worker dies or is terminated. */
  ended: AbortSignal;
  terminate(reason: Error): void;
  loaded: Promise<unknown>;
  isLoaded: boolean;
}

/** How long Python may take to react to an interrupt before its worker is terminated. */
const INTERRUPT_TIMEOUT_MS = 5_000;

let session: PythonSession | null = null;
let lastTask: Promise<unknown> = Promise.resolve();
let pendingCount = 0;

/** Return the URL of python.zip, this edition's archive of the guide's packages. */
function pythonArchiveUrl(): string {
  const hash = document.querySelector<HTMLElement>("[data-python-hash]")?.dataset["pythonHash"];
  return new URL(`python.zip?${hash ?? ""}`, ASSETS_URL).href;
}

/**
 * Start a worker and let it load Python.
 *
 * @throws PythonUnavailableError if the browser has no WebAssembly or allows no workers
 */
function openSession(): PythonSession {
  if (!("WebAssembly" in globalThis)) throw new PythonUnavailableError(NO_WEBASSEMBLY_MESSAGE);
  const worker = createPythonWorker();
  const python = wrap<PythonWorker>(worker);
  const controller = new AbortController();
  const { signal } = controller;
  const terminate = (reason: Error): void => {
    if (signal.aborted) return;
    worker.terminate();
    if (reason instanceof PythonUnavailableError) deleteSnapshot().catch(() => {}); // the snapshot may be broken
    if (session?.worker === worker) session = null;
    controller.abort(reason);
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    terminate(new PythonUnavailableError(newSession.isLoaded ? ENDED_MESSAGE : describeLoadFailure(event.message)));
  });
  const lockName = `guide-python-${performance.timeOrigin + performance.now()}-${Math.random()}`;
  const mayStore = loadItem("guide:offline") === null;
  const loaded = rejectOnAbort(python.load(pythonArchiveUrl(), lockName, mayStore), signal).catch((error) => {
    const reason =
      error instanceof StoppedError || error instanceof PythonUnavailableError
        ? error
        : new PythonUnavailableError(describeLoadFailure(String(error?.message ?? error)));
    terminate(reason);
    throw reason;
  });
  const newSession: PythonSession = { worker, python, ended: signal, terminate, loaded, isLoaded: false };
  loaded.then(
    (snapshot) => {
      newSession.isLoaded = true;
      performance.mark("python", { detail: { snapshot } }); // developers and tests can see the start
      document.dispatchEvent(new Event("python-loaded"));
      // The worker releases its lock when it dies. Without locks that goes unnoticed; Stop still works.
      navigator.locks?.request(lockName, () => terminate(new PythonUnavailableError(ENDED_MESSAGE))).catch(() => {});
    },
    () => {},
  );
  return newSession;
}

function createPythonWorker(): Worker {
  try {
    return createWorkerFromBlob(PYTHON_WORKER);
  } catch (error) {
    throw new PythonUnavailableError(describeLoadFailure((error as Error).message));
  }
}

/** Start Python before it is needed. If that fails, the next call reports why. */
export function startPython(): void {
  session ??= openSession();
  session.loaded.catch(() => {});
}

/**
 * Settle like a promise, unless a signal aborts first: then reject with its reason. (Promise.race with a promise that
 * lives as long as the worker would keep every answer in memory.)
 */
function rejectOnAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/**
 * Run a task in Python after all earlier ones.
 *
 * @param task - calls Python; gets the URL to pass on for interrupts, and resolves to null if it was interrupted
 * @throws StoppedError or another reason of `signal`, or PythonUnavailableError
 */
async function runInTurn<T>(
  onProgress: ProgressListener,
  signal: AbortSignal,
  task: (python: Remote<PythonWorker>, interruptUrl: string) => Promise<T | null>,
  onEvent: RunEventListener = () => {},
): Promise<T> {
  const previous = lastTask;
  let startNextTask = (): void => {};
  lastTask = new Promise<void>((resolve) => {
    startNextTask = resolve;
  });
  let whenPythonIsFree: Promise<unknown> = previous;
  try {
    if (pendingCount++ > 0) onProgress({ kind: "waiting" });
    await rejectOnAbort(previous, signal);
    session ??= openSession();
    const { worker, python, ended, terminate, loaded, isLoaded } = session;
    const terminateStopped = (): void => terminate(new StoppedError());
    signal.addEventListener("abort", terminateStopped, { once: true });
    // Comlink's answers arrive here, too; they have no kind.
    const onMessage = ({ data }: MessageEvent<LoadingEvent | RunEvent | { kind?: never }>): void => {
      if (data.kind === "loading") onProgress({ kind: "loading", fraction: data.fraction });
      else if (data.kind !== undefined) onEvent(data);
    };
    worker.addEventListener("message", onMessage);
    try {
      if (!isLoaded) onProgress({ kind: "loading", fraction: null });
      await loaded;
      signal.removeEventListener("abort", terminateStopped);
      onProgress({ kind: "running" });
      const interruptUrl = URL.createObjectURL(new Blob([" "]));
      const answer = rejectOnAbort(task(python, interruptUrl), ended);
      whenPythonIsFree = interruptOnAbort(answer, interruptUrl, signal, terminateStopped);
      const result = await rejectOnAbort(answer, signal);
      if (result === null) throw new StoppedError();
      return result;
    } catch (error) {
      if (error instanceof StoppedError || error instanceof PythonUnavailableError) throw error;
      // Errors of Python code are results. An error that arrives here has broken the interpreter.
      const failure = new PythonUnavailableError(describeCrash(String((error as Error).message).trim()));
      terminate(failure);
      throw failure;
    } finally {
      worker.removeEventListener("message", onMessage);
      signal.removeEventListener("abort", terminateStopped);
    }
  } finally {
    // The next task begins when this one is over, even if its caller gave up waiting.
    whenPythonIsFree.finally(() => pendingCount--).then(startNextTask, startNextTask);
  }
}

/**
 * Interrupt Python when `signal` aborts, by revoking `url`, and terminate it if it does not react in time. Resolves when
 * Python is free again.
 */
async function interruptOnAbort(answer: Promise<unknown>, url: string, signal: AbortSignal, terminate: () => void) {
  let timer = 0;
  const interrupt = (): void => {
    URL.revokeObjectURL(url);
    timer = window.setTimeout(terminate, INTERRUPT_TIMEOUT_MS);
  };
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  await answer.catch(() => signal.aborted && terminate());
  clearTimeout(timer);
  signal.removeEventListener("abort", interrupt);
  URL.revokeObjectURL(url);
}

/**
 * Run blocks of code in one new namespace, then check `exercise` if it is given.
 *
 * @throws StoppedError or another reason of `signal` when that aborts; PythonUnavailableError when Python cannot be loaded or dies
 */
export function runBlocks(
  blocks: string[],
  onEvent: RunEventListener,
  onProgress: ProgressListener,
  signal: AbortSignal,
  exercise?: string,
): Promise<RunResult> {
  return runInTurn(onProgress, signal, (python, url) => python.runBlocks(blocks, url, exercise), onEvent);
}

/**
 * Call the Python function `name` of web/widgets/NAME/model.py with keyword arguments.
 *
 * @throws as `runBlocks` does
 */
export function callWidget<Result>(
  name: string,
  parameters: object,
  onProgress: ProgressListener,
  signal: AbortSignal,
): Promise<WidgetAnswer<Result>> {
  const call = (python: Remote<PythonWorker>, url: string) =>
    python.callWidget(name, parameters, url) as Promise<WidgetAnswer<Result> | null>;
  return runInTurn(onProgress, signal, call);
}
