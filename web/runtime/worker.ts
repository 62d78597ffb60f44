/** The page's one worker: runs Python, so that the page itself never waits. */

import { expose } from "comlink";
import type { PyodideAPI, PyodideConfig } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import type { Answer, Outcome, PythonWorker, Report } from "./messages.js";
import { keepSnapshot, keptSnapshot } from "./snapshot.js";

/** Given by the build: where Pyodide lies, and how many bytes its files have. */
declare const PYODIDE: { folder: string; sizes: Record<string, number>; lock: string };

let runner: { run: PyCallable; call: PyCallable };

// Not by a callback through Comlink: that has a channel of its own, and what a block
// prints could arrive after the word that it has finished.
const tell = (report: Report): void => self.postMessage(report);

/**
 * Let `fetch` count the bytes of the files that are loaded. The promise rejects when one
 * is missing or cut: Pyodide itself would wait for ever for some of them.
 */
function countBytes(): Promise<never> {
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
          tell({ report: "loading", share: loaded / total });
          controller.enqueue(chunk);
        },
        flush() {
          const size = PYODIDE.sizes[file ?? ""];
          if (size !== undefined && arrived !== size) fail("is not whole");
        },
      });
      const body = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(counting);
      // Some servers give WebAssembly no type, and browsers then refuse to compile it
      // while it arrives.
      const wasm = file?.endsWith(".wasm");
      const headers = wasm ? { "Content-Type": "application/wasm" } : response.headers;
      return new Response(body, { headers });
    };
  });
}

/** Start Python, from a snapshot of its memory if there is one: that is several times as fast. */
async function startPyodide(snapshot: Uint8Array | null): Promise<PyodideAPI> {
  const folder = new URL(`${PYODIDE.folder}/`, import.meta.url).href;
  const { loadPyodide } = (await import(`${folder}pyodide.mjs`)) as {
    loadPyodide: (config: PyodideConfig) => Promise<PyodideAPI>;
  };
  const memory = snapshot === null ? { _makeSnapshot: true } : { _loadSnapshot: snapshot };
  return loadPyodide({ indexURL: folder, lockFileContents: PYODIDE.lock, ...memory } as PyodideConfig);
}

/** Whether the page still keeps an address that it has made. */
function keeps(address: string): boolean {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  try {
    request.send();
    return true;
  } catch {
    return false;
  }
}

const SIGINT = 2;
/** The address that the page drops to stop what runs; empty when nothing may be stopped. */
let pass = "";
let looked = 0;

/**
 * Where Python looks for signals, every few steps. Memory that the page could write into takes
 * headers that few hosts send. So this looks, ten times a second, whether the page still has the
 * address. (The end of a worker would not stop Python in WebKit.)
 */
const signals = {
  get 0(): number {
    if (pass === "" || performance.now() - looked < 100) return 0;
    looked = performance.now();
    if (keeps(pass)) return 0;
    pass = ""; // once: what cleans up after it runs to its end
    return SIGINT;
  },
  set 0(_: number) {},
};

/** Do something that the page can stop; null if it was stopped where nothing caught that. */
function stoppable<Result>(address: string, act: () => Result): Result | null {
  [pass, looked] = [address, performance.now()];
  try {
    return act();
  } catch (error) {
    if ((error as { type?: string }).type !== "KeyboardInterrupt") throw error;
    return null;
  } finally {
    pass = "";
  }
}

const worker: PythonWorker = {
  async load(packages, life, keep) {
    navigator.locks?.request(life, () => new Promise(() => {})).catch(() => {});
    const { fetch } = self;
    const broken = countBytes();
    const name = `${packages}&${PYODIDE.folder}`;
    const snapshot = await keptSnapshot(name);
    const archived = self.fetch(packages).then((response) => response.arrayBuffer());
    const parts = Promise.all([startPyodide(snapshot), archived]);
    const [pyodide, archive] = await Promise.race([parts, broken]);
    self.fetch = fetch; // what a reader's code fetches is not Python
    // A worker of this one could begin at an address, and have no policy (see new-worker.ts).
    Reflect.deleteProperty(self, "Worker");
    pyodide.unpackArchive(archive, "zip", { extractDir: "/guide" });
    if (snapshot === null) {
      pyodide.runPython("import sys; sys.path.insert(0, '/guide'); import microgpt, snippets.ready, runtime.runner");
      if (keep) keepSnapshot(name, pyodide.makeMemorySnapshot()).catch(console.warn);
    }
    pyodide.runPython("import random; random.seed()"); // or each start would draw the same
    runner = pyodide.pyimport("runtime.runner") as unknown as typeof runner;
    // Not where a host's own policy forbids the question: all would seem to be dropped.
    const own = URL.createObjectURL(new Blob([" "]));
    if (keeps(own)) pyodide.setInterruptBuffer(signals as unknown as Uint8Array);
    URL.revokeObjectURL(own);
    return snapshot !== null;
  },

  async run(blocks, address, exercise) {
    const begin = (block: number): void => tell({ report: "begin", block });
    const print = (block: number, text: string): void => tell({ report: "print", block, text });
    const outcome = stoppable(address, () => runner.run(blocks, begin, print, exercise) as PyProxy);
    return outcome && (converted(outcome) as Outcome);
  },

  async call(name, parameters, address) {
    const answer = stoppable(address, () => runner.call(name, parameters) as PyProxy);
    return answer && (converted(answer) as Answer<unknown>);
  },
};

/** A Python dictionary as an object; nothing of it stays in Python. */
function converted(proxy: PyProxy): unknown {
  const result = withNull(proxy.toJs({ dict_converter: Object.fromEntries }));
  proxy.destroy();
  return result;
}

/** Python's None arrives as undefined; the pages know it as null, as in JSON. */
function withNull(thing: unknown): unknown {
  if (thing === undefined) return null;
  if (Array.isArray(thing)) return thing.map(withNull);
  if (typeof thing !== "object" || thing === null) return thing;
  return Object.fromEntries(Object.entries(thing).map(([key, value]) => [key, withNull(value)]));
}

expose(worker);
