/** The Web Worker in which Pyodide runs, so that the page stays responsive. */

import { expose } from "comlink";
import type { PyodideAPI, PyodideConfig } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import { loadSnapshot, saveSnapshot } from "./python-snapshot.js";
import type { LoadingEvent, PythonWorker, RunEvent, RunResult, WidgetAnswer } from "./worker-protocol.js";

/** Pyodide's folder, the size of its files in bytes, and its lock file; build.mjs defines them. */
declare const PYODIDE: { folder: string; sizes: Record<string, number>; lock: string };

/** The Python module runtime/runner.py. */
let runner: { run_blocks: PyCallable; call_widget: PyCallable };

// Not a callback through Comlink, which has a channel of its own: output could arrive after the result of its run.
const postEvent = (event: LoadingEvent | RunEvent): void => self.postMessage(event);

/**
 * Let `fetch` report how much of Pyodide's files has arrived. The promise rejects when one is missing or cut short:
 * Pyodide itself would wait for some of them for ever.
 */
function reportFetchProgress(): Promise<never> {
  const total = Object.values(PYODIDE.sizes).reduce((a, b) => a + b, 0);
  const original = self.fetch.bind(self);
  let loaded = 0;
  return new Promise((_, reject) => {
    self.fetch = async (input, init) => {
      const file = new URL(input instanceof Request ? input.url : input).pathname.split("/").at(-1);
      const fail = (reason: string): never => {
        const error = new Error(`${file} ${reason}`);
        reject(error);
        throw error;
      };
      const response = await original(input, init).catch(() => fail("did not arrive"));
      if (!response.ok || response.body === null) fail(`gives ${response.status}`);
      let arrived = 0;
      const counting = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          arrived += chunk.byteLength;
          loaded = Math.min(loaded + chunk.byteLength, total);
          postEvent({ kind: "loading", fraction: loaded / total });
          controller.enqueue(chunk);
        },
        flush() {
          const size = PYODIDE.sizes[file ?? ""];
          if (size !== undefined && arrived !== size) fail("is not whole");
        },
      });
      const body = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(counting);
      // Some servers give WebAssembly no type, and browsers then refuse to compile it while it arrives.
      const wasm = file?.endsWith(".wasm");
      const headers = wasm ? { "Content-Type": "application/wasm" } : response.headers;
      return new Response(body, { headers });
    };
  });
}

/** Start Pyodide, several times as fast from a snapshot of its memory. */
async function startPyodide(snapshot: Uint8Array | null): Promise<PyodideAPI> {
  const folder = new URL(`${PYODIDE.folder}/`, import.meta.url).href;
  const { loadPyodide } = (await import(`${folder}pyodide.mjs`)) as {
    loadPyodide: (config: PyodideConfig) => Promise<PyodideAPI>;
  };
  const memory = snapshot === null ? { _makeSnapshot: true } : { _loadSnapshot: snapshot };
  return loadPyodide({ indexURL: folder, lockFileContents: PYODIDE.lock, ...memory } as PyodideConfig);
}

/** Return whether a blob URL still works: the page revokes it to interrupt Python. */
function isBlobUrlAlive(url: string): boolean {
  const request = new XMLHttpRequest();
  request.open("GET", url, false);
  try {
    request.send();
    return true;
  } catch {
    return false;
  }
}

const SIGINT = 2;
const INTERRUPT_CHECK_INTERVAL_MS = 100;
/** The blob URL that the page revokes to interrupt Python; empty while nothing can be interrupted. */
let interruptUrl = "";
let lastCheckTime = 0;

/**
 * The buffer in which Pyodide looks for signals. Memory shared with the page would need headers that few hosts send, so
 * reading this one checks instead, ten times a second, whether the page has revoked a URL. (Terminating a worker does
 * not stop Python in WebKit.)
 */
const pollingInterruptBuffer = {
  get 0(): number {
    if (interruptUrl === "" || performance.now() - lastCheckTime < INTERRUPT_CHECK_INTERVAL_MS) return 0;
    lastCheckTime = performance.now();
    if (isBlobUrlAlive(interruptUrl)) return 0;
    interruptUrl = ""; // only once, so that `finally` blocks can run to their end
    return SIGINT;
  },
  set 0(_: number) {},
};

/** Run a task that the page can interrupt by revoking `url`; return null if it was interrupted. */
function runInterruptibly<Result>(url: string, task: () => Result): Result | null {
  [interruptUrl, lastCheckTime] = [url, performance.now()];
  try {
    return task();
  } catch (error) {
    if ((error as { type?: string }).type !== "KeyboardInterrupt") throw error;
    return null;
  } finally {
    interruptUrl = "";
  }
}

const workerApi: PythonWorker = {
  async load(pythonArchiveUrl, lockName, mayStore) {
    navigator.locks?.request(lockName, () => new Promise(() => {})).catch(() => {});
    const { fetch } = self;
    const downloadFailure = reportFetchProgress();
    const snapshotName = `${pythonArchiveUrl}&${PYODIDE.folder}`;
    const snapshot = await loadSnapshot(snapshotName);
    const download = self.fetch(pythonArchiveUrl).then((response) => response.arrayBuffer());
    const [pyodide, archive] = await Promise.race([Promise.all([startPyodide(snapshot), download]), downloadFailure]);
    self.fetch = fetch; // downloads by a reader's code must not count as progress
    // A worker that this one starts from a URL would have no policy (see create-worker.ts).
    Reflect.deleteProperty(self, "Worker");
    pyodide.unpackArchive(archive, "zip", { extractDir: "/guide" });
    if (snapshot === null) {
      pyodide.runPython("import sys; sys.path.insert(0, '/guide'); import microgpt, snippets.ready, runtime.runner");
      if (mayStore) saveSnapshot(snapshotName, pyodide.makeMemorySnapshot()).catch(console.warn);
    }
    pyodide.runPython("import random; random.seed()"); // a snapshot always holds the same state
    runner = pyodide.pyimport("runtime.runner") as unknown as typeof runner;
    // Where a host's policy forbids requests of blobs, every URL would seem revoked: then nothing can be interrupted.
    const testUrl = URL.createObjectURL(new Blob([" "]));
    if (isBlobUrlAlive(testUrl)) pyodide.setInterruptBuffer(pollingInterruptBuffer as unknown as Uint8Array);
    URL.revokeObjectURL(testUrl);
    return snapshot !== null;
  },

  async runBlocks(blocks, interruptUrl, exercise) {
    const onBegin = (block: number): void => postEvent({ kind: "begin", block });
    const onPrint = (block: number, text: string): void => postEvent({ kind: "print", block, text });
    const run = (): PyProxy => runner.run_blocks(blocks, onBegin, onPrint, exercise) as PyProxy;
    const result = runInterruptibly(interruptUrl, run);
    return result && (toPlainObject(result) as RunResult);
  },

  async callWidget(name, parameters, interruptUrl) {
    const answer = runInterruptibly(interruptUrl, () => runner.call_widget(name, parameters) as PyProxy);
    return answer && (toPlainObject(answer) as WidgetAnswer<unknown>);
  },
};

/** Convert a Python dictionary to an object, and free it in Python. */
function toPlainObject(proxy: PyProxy): unknown {
  const result = replaceUndefined(proxy.toJs({ dict_converter: Object.fromEntries }));
  proxy.destroy();
  return result;
}

/** Replace undefined, Pyodide's conversion of None, by null, as in JSON. */
function replaceUndefined(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(replaceUndefined);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, value]) => [key, replaceUndefined(value)]));
}

expose(workerApi);
