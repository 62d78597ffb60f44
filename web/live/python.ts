/**
 * Python as a page sees it: loaded when first asked for, one thing at a time, and
 * stopped by ending its worker, because nothing else stops an endless loop.
 */

import { proxy, wrap, type Remote } from "comlink";
import type { Answer, Loading, Outcome, PythonWorker, Reports } from "./messages.js";

/** Given by the build: the name of the worker's script. */
declare const WORKER: string;

/** What whoever asked Python for something is shown. */
export type State =
  | { kind: "waiting" }
  | { kind: "loading"; loading: Loading | null }
  | { kind: "running" };

export type Watch = (state: State) => void;

/** The reader has pressed Stop. */
export class Stopped extends Error {}

/** Python could not be loaded, or died; the message says why and what to do. */
export class Failure extends Error {}

/** Of this page's own folder of scripts; the site may lie in any folder. */
const ASSETS = new URL("./", import.meta.url);

interface Session {
  worker: Worker;
  python: Remote<PythonWorker>;
  /** Rejects when the worker dies or is stopped. */
  end: Promise<never>;
  stop(reason: Error): void;
  loaded: Promise<void>;
  watchers: Set<(loading: Loading) => void>;
}

let session: Session | null = null;
let queue: Promise<unknown> = Promise.resolve();

/** The archive of Python packages of this page's edition; weave writes its name. */
function packages(): string {
  const edition = document.querySelector<HTMLElement>("[data-edition]")?.dataset["edition"];
  return new URL(`python.zip?${edition ?? ""}`, ASSETS).href;
}

function open(): Session {
  const worker = new Worker(new URL(WORKER, ASSETS), { type: "module" });
  const python = wrap<PythonWorker>(worker);
  let fail: (reason: Error) => void = () => {};
  const end = new Promise<never>((_, reject) => {
    fail = reject;
  });
  end.catch(() => {});
  const stop = (reason: Error): void => {
    worker.terminate();
    if (session?.worker === worker) session = null;
    fail(reason);
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    stop(new Failure(unloadable(event.message)));
  });
  const watchers = new Set<(loading: Loading) => void>();
  const report = proxy((loading: Loading) => {
    for (const watch of watchers) watch(loading);
  });
  const loaded = Promise.race([python.load(packages(), report), end]).catch((error) => {
    const reason =
      error instanceof Stopped || error instanceof Failure
        ? error
        : new Failure(unloadable(String(error?.message ?? error)));
    stop(reason);
    throw reason;
  });
  loaded.then(
    () => document.dispatchEvent(new Event("python-loaded")),
    () => {},
  );
  return { worker, python, end, stop, loaded, watchers };
}

function unloadable(detail: string | undefined): string {
  const why = navigator.onLine
    ? `Python could not be loaded${detail ? ` (${detail.split("\n")[0]})` : ""}.`
    : "Python could not be loaded: this browser is offline and does not have it yet.";
  return `${why} Press Run to try again.`;
}

/** Do one thing with Python, after what was asked before it. */
async function withPython<T>(
  watch: Watch,
  signal: AbortSignal,
  act: (python: Remote<PythonWorker>) => Promise<T>,
): Promise<T> {
  const before = queue;
  let done = (): void => {};
  queue = new Promise<void>((resolve) => {
    done = resolve;
  });
  try {
    watch({ kind: "waiting" });
    await Promise.race([before, aborted(signal)]);
    session ??= open();
    const { python, end, stop, loaded, watchers } = session;
    const halt = (): void => stop(new Stopped());
    signal.addEventListener("abort", halt, { once: true });
    const progress = (loading: Loading): void => watch({ kind: "loading", loading });
    try {
      watch({ kind: "loading", loading: null });
      watchers.add(progress);
      await loaded;
      watchers.delete(progress);
      watch({ kind: "running" });
      return await Promise.race([act(python), end]);
    } catch (error) {
      if (error instanceof Stopped || error instanceof Failure) throw error;
      // Python reports its errors as results. What arrives here broke the interpreter.
      const reason = new Failure(
        `Python broke down (${String((error as Error).message).trim().split("\n").at(-1)}). ` +
          "The next Run starts it anew.",
      );
      stop(reason);
      throw reason;
    } finally {
      watchers.delete(progress);
      signal.removeEventListener("abort", halt);
    }
  } finally {
    // Whoever waits goes on after this one, even if this one gave up waiting.
    before.then(done, done);
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new Stopped());
    signal.addEventListener("abort", () => reject(new Stopped()), { once: true });
  });
}

/**
 * Run blocks of code in a fresh namespace. Rejects with `Stopped` when `signal` is
 * aborted, with `Failure` when Python cannot be loaded or dies.
 */
export function run(
  blocks: string[],
  reports: Reports,
  watch: Watch,
  signal: AbortSignal,
): Promise<Outcome> {
  return withPython(watch, signal, (python) =>
    python.run(blocks, proxy(reports.begin), proxy(reports.print)),
  );
}

/**
 * Call the Python function of a widget, `widgets/NAME.py`, with named parameters.
 * Rejects as `run` does.
 */
export function call<Result>(
  name: string,
  parameters: object,
  watch: Watch = () => {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Answer<Result>> {
  return withPython(
    watch,
    signal,
    (python) => python.call(name, parameters) as Promise<Answer<Result>>,
  );
}
