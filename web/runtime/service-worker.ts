/**
 * Keeps the guide on the reader's device. A build of the site comes whole or not at all, and the
 * browser puts it in the place of an older one when no page of that is open any more: so pages of
 * two editions are never mixed, nor is a page with files of another.
 *
 * A page says of which edition it is, and of all else the build comes with the hash; nothing else
 * gets in, whatever a server sends while it is being updated. Files are kept by address and hash:
 * what two builds have alike is fetched once.
 */

import type { Kept, News, Wish } from "./messages.js";

interface Build {
  edition: string;
  /** Pages, by their address below the site's own, as all addresses here. */
  pages: string[];
  /** Files that the build copied, with their hash and size. */
  files: Record<string, Known>;
  /** Files and pages that a builder may have added; the first page names those that it did. */
  theme: Record<string, Known>;
  labs: string[];
  /** What the first Run loads: files with their version in their name or query. */
  python: Record<string, Known>;
}
type Known = [integrity: string, bytes: number];

/** Put before this script by weave; under `mkdocs serve` there is nothing to keep. */
declare const BUILD: Build | { edition: "" };
declare const self: ServiceWorkerGlobalScope;

const SITE = self.registration.scope;
const PREFIX = `guide ${SITE} `;
const FILES = `${PREFIX}files`;
/** Python's memory (snapshot.ts). */
const PYTHON = `${PREFIX}python`;
/** What a server sends where no page is; not every server gives it when it is asked for. */
const LOST = "404.html";
/** Where MkDocs and Zensical put the index of the search. */
const SEARCH = ["search/search_index.json", "search.json"] as const;
/** What a page weighs, about; nobody can tell before it is fetched. */
const PAGE = 60_000; // bytes
const AT_ONCE = 4;

