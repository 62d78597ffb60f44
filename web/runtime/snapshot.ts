/**
 * What Python's memory held when it had started, kept on the reader's device: from it the next
 * page starts Python several times as fast.
 */

import { SITE } from "./site.js";

/** A cache of its own, which the service worker removes with all that it keeps. */
const SNAPSHOT = `guide ${SITE.href} python`;

/** Whether Python has started here before, so that it may start before it is needed. */
export async function hasSnapshot(): Promise<boolean> {
  return (await globalThis.caches?.has(SNAPSHOT).catch(() => false)) ?? false;
}

/** The snapshot of this name; null if there is none, or nothing can be kept here. */
export async function keptSnapshot(name: string): Promise<Uint8Array | null> {
  try {
    if (!(await hasSnapshot())) return null;
    const found = await (await caches.open(SNAPSHOT)).match(name);
    return found ? new Uint8Array(await found.arrayBuffer()) : null;
  } catch {
    return null;
  }
}

/** Keep a snapshot in the place of any other. */
export async function keepSnapshot(name: string, memory: Uint8Array): Promise<void> {
  if (!("caches" in globalThis)) return; // this address is not secure
  await forgetSnapshot();
  await (await caches.open(SNAPSHOT)).put(name, new Response(memory as Uint8Array<ArrayBuffer>));
}

export async function forgetSnapshot(): Promise<void> {
  await globalThis.caches?.delete(SNAPSHOT);
}
