/** The page's one worker: runs Python, so that the page itself never waits. */

import { expose } from "comlink";
import type { PyodideAPI, PyodideConfig } from "pyodide";
import type { PyCallable, PyProxy } from "pyodide/ffi";
import type { Answer, Outcome, PythonWorker, Report } from "./messages.js";

/** Given by the build: where Pyodide lies, and how many bytes its files have. */
declare const PYODIDE: { folder: string; sizes: Record<string, number>; lock: string };

type Pyodide = PyodideAPI;
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
          tell({ report: "loading", loading: { loaded, total } });
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

async function startPyodide(): Promise<Pyodide> {
  const folder = new URL(`${PYODIDE.folder}/`, import.meta.url).href;
  const { loadPyodide } = (await import(`${folder}pyodide.mjs`)) as {
    loadPyodide: (config: PyodideConfig) => Promise<Pyodide>;
  };
  return loadPyodide({ indexURL: folder, lockFileContents: PYODIDE.lock });
}

async function fetchPackages(address: string): Promise<ArrayBuffer> {
  return (await fetch(address)).arrayBuffer();
}

const worker: PythonWorker = {
  async load(packages, life) {
    navigator.locks?.request(life, () => new Promise(() => {})).catch(() => {});
    const { fetch } = self;
    const broken = countBytes();
    const parts = Promise.all([startPyodide(), fetchPackages(packages)]);
    const [pyodide, archive] = await Promise.race([parts, broken]);
    self.fetch = fetch; // what a reader's code fetches is not Python
    // A worker of this one could begin at an address, and have no policy (see python.ts).
    Reflect.deleteProperty(self, "Worker");
    pyodide.unpackArchive(archive, "zip", { extractDir: "/guide" });
    pyodide.runPython("import sys; sys.path.insert(0, '/guide')");
    runner = pyodide.pyimport("runtime.runner") as unknown as typeof runner;
  },

  async run(blocks, exercise) {
    const begin = (block: number): void => tell({ report: "begin", block });
    const print = (block: number, text: string): void => tell({ report: "print", block, text });
    const outcome = runner.run(blocks, begin, print, exercise) as PyProxy;
    return converted(outcome) as Outcome;
  },

  async call(name, parameters) {
    const partly = (result: PyProxy): void => tell({ report: "result", result: plain(result) });
    return converted(runner.call(name, parameters, partly) as PyProxy) as Answer<unknown>;
  },
};

/** A Python dictionary as an object; nothing of it stays in Python. */
function converted(proxy: PyProxy): unknown {
  const result = plain(proxy);
  proxy.destroy();
  return result;
}

function plain(proxy: PyProxy): unknown {
  return withNull(proxy.toJs({ dict_converter: Object.fromEntries }));
}

/** Python's None arrives as undefined; the pages know it as null, as in JSON. */
function withNull(thing: unknown): unknown {
  if (thing === undefined) return null;
  if (Array.isArray(thing)) return thing.map(withNull);
  if (typeof thing !== "object" || thing === null) return thing;
  return Object.fromEntries(Object.entries(thing).map(([key, value]) => [key, withNull(value)]));
}

expose(worker);
