/**
 * The service worker: saves the guide on the reader's device. An edition (a build of the site) is saved whole or not at
 * all, and the browser activates it when no page of an older one is open any more: pages of two editions are never
 * mixed, nor is a page with files of another edition.
 *
 * A file is saved only if it has the hash of this build, whatever a server sends while it is being updated. The cache's
 * keys are path and hash, so a file that two editions share is downloaded once.
 */

import type { OfflineRequest, OfflineStatus, OfflineStatusOrReload } from "./worker-protocol.js";

type FileHashAndSize = [integrity: string, bytes: number];

/**
 * The build's files by path; weave writes it in front of this script. All paths here are below the site's root. In a
 * preview there are no files.
 */
declare const BUILD: { files: Record<string, FileHashAndSize>; python: Record<string, FileHashAndSize> };
declare const self: ServiceWorkerGlobalScope;

const { files, python: pythonFiles } = BUILD;
const allFiles: Record<string, FileHashAndSize> = { ...files, ...pythonFiles };
const SITE_URL = self.registration.scope;
const CACHE_PREFIX = `guide ${SITE_URL} `; // python-snapshot.ts uses it, too
const FILE_CACHE_NAME = `${CACHE_PREFIX}files`;
/** The page for missing addresses; not every server sends it when it is requested. */
const NOT_FOUND_PAGE = "404.html";
/** All paths of "text": without Python, and without the page above. */
const PATHS_WITHOUT_PYTHON = Object.keys(files).filter((path) => path !== NOT_FOUND_PAGE);
const MAX_PARALLEL_DOWNLOADS = 4;
const REPORT_INTERVAL_MS = 250;

let downloadProgress: OfflineStatus["fetching"] = null;
let problem: OfflineStatus["trouble"] = null;
let lastReportTime = 0;
let downloadController = new AbortController();
let lastSave: Promise<unknown> = Promise.resolve();

