/**
 * Keeps the guide on the reader's device: each build in a cache of its own.
 *
 * Every page names the build of the site that it belongs to. A build comes with the hash of
 * each file except the search index, so nothing else gets in, whatever a server sends while
 * it is being updated. An open page gets all its files from the build that it came from, or
 * all from the network.
 */

import { BuildCache, find, LOST, type Manifest } from "./build-cache.js";
import { frugal } from "./frugal.js";
import type { Kept, News, Trouble, Wish } from "./messages.js";

/** Put before this script by weave; under `mkdocs serve` there is nothing to keep. */
declare const MANIFEST: Manifest | { edition: "" };
declare const self: ServiceWorkerGlobalScope;

const SITE = self.registration.scope;
const PREFIX = `guide ${SITE} `;
/** Remembers which build each open page came from. */
const ORIGINS = `${PREFIX}origins`;
/** Python's memory (snapshot.ts). */
const PYTHON = `${PREFIX}python`;
/** The origin of a page that no kept build has. */
const NETWORK = "network";
/** A page that is about to open is in no list of pages for a moment. */
const OPENING = 5_000; // milliseconds

function serve(manifest: Manifest): void {
  let reported = 0;
  const build = new BuildCache(manifest, SITE, PREFIX, () => {
    if (Date.now() - reported > 250) void report();
  });
  let trouble: Trouble | null = null;
  let showing = false;
  let halt = new AbortController();
  let queue: Promise<unknown> = Promise.resolve();
  const origins = new Map<string, string>();

  self.addEventListener("install", (event) => {
    event.waitUntil(
      attempt(async (signal) => {
        await build.keepText(frugal(), signal);
        if (await build.earlierHasPython()) await build.keepPython(frugal(), signal);
      }),
    );
  });

  self.addEventListener("activate", (event) => {
    event.waitUntil(sweep().then(() => (showing ? tell({ reload: true }) : report())));
  });

  self.addEventListener("message", (event) => {
    event.waitUntil(fulfil(event.data as Wish).catch(() => {}));
  });

  self.addEventListener("fetch", (event) => {
    const { method, url, mode, headers } = event.request;
    if (method !== "GET" || !url.startsWith(SITE) || headers.has("range")) return;
    const address = addressOf(url);
    event.respondWith(mode === "navigate" ? page(event, address) : file(event, address));
  });

  /** Where something lies below the site's own address. */
  function addressOf(url: string): string {
    const [whole = ""] = url.slice(SITE.length).split("#");
    if (build.has(whole)) return whole;
    return (whole.split("?")[0] as string).replace(/(^|\/)index\.html$/, "$1");
  }

  async function page(event: FetchEvent, address: string): Promise<Response> {
    if (build.isPage(`${address}/`)) {
      const url = new URL(event.request.url);
      return Response.redirect(`${url.origin}${url.pathname}/${url.search}`);
    }
    if (build.isPage(address)) {
      const found = await build.find(address);
      if (found) {
        note(event, event.resultingClientId, build.cache);
        return found;
      }
    }
    let response: Response;
    try {
      response = await fetch(new Request(event.request, { cache: "no-cache" }));
    } catch (error) {
      const lost = build.isPage(address) ? undefined : await build.find(LOST);
      if (!lost) throw error;
      note(event, event.resultingClientId, build.cache);
      return new Response(lost.body, { status: 404, headers: lost.headers });
    }
    try {
      if (!build.isPage(address)) throw new Error("is no page of this edition");
      const checked = await build.checked(address, response.clone());
      event.waitUntil(build.add(address, checked.clone()).catch(() => {}));
      note(event, event.resultingClientId, build.cache);
      return checked;
    } catch {
      note(event, event.resultingClientId, NETWORK);
      return response;
    }
  }

  async function file(event: FetchEvent, address: string): Promise<Response> {
    // Python's worker begins within its page (python.ts), and first names its build.
    const named = new URL(event.request.url).searchParams.get("edition");
    if (named !== null) {
      const kept = await caches.has(PREFIX + named);
      note(event, event.clientId, kept ? PREFIX + named : NETWORK);
    }
    const origin = await originOf(event.clientId);
    // Any other asks in its own name, and belongs to its page's build.
    if (event.request.destination === "worker") note(event, event.resultingClientId, origin);
    if (origin === NETWORK) return fetch(new Request(event.request, { cache: "no-cache" }));
    if (origin !== build.cache) {
      const found = await find(origin, SITE + address);
      // By now the network has another edition: better no file than one of that.
      return found ?? Response.error();
    }
    if (!build.has(address)) return fetch(event.request);
    const found = await build.find(address);
    if (found) return found;
    if (build.isPython(address) && !address.includes("?")) {
      // Large, and of the right version by its name: it goes on while it arrives. Of a
      // query, as the archive of packages has one, servers take no notice.
      const response = await fetch(event.request);
      const copy = response.clone();
      event.waitUntil(
        build
          .checked(address, copy)
          .then((checked) => build.add(address, checked))
          .then(report)
          .catch(() => {}),
      );
      return response;
    }
    // A server that has another build by now gives an error, not another build's file.
    const fetched = await build.fetched(address, false);
    event.waitUntil(build.add(address, fetched.clone()).catch(() => {}));
    return fetched;
  }

  /** Remember where a page comes from, beyond this worker's short life. */
  function note(event: FetchEvent, id: string, origin: string): void {
    if (id === "") return;
    origins.set(id, origin);
    const keep = async (): Promise<void> => {
      if (!(await caches.has(build.cache))) return;
      const body = JSON.stringify({ origin, since: Date.now() });
      await (await caches.open(ORIGINS)).put(`${SITE}?${id}`, new Response(body));
    };
    event.waitUntil(keep().catch(() => {}));
  }

  async function originOf(id: string): Promise<string> {
    const known = origins.get(id);
    if (known !== undefined) return known;
    const noted = await caches.match(`${SITE}?${id}`, { cacheName: ORIGINS }).catch(() => null);
    const origin = noted ? ((await noted.json()) as { origin: string }).origin : build.cache;
    origins.set(id, origin);
    return origin;
  }

  async function fulfil(wish: Wish): Promise<void> {
    switch (wish.wish) {
      case "text": {
        await sweep();
        const loaded = wish.loaded
          .filter((url) => url.startsWith(SITE))
          .map(addressOf)
          .filter((address) => build.has(address));
        return attempt((signal) => (frugal() ? build.keep(loaded, true, signal) : build.keepText(false, signal)));
      }
      case "python":
        return attempt((signal) => build.keepPython(frugal(), signal));
      case "everything":
        return attempt(async (signal) => {
          await build.keepText(false, signal);
          await build.keepPython(false, signal);
        });
      case "nothing":
        halt.abort();
        halt = new AbortController();
        trouble = null;
        await remove();
        return report();
      case "show":
        showing = true;
        return self.skipWaiting();
    }
  }

  /** Keep files, one thing after the other, and tell pages how it goes. */
  function attempt(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = halt;
    const attempted = queue.then(async () => {
      trouble = null;
      try {
        await work(signal);
      } catch (error) {
        if (!signal.aborted) {
          trouble = troubleOf(error);
          // A build that does not fit whole leaves its room to others.
          if (trouble === "no room" && !(await build.kept()).text) {
            await caches.delete(build.cache);
          }
        }
        throw error;
      } finally {
        await report();
      }
    });
    queue = attempted.catch(() => {});
    return attempted;
  }

  async function report(): Promise<void> {
    reported = Date.now();
    let kept: Kept;
    try {
      kept = { ...(await build.kept()), trouble };
    } catch {
      const nothing = { pages: 0, of: 0, text: false, python: false, pythonSize: 0 };
      kept = { ...nothing, fetching: null, trouble: "no storage" };
    }
    await tell({ kept });
  }

  /** Delete what no open page needs: other editions, and notes on pages that closed. */
  async function sweep(): Promise<void> {
    const clients = await self.clients.matchAll({ includeUncontrolled: true, type: "all" });
    const needed = new Set([build.cache, ORIGINS, PYTHON]);
    if (await caches.has(ORIGINS)) {
      const notes = await caches.open(ORIGINS);
      for (const request of await notes.keys()) {
        const note = (await (await notes.match(request))?.json()) as { origin: string; since: number } | undefined;
        const open = clients.some(({ id }) => request.url === `${SITE}?${id}`);
        if (note && (open || Date.now() - note.since < OPENING)) needed.add(note.origin);
        else await notes.delete(request);
      }
    }
    const there = await caches.keys();
    // Asked last: what a newer worker has put by meanwhile is not ours to delete.
    const { installing, waiting } = self.registration;
    if (installing || waiting || self.serviceWorker.state === "redundant") return;
    for (const cache of there) {
      if (cache.startsWith(PREFIX) && !needed.has(cache)) await caches.delete(cache);
    }
  }
}

/** The worker of a preview: removes itself, and what was kept at this address. */
function stepAside(): void {
  self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
  self.addEventListener("activate", (event) => {
    event.waitUntil(remove().then(() => tell({ reload: true })));
  });
}

async function remove(): Promise<void> {
  await self.registration.unregister();
  for (const cache of await caches.keys()) {
    if (cache.startsWith(PREFIX)) await caches.delete(cache);
  }
}

async function tell(news: News): Promise<void> {
  const everyone = { includeUncontrolled: true, type: "window" } as const;
  for (const client of await self.clients.matchAll(everyone)) {
    if (client.url.startsWith(SITE)) client.postMessage(news);
  }
}

function troubleOf(error: unknown): Trouble {
  const { name } = error as Error;
  if (name === "QuotaExceededError") return "no room";
  if (name === "SecurityError" || name === "NotAllowedError") return "no storage";
  return "interrupted";
}

if (MANIFEST.edition === "") stepAside();
else serve(MANIFEST as Manifest);
