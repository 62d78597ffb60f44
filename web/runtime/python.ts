/**
 * Python as a page sees it: loaded when first asked for, one thing at a time. What a reader
 * stops is interrupted; if it does not heed that, its worker ends.
 */

import { type Remote, wrap } from "comlink";
import type { Answer, Outcome, PythonWorker, Report } from "./messages.js";
import { ASSETS, newWorker } from "./new-worker.js";
import { forgetSnapshot } from "./snapshot.js";
import { kept } from "./storage.js";

/** Given by the build: the name of the worker's script. */
declare const WORKER: string;

/** What whoever asked Python for something is shown; `share` is null until it is known how much there is to load. */
export type State = { kind: "waiting" } | { kind: "loading"; share: number | null } | { kind: "running" };

/** A state in words. Nobody can tell how far a start has come once all is loaded. */
export function inWords(state: State): string {
  if (state.kind === "waiting") return "waiting for another part of the page";
  if (state.kind === "running") return "running";
  return state.share === 1 ? "starting Python" : "loading Python";
}

type Watch = (state: State) => void;

/** Why a run is aborted: the reader has pressed Stop. */
export class Stopped extends Error {}

/** Python could not be loaded, or died; the message says why and what to do. */
export class Failure extends Error {}

interface Session {
  worker: Worker;
  python: Remote<PythonWorker>;
  /** Aborted, with the reason, when the worker dies or is stopped. */
  end: AbortSignal;
  stop(reason: Error): void;
  loaded: Promise<unknown>;
  started: boolean;
}

/** Told what the worker reports while it works. */
type Hear = (report: Report) => void;

/** How long what is stopped may take to end, in milliseconds. */
const PATIENCE = 5_000;

let session: Session | null = null;
let queue: Promise<unknown> = Promise.resolve();
let busy = 0;

/** The archive of Python packages of this page's edition; weave writes its name. */
function packages(): string {
  const edition = document.querySelector<HTMLElement>("[data-edition]")?.dataset["edition"];
  return new URL(`python.zip?${edition ?? ""}`, ASSETS).href;
}

function open(): Session {
  if (!("WebAssembly" in globalThis)) throw new Failure(NO_WEBASSEMBLY);
  const worker = begun();
  const python = wrap<PythonWorker>(worker);
  const end = new AbortController();
  const stop = (reason: Error): void => {
    if (end.signal.aborted) return;
    worker.terminate();
    if (reason instanceof Failure) forgetSnapshot().catch(() => {}); // perhaps that is broken
    if (session?.worker === worker) session = null;
    end.abort(reason);
  };
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    stop(new Failure(opened.started ? DIED : unloadable(event.message)));
  });
  const life = `guide-python-${performance.timeOrigin + performance.now()}-${Math.random()}`;
  const loaded = unless(python.load(packages(), life, kept("guide:offline") === null), end.signal).catch((error) => {
    const reason =
      error instanceof Stopped || error instanceof Failure
        ? error
        : new Failure(unloadable(String(error?.message ?? error)));
    stop(reason);
    throw reason;
  });
  const opened: Session = { worker, python, end: end.signal, stop, loaded, started: false };
  loaded.then(
    (snapshot) => {
      opened.started = true;
      performance.mark("python", { detail: { snapshot } }); // a start that developers and tests can see
      document.dispatchEvent(new Event("python-loaded"));
      // Without locks the death of a worker goes unnoticed; Stop still works.
      navigator.locks?.request(life, () => stop(new Failure(DIED))).catch(() => {});
    },
    () => {},
  );
  return opened;
}

function begun(): Worker {
  try {
    return newWorker(WORKER);
  } catch (error) {
    throw new Failure(unloadable((error as Error).message));
  }
}

/** Start Python before it is needed. Who needs it will be told if that fails. */
export function warmUp(): void {
  session ??= open();
  session.loaded.catch(() => {});
}

/**
 * What is awaited, unless an end comes first: then the reason for that. A race with a
 * promise that lives as long as the worker would keep every answer for as long.
 */
function unless<T>(answer: Promise<T>, end: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const give = (): void => reject(end.reason as Error);
    if (end.aborted) give();
    end.addEventListener("abort", give);
    answer.then(resolve, reject).finally(() => end.removeEventListener("abort", give));
  });
}

const AGAIN = "Try again: it starts anew.";
const DIED = `Python has ended, perhaps for want of memory. ${AGAIN}`;
const NO_WEBASSEMBLY =
  "This browser has no WebAssembly, which Python needs: allow it in the browser’s settings, or use another browser.";

