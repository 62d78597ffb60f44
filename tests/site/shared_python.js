/**
 * Python for all pages of a browser: the site's own worker, started once and shared.
 *
 * A page starts Python anew, as readers do, only where a test is about that. This script
 * is both sides of it. In a page it takes the place of `Worker` for the site's worker;
 * as a SharedWorker it hands each page's messages to that worker's script, and back.
 * SHARED_PYTHON, this script's address, ends with the name of the worker's.
 */

if ("onconnect" in self) {
  let page; // whose question is being answered
  let load; // settled when Python has been loaded for the first page that asked
  let loaded;
  const answers = new Map();
  self.postMessage = (message, transfer) => {
    if (message.id === load) loaded();
    const asker = answers.get(message.id) ?? page;
    answers.delete(message.id);
    asker.postMessage(message, transfer ?? []);
  };
  const program = import(`./${location.search.slice(1)}`);
  let first;
  self.onconnect = async ({ ports: [port] }) => {
    await program;
    port.onmessage = async ({ data }) => {
      if (data.path?.[0] === "load") {
        if (first) {
          const life = data.argumentList[1].value;
          navigator.locks.request(life, () => new Promise(() => {}));
          await first;
          port.postMessage({ id: data.id, type: "RAW" });
          return;
        }
        load = data.id;
        first = new Promise((resolve) => (loaded = resolve));
      }
      page = port;
      answers.set(data.id, port);
      self.dispatchEvent(new MessageEvent("message", { data }));
    };
  };
} else {
  const Own = Worker;
  window.Worker = class extends EventTarget {
    constructor(url, options) {
      if (options?.name !== "worker") return new Own(url, options); // what trains needs no Python
      super();
      this.waiting = new Set();
      this.generation = Number(localStorage.getItem("python"));
      const name = `${this.generation}`;
      const shared = new SharedWorker(SHARED_PYTHON, { type: "module", name });
      shared.onerror = (event) => this.dispatchEvent(new ErrorEvent("error", event));
      this.port = shared.port;
      this.port.onmessage = ({ data }) => {
        this.waiting.delete(data.id);
        this.dispatchEvent(new MessageEvent("message", { data }));
      };
      // Nobody waits for the rest: the next page starts Python anew.
      addEventListener("pagehide", () => this.waiting.size && this.terminate());
    }
    postMessage(message, transfer) {
      // For tests of what needs no Python: where it has run before, it starts by itself.
      if (message.path?.[0] !== "load") window.pythonAsked = true;
      this.waiting.add(message.id);
      this.port.postMessage(message, transfer ?? []);
    }
    terminate() {
      this.port.close();
      if (Number(localStorage.getItem("python")) === this.generation)
        localStorage.setItem("python", this.generation + 1);
    }
  };
}