/** Return the path of a URL below the site's root, without query and hash. */
const pathBelowSite = (url: string): string =>
  (url.slice(SITE_URL.length).split(/[?#]/)[0] as string).replace(/(^|\/)index\.html$/, "$1");

/** Return the cache's key of a file of this build. */
const cacheKey = (path: string): string => `${SITE_URL}${path}?${allFiles[path]?.[0]}`;

const findCached = (path: string): Promise<Response | undefined> =>
  caches.match(cacheKey(path), { cacheName: FILE_CACHE_NAME });

/** Return whether a page that this build lacks makes a request: like the page, its files must come from the network. */
const isFromOtherEdition = ({ referrer }: Request): boolean =>
  referrer.startsWith(SITE_URL) && !allFiles[pathBelowSite(referrer)];

/** Answer a request from the cache, else from the network. */
async function respond(request: Request): Promise<Response> {
  const path = pathBelowSite(request.url);
  const isPage = request.mode === "navigate";
  if (isPage && allFiles[`${path}/`]) {
    const { origin, pathname, search } = new URL(request.url);
    return Response.redirect(`${origin}${pathname}/${search}`);
  }
  const cached = await findCached(path);
  if (cached && (/(^|\/)$/.test(path) || !isFromOtherEdition(request))) return cached;
  if (pythonFiles[path] && !isFromOtherEdition(request)) return fetchVerified(path);
  try {
    return await fetch(new Request(request, { cache: "no-cache" }));
  } catch (error) {
    const notFound = isPage && !cached && (await findCached(NOT_FOUND_PAGE));
    if (notFound) return new Response(notFound.body, { status: 404, headers: notFound.headers });
    if (!cached) throw error;
    return cached;
  }
}

/** Fetch a file of this build; rejects if its content has another hash. */
async function fetchVerified(path: string): Promise<Response> {
  const integrity = allFiles[path]?.[0] as string;
  const fetchWith = (cache: RequestCache): Promise<Response> => fetch(SITE_URL + path, { cache, integrity });
  // The browser's own cache may be as old as it likes, because the hash is checked.
  const response = await fetchWith("force-cache").catch(() => fetchWith("no-cache"));
  // A new response has no URL, so that of the request, with its query, counts.
  const type = response.headers.get("Content-Type") ?? "application/octet-stream";
  return new Response(response.body, { headers: { "Content-Type": type } });
}

/** Save groups of files in order, after all earlier requests, and report the progress to pages. */
function saveFiles(...pathGroups: string[][]): Promise<void> {
  const { signal } = downloadController;
  const attempt = lastSave.then(async () => {
    problem = null;
    try {
      for (const paths of pathGroups) await saveMissing(paths, signal);
      await saveMissing([NOT_FOUND_PAGE], signal).catch(() => {});
    } catch (error) {
      const isFull = (error as Error).name === "QuotaExceededError";
      // An edition that doesn't fit as a whole leaves the room to other sites.
      if (isFull && !self.registration.active) await caches.delete(FILE_CACHE_NAME);
      if (!signal.aborted) problem = isFull ? "no room" : "interrupted";
      throw error;
    } finally {
      downloadProgress = null;
      await reportStatus();
    }
  });
  lastSave = attempt.catch(() => {});
  return attempt;
}

/**
 * Save the files that are not in the cache yet.
 *
 * @throws QuotaExceededError if they don't fit; another error if one cannot be fetched, or `signal` aborts
 */
async function saveMissing(paths: string[], signal: AbortSignal): Promise<void> {
  const keys = await cachedKeys();
  const missing = paths.filter((path) => !keys.has(cacheKey(path)));
  const byteCount = (path: string): number => allFiles[path]?.[1] ?? 0;
  const progress = { done: 0, of: missing.reduce((sum, path) => sum + byteCount(path), 0) };
  if (missing.length === 0) return;
  const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  if (progress.of > quota - usage) throw new DOMException("no room", "QuotaExceededError");
  downloadProgress = progress;
  const cache = await caches.open(FILE_CACHE_NAME);
  const remaining = missing.values();
  const downloadRemaining = async (): Promise<void> => {
    for (const path of remaining) {
      const response = await fetchVerified(path);
      signal.throwIfAborted();
      await cache.put(cacheKey(path), response);
      progress.done += byteCount(path);
      if (Date.now() - lastReportTime > REPORT_INTERVAL_MS) void reportStatus();
    }
  };
  await Promise.all(Array.from({ length: MAX_PARALLEL_DOWNLOADS }, downloadRemaining));
}

/** Return the keys of all saved files, without creating a cache. */
async function cachedKeys(): Promise<Set<string>> {
  if (!(await caches.has(FILE_CACHE_NAME))) return new Set();
  const keys = await (await caches.open(FILE_CACHE_NAME)).keys();
  return new Set(keys.map(({ url }) => url));
}

/** Tell all pages of the guide what is saved. */
async function reportStatus(): Promise<void> {
  lastReportTime = Date.now();
  const keys = await cachedKeys();
  const hasAll = (paths: string[]): boolean => paths.every((path) => keys.has(cacheKey(path)));
  const kept: OfflineStatus = {
    text: hasAll(PATHS_WITHOUT_PYTHON),
    python: hasAll(Object.keys(pythonFiles)),
    pythonSize: Object.values(pythonFiles).reduce((sum, [, bytes]) => sum + bytes, 0),
    fetching: downloadProgress,
    trouble: problem,
  };
  await postToPages({ kept });
}

async function postToPages(message: OfflineStatusOrReload): Promise<void> {
  for (const client of await self.clients.matchAll({ includeUncontrolled: true, type: "window" })) {
    if (client.url.startsWith(SITE_URL)) client.postMessage(message);
  }
}

/** Save the part of the guide that a page requests, or delete all that is saved. */
async function handleOfflineRequest(request: OfflineRequest): Promise<void> {
  if (request === "text") return saveFiles(PATHS_WITHOUT_PYTHON);
  if (request === "python") return saveFiles(Object.keys(pythonFiles));
  if (request === "everything") return saveFiles(PATHS_WITHOUT_PYTHON, Object.keys(pythonFiles));
  downloadController.abort();
  downloadController = new AbortController();
  problem = null;
  await uninstall();
  return reportStatus();
}

/** Delete the files of other editions from the cache. */
async function deleteOtherEditions(): Promise<void> {
  const ownKeys = new Set(Object.keys(allFiles).map(cacheKey));
  const otherKeys = [...(await cachedKeys())].filter((key) => !ownKeys.has(key));
  // Checked last: a newer edition may be saving its files at this moment.
  if (self.registration.installing || self.registration.waiting) return;
  const cache = await caches.open(FILE_CACHE_NAME);
  await Promise.all(otherKeys.map((key) => cache.delete(key)));
}

/** Unregister this worker, and delete everything that the guide has cached. */
async function uninstall(): Promise<void> {
  await self.registration.unregister();
  for (const cache of await caches.keys()) if (cache.startsWith(CACHE_PREFIX)) await caches.delete(cache);
}

if (PATHS_WITHOUT_PYTHON.length) {
  self.addEventListener("install", (event) => {
    const hasPython = cachedKeys().then((keys) => [...keys].some((key) => key.includes(".wasm?")));
    event.waitUntil(hasPython.then((has) => saveFiles(PATHS_WITHOUT_PYTHON, has ? Object.keys(pythonFiles) : [])));
  });
  self.addEventListener("activate", (event) => {
    event.waitUntil(reportStatus());
    deleteOtherEditions().catch(() => {}); // pages don't wait for that
  });
  self.addEventListener("message", (event) => {
    event.waitUntil(handleOfflineRequest(event.data as OfflineRequest).catch(() => {}));
  });
  self.addEventListener("fetch", (event) => {
    const { method, url, headers } = event.request;
    if (method === "GET" && url.startsWith(SITE_URL) && !headers.has("range"))
      event.respondWith(respond(event.request));
  });
} else {
  self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
  self.addEventListener("activate", (event) => event.waitUntil(uninstall().then(() => postToPages({ reload: true }))));
}
