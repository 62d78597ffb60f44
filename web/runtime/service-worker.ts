/**
 * Keeps the guide on the reader's device. A build of the site comes whole or not at all, and the
 * browser puts it in the place of an older one when no page of that is open any more: so pages of
 * two editions are never mixed, nor is a page with files of another.
 *
 * Whatever a server sends while it is being updated, only what has the hash of this build gets in.
 * Files are kept by address and hash: what two builds have alike is fetched once.
 */

import type { Kept, News, Wish } from "./messages.js";

type Known = [integrity: string, bytes: number];

/** Put before this script by weave: files by their address below the site's own, as all addresses here. A preview keeps none. */
declare const BUILD: { files: Record<string, Known>; python: Record<string, Known> };
declare const self: ServiceWorkerGlobalScope;

const { files, python } = BUILD;
const known: Record<string, Known> = { ...files, ...python };
const SITE = self.registration.scope;
const PREFIX = `guide ${SITE} `; // of Python's memory, too (snapshot.ts)
const FILES = `${PREFIX}files`;
/** What a server sends where no page is; not every server gives it when it is asked for. */
const LOST = "404.html";
const TEXT = Object.keys(files).filter((address) => address !== LOST);
const AT_ONCE = 4;
const REPORT_MS = 250;

let fetching: Kept["fetching"] = null;
let trouble: Kept["trouble"] = null;
let reported = 0;
let halt = new AbortController();
let queue: Promise<unknown> = Promise.resolve();