/** What browsers say of an end that a reader can do something about. */
const ENDS: [said: RegExp, means: string][] = [
  // Pyodide has no stderr left to lose when nothing more can be allocated.
  [/memory|allocat|lost sys.stderr/i, "The page has no memory left for Python: keep less data, or close other tabs."],
  [/call stack|recursion/i, "Calls are nested more deeply than this browser allows: check what ends them, or loop."],
  [/exit\(/, "The program ended Python itself: remove that."],
];
const meant = (said: string): string | undefined => ENDS.find(([pattern]) => pattern.test(said))?.[1];

function unloadable(detail: string | undefined): string {
  if (!navigator.onLine)
    return "Python could not be loaded: this browser is offline and does not have it yet. Try again.";
  // A policy that forbids a worker says nothing to the page.
  const said = (detail || "this browser or the site’s host lets no worker start").split("\n")[0] as string;
  return `${meant(said) ?? `Python could not be loaded (${said}).`} Try again.`;
}

/** Do one thing with Python, after what was asked before it. */
async function withPython<T>(
  watch: Watch,
  signal: AbortSignal,
  act: (python: Remote<PythonWorker>, pass: string) => Promise<T | null>,
  hear: Hear = () => {},
): Promise<T> {
  const before = queue;
  let done = (): void => {};
  queue = new Promise<void>((resolve) => {
    done = resolve;
  });
  let free: Promise<unknown> = before;
  try {
    if (busy++ > 0) watch({ kind: "waiting" });
    await unless(before, signal);
    session ??= open();
    const { worker, python, end, stop, loaded, started } = session;
    const halt = (): void => stop(new Stopped());
    signal.addEventListener("abort", halt, { once: true });
    const listen = ({ data }: MessageEvent<Report>): void =>
      data.report === "loading" ? watch({ kind: "loading", share: data.share }) : hear(data);
    worker.addEventListener("message", listen);
    try {
      if (!started) watch({ kind: "loading", share: null });
      await loaded;
      signal.removeEventListener("abort", halt);
      watch({ kind: "running" });
      const pass = URL.createObjectURL(new Blob([" "]));
      const answer = unless(act(python, pass), end);
      free = interruptible(answer, pass, signal, halt);
      const given = await unless(answer, signal);
      if (given === null) throw new Stopped();
      return given;
    } catch (error) {
      if (error instanceof Stopped || error instanceof Failure) throw error;
      // Python reports its errors as results. What arrives here broke the interpreter.
      const said = String((error as Error).message).trim();
      const reason = new Failure(`${meant(said) ?? `Python broke down (${said.split("\n").at(-1)}).`} ${AGAIN}`);
      stop(reason);
      throw reason;
    } finally {
      worker.removeEventListener("message", listen);
      signal.removeEventListener("abort", halt);
    }
  } finally {
    // Whoever waits goes on after this one, even if this one gave up waiting.
    free.finally(() => busy--).then(done, done);
  }
}

/** Settled when Python is free again: interrupt it when asked to, and `end` it if that is in vain. */
async function interruptible(answer: Promise<unknown>, pass: string, signal: AbortSignal, end: () => void) {
  let timer = 0;
  const interrupt = (): void => {
    URL.revokeObjectURL(pass);
    timer = window.setTimeout(end, PATIENCE);
  };
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  await answer.catch(() => signal.aborted && end());
  clearTimeout(timer);
  signal.removeEventListener("abort", interrupt);
  URL.revokeObjectURL(pass);
}

/**
 * Run blocks of code in a fresh namespace; check `exercise` with it. Rejects with the reason of `signal` when
 * that is aborted, with `Failure` when Python cannot be loaded or dies.
 */
export function run(
  blocks: string[],
  hear: Hear,
  watch: Watch,
  signal: AbortSignal,
  exercise?: string,
): Promise<Outcome> {
  return withPython(watch, signal, (python, pass) => python.run(blocks, pass, exercise), hear);
}

/**
 * Call the Python function of a widget, `widgets/NAME/model.py`, with named parameters.
 * Rejects as `run` does.
 */
export function call<Result>(
  name: string,
  parameters: object,
  watch: Watch,
  signal: AbortSignal,
): Promise<Answer<Result>> {
  const ask = (python: Remote<PythonWorker>, pass: string): Promise<Answer<Result> | null> =>
    python.call(name, parameters, pass) as Promise<Answer<Result> | null>;
  return withPython(watch, signal, ask);
}