function serve({ edition, pages, files, theme, labs, python }: Build): void {
  const known = { ...files, ...theme, ...python };
  const own = new Set([...pages, ...labs, ...Object.keys(known), ...SEARCH]);
  let fetching: Kept["fetching"] = null;
  let trouble: Kept["trouble"] = null;
  let reported = 0;
  let showing = false;
  let halt = new AbortController();
  let queue: Promise<unknown> = Promise.resolve();

  self.addEventListener("install", (event) => {
    event.waitUntil(
      attempt(async (signal) => {
        const earlier = await keptKeys();
        await keepText(signal);
        if (earlier.some((key) => key.includes(".wasm?"))) await keepPython(signal);
      }),
    );
  });

  self.addEventListener("activate", (event) => {
    event.waitUntil(showing ? tell({ reload: true }) : report());
    sweep().catch(() => {}); // pages need not wait for that
  });

  self.addEventListener("message", (event) => {
    event.waitUntil(fulfil(event.data as Wish).catch(() => {}));
  });

  self.addEventListener("fetch", (event) => {
    const { method, url, mode, headers } = event.request;
    if (method !== "GET" || !url.startsWith(SITE) || headers.has("range")) return;
    event.respondWith(mode === "navigate" ? page(event.request) : file(event.request));
  });

  const isPage = (address: string): boolean => pages.includes(address) || labs.includes(address);

  /** Where something lies below the site's own address. */
  function addressOf(url: string): string {
    const [whole = ""] = url.slice(SITE.length).split("#");
    if (own.has(whole)) return whole;
    return (whole.split("?")[0] as string).replace(/(^|\/)index\.html$/, "$1");
  }

  /** Whether a page that this build lacks asks: it came from the network, and so does all that it needs. */
  const foreign = ({ referrer }: Request): boolean => referrer.startsWith(SITE) && !own.has(addressOf(referrer));

  /** What a reader goes to: a page, or a file by its own address. */
  async function page(request: Request): Promise<Response> {
    const address = addressOf(request.url);
    if (isPage(`${address}/`)) {
      const url = new URL(request.url);
      return Response.redirect(`${url.origin}${url.pathname}/${url.search}`);
    }
    const kept = await find(address);
    if (kept && (isPage(address) || !foreign(request))) return kept;
    try {
      return await fetch(new Request(request, { cache: "no-cache" }));
    } catch (error) {
      if (kept) return kept;
      const lost = await find(LOST);
      if (!lost) throw error;
      return new Response(lost.body, { status: 404, headers: lost.headers });
    }
  }

  async function file(request: Request): Promise<Response> {
    const address = addressOf(request.url);
    const kept = await find(address);
    if (kept && !foreign(request)) return kept;
    // Of a query, as the archive of Python packages has one, servers take no notice.
    if (address.includes("?")) return fetched(address);
    const versioned = Object.hasOwn(python, address);
    const fresh = fetch(versioned ? request : new Request(request, { cache: "no-cache" }));
    return fresh.catch((error) => kept ?? Promise.reject(error));
  }

  async function fulfil(wish: Wish): Promise<void> {
    switch (wish) {
      case "text":
        return attempt(keepText);
      case "python":
        return attempt(keepPython);
      case "everything":
        return attempt((signal) => keepText(signal).then(() => keepPython(signal)));
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
        if (!signal.aborted) trouble = (error as Error).name === "QuotaExceededError" ? "no room" : "interrupted";
        // A build that does not fit whole leaves its room to others.
        if (trouble === "no room" && !self.registration.active) await caches.delete(FILES);
        throw error;
      } finally {
        await report();
      }
    });
    queue = attempted.catch(() => {});
    return attempted;
  }

  /** Every page, and all that pages need but Python, as far as the first page is there to name it. */
  async function text(): Promise<string[]> {
    const home = (await (await find(""))?.text()) ?? "";
    const made = [...Object.keys(theme), ...labs].filter((address) => home.includes(address.replace("assets/", "")));
    return [...pages, ...Object.keys(files), ...made, home.includes("assets/search.js?") ? SEARCH[0] : SEARCH[1]];
  }

  /** Keep every page, and all that pages need but Python. */
  async function keepText(signal: AbortSignal): Promise<void> {
    await keep([""], signal);
    await keep(await text(), signal);
    await keep([LOST], signal).catch(() => {});
  }

  const keepPython = (signal: AbortSignal): Promise<void> => keep(Object.keys(python), signal);

  /** Keep files that are not kept yet. */
  async function keep(addresses: string[], signal: AbortSignal): Promise<void> {
    const there = new Set(await keptKeys());
    const missing = addresses.filter((address) => !there.has(keyOf(address)));
    if (missing.length === 0) return;
    const weight = (address: string): number => known[address]?.[1] ?? PAGE;
    const of = missing.reduce((sum, address) => sum + weight(address), 0);
    const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    if (of > quota - usage) throw new DOMException("no room", "QuotaExceededError");
    const cache = await caches.open(FILES);
    const progress = { done: 0, of };
    const waiting = missing.values();
    const work = async (): Promise<void> => {
      for (const address of waiting) {
        const response = await fetched(address);
        signal.throwIfAborted();
        await cache.put(keyOf(address), response);
        progress.done += weight(address);
        if (Date.now() - reported > 250) void report();
      }
    };
    fetching = progress;
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      fetching = null;
    }
  }

  /** A file from the server, if it is of this build. */
  async function fetched(address: string): Promise<Response> {
    const integrity = known[address]?.[0] ?? "";
    const ask = (cache: RequestCache): Promise<Response> => fetch(SITE + address, { cache, integrity });
    // What its hash proves right may be as old as it likes.
    const response = await (integrity ? ask("force-cache").catch(() => ask("no-cache")) : ask("no-cache"));
    if (!integrity) {
      const sign = address.endsWith(".json") ? '"config":' : `<meta name="guide-edition" content="${edition}">`;
      const right = response.ok && (await response.clone().text()).includes(sign);
      if (!right) throw new Error(`${address} is of another edition`);
    }
    // A new one, which has no address: that of whoever asks for it counts, with its query.
    const type = response.headers.get("Content-Type") ?? "application/octet-stream";
    return new Response(response.body, { headers: { "Content-Type": type } });
  }

  /** By what a file of this build is kept. */
  function keyOf(address: string): string {
    return `${SITE}${address}?${known[address]?.[0] ?? edition}`;
  }

  function find(address: string): Promise<Response | undefined> {
    return caches.match(keyOf(address), { cacheName: FILES });
  }

  async function report(): Promise<void> {
    reported = Date.now();
    const there = new Set(await keptKeys());
    const all = (addresses: string[]): boolean => addresses.every((address) => there.has(keyOf(address)));
    const pythonSize = Object.values(python).reduce((sum, [, bytes]) => sum + bytes, 0);
    await tell({ kept: { text: all(await text()), python: all(Object.keys(python)), pythonSize, fetching, trouble } });
  }

  /** Delete what is of other editions, and caches that earlier ones have named otherwise. */
  async function sweep(): Promise<void> {
    const keys = new Set([...own, LOST].map(keyOf));
    const others = (await keptKeys()).filter((key) => !keys.has(key));
    // Asked last: what a newer worker puts by is not ours to delete.
    if (self.registration.installing || self.registration.waiting) return;
    const cache = await caches.open(FILES);
    await Promise.all(others.map((key) => cache.delete(key)));
    await forget(FILES, PYTHON);
  }
}

async function keptKeys(): Promise<string[]> {
  if (!(await caches.has(FILES))) return [];
  return (await (await caches.open(FILES)).keys()).map(({ url }) => url);
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
  await forget();
}

/** Delete the caches of this site but some. */
async function forget(...but: string[]): Promise<void> {
  for (const cache of await caches.keys()) {
    if (cache.startsWith(PREFIX) && !but.includes(cache)) await caches.delete(cache);
  }
}

async function tell(news: News): Promise<void> {
  const everyone = { includeUncontrolled: true, type: "window" } as const;
  for (const client of await self.clients.matchAll(everyone)) {
    if (client.url.startsWith(SITE)) client.postMessage(news);
  }
}

if (BUILD.edition === "") stepAside();
else serve(BUILD as Build);