/** Where something lies below the site's own address. */
const addressOf = (url: string): string =>
  (url.slice(SITE.length).split(/[?#]/)[0] as string).replace(/(^|\/)index\.html$/, "$1");

/** By what a file of this build is kept. */
const keyOf = (address: string): string => `${SITE}${address}?${known[address]?.[0]}`;

const find = (address: string): Promise<Response | undefined> => caches.match(keyOf(address), { cacheName: FILES });

/** Whether a page that this build lacks asks: it came from the network, and so does all that it needs. */
const isForeign = ({ referrer }: Request): boolean => referrer.startsWith(SITE) && !known[addressOf(referrer)];

async function answer(request: Request): Promise<Response> {
  const address = addressOf(request.url);
  const isPage = request.mode === "navigate";
  if (isPage && known[`${address}/`]) {
    const { origin, pathname, search } = new URL(request.url);
    return Response.redirect(`${origin}${pathname}/${search}`);
  }
  const kept = await find(address);
  if (kept && (/(^|\/)$/.test(address) || !isForeign(request))) return kept;
  if (python[address] && !isForeign(request)) return fetched(address);
  try {
    return await fetch(new Request(request, { cache: "no-cache" }));
  } catch (error) {
    const lost = isPage && !kept && (await find(LOST));
    if (lost) return new Response(lost.body, { status: 404, headers: lost.headers });
    if (!kept) throw error;
    return kept;
  }
}

/** A file from the server, if it is of this build. */
async function fetched(address: string): Promise<Response> {
  const integrity = known[address]?.[0] as string;
  const ask = (cache: RequestCache): Promise<Response> => fetch(SITE + address, { cache, integrity });
  // What its hash proves right may be as old as it likes.
  const response = await ask("force-cache").catch(() => ask("no-cache"));
  // A new one, which has no address: that of whoever asks for it counts, with its query.
  const type = response.headers.get("Content-Type") ?? "application/octet-stream";
  return new Response(response.body, { headers: { "Content-Type": type } });
}

/** Keep files, one wish after the other, and tell pages how it goes. */
function keep(...wanted: string[][]): Promise<void> {
  const { signal } = halt;
  const attempt = queue.then(async () => {
    trouble = null;
    try {
      for (const addresses of wanted) await keepMissing(addresses, signal);
      await keepMissing([LOST], signal).catch(() => {});
    } catch (error) {
      const isFull = (error as Error).name === "QuotaExceededError";
      // A build that does not fit whole leaves its room to others.
      if (isFull && !self.registration.active) await caches.delete(FILES);
      if (!signal.aborted) trouble = isFull ? "no room" : "interrupted";
      throw error;
    } finally {
      fetching = null;
      await report();
    }
  });
  queue = attempt.catch(() => {});
  return attempt;
}

async function keepMissing(addresses: string[], signal: AbortSignal): Promise<void> {
  const there = await keptKeys();
  const missing = addresses.filter((address) => !there.has(keyOf(address)));
  const weight = (address: string): number => known[address]?.[1] ?? 0;
  const progress = { done: 0, of: missing.reduce((sum, address) => sum + weight(address), 0) };
  if (missing.length === 0) return;
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  if (progress.of > quota - usage) throw new DOMException("no room", "QuotaExceededError");
  fetching = progress;
  const cache = await caches.open(FILES);
  const waiting = missing.values();
  const work = async (): Promise<void> => {
    for (const address of waiting) {
      const response = await fetched(address);
      signal.throwIfAborted();
      await cache.put(keyOf(address), response);
      progress.done += weight(address);
      if (Date.now() - reported > REPORT_MS) void report();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function keptKeys(): Promise<Set<string>> {
  if (!(await caches.has(FILES))) return new Set();
  const keys = await (await caches.open(FILES)).keys();
  return new Set(keys.map(({ url }) => url));
}

async function report(): Promise<void> {
  reported = Date.now();
  const there = await keptKeys();
  const all = (addresses: string[]): boolean => addresses.every((address) => there.has(keyOf(address)));
  const pythonSize = Object.values(python).reduce((sum, [, bytes]) => sum + bytes, 0);
  await tell({ kept: { text: all(TEXT), python: all(Object.keys(python)), pythonSize, fetching, trouble } });
}

async function tell(news: News): Promise<void> {
  for (const client of await self.clients.matchAll({ includeUncontrolled: true, type: "window" })) {
    if (client.url.startsWith(SITE)) client.postMessage(news);
  }
}

async function fulfil(wish: Wish): Promise<void> {
  if (wish === "text") return keep(TEXT);
  if (wish === "python") return keep(Object.keys(python));
  if (wish === "everything") return keep(TEXT, Object.keys(python));
  halt.abort();
  halt = new AbortController();
  trouble = null;
  await remove();
  return report();
}

/** Delete what is of other editions. */
async function sweep(): Promise<void> {
  const keys = new Set(Object.keys(known).map(keyOf));
  const others = [...(await keptKeys())].filter((key) => !keys.has(key));
  // Asked last: what a newer worker puts by is not ours to delete.
  if (self.registration.installing || self.registration.waiting) return;
  const cache = await caches.open(FILES);
  await Promise.all(others.map((key) => cache.delete(key)));
}

/** Remove this worker and all that is kept at this address. */
async function remove(): Promise<void> {
  await self.registration.unregister();
  for (const cache of await caches.keys()) if (cache.startsWith(PREFIX)) await caches.delete(cache);
}

if (TEXT.length) {
  self.addEventListener("install", (event) => {
    const hadPython = keptKeys().then((keys) => [...keys].some((key) => key.includes(".wasm?")));
    event.waitUntil(hadPython.then((had) => keep(TEXT, had ? Object.keys(python) : [])));
  });
  self.addEventListener("activate", (event) => {
    event.waitUntil(report());
    sweep().catch(() => {}); // pages need not wait for that
  });
  self.addEventListener("message", (event) => {
    event.waitUntil(fulfil(event.data as Wish).catch(() => {}));
  });
  self.addEventListener("fetch", (event) => {
    const { method, url, headers } = event.request;
    if (method === "GET" && url.startsWith(SITE) && !headers.has("range")) event.respondWith(answer(event.request));
  });
} else {
  self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
  self.addEventListener("activate", (event) => event.waitUntil(remove().then(() => tell({ reload: true }))));
}
