/** A snapshot of Python's memory after its start, saved on the reader's device: the next start is several times as fast. */

import { SITE_URL } from "./site-url.js";

/** A cache of its own; the service worker deletes it by the beginning of its name. */
const SNAPSHOT_CACHE_NAME = `guide ${SITE_URL.href} python`;

/** Return whether Python has started in this browser before. */
export async function hasSnapshot(): Promise<boolean> {
  return (await globalThis.caches?.has(SNAPSHOT_CACHE_NAME).catch(() => false)) ?? false;
}

/** Return the snapshot of this name; null if there is none or it cannot be read. */
export async function loadSnapshot(name: string): Promise<Uint8Array | null> {
  try {
    if (!(await hasSnapshot())) return null;
    const response = await (await caches.open(SNAPSHOT_CACHE_NAME)).match(name);
    return response ? new Uint8Array(await response.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** Save a snapshot, and delete any other. */
export async function saveSnapshot(name: string, memory: Uint8Array): Promise<void> {
  if (!("caches" in globalThis)) return; // this address is not secure
  await deleteSnapshot();
  await (await caches.open(SNAPSHOT_CACHE_NAME)).put(name, new Response(memory as Uint8Array<ArrayBuffer>));
}

/** Delete the snapshot, if there is one. */
export async function deleteSnapshot(): Promise<void> {
  await globalThis.caches?.delete(SNAPSHOT_CACHE_NAME);
}
