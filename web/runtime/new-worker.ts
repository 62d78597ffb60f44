/** Workers of a page: each begins as a part of the page, and has its policy. */

/** Of this page's own folder of scripts; the site may lie in any folder. */
export const ASSETS = new URL("./", import.meta.url);

/** The address of a script that imports a worker's, made when it is first needed. */
const starts = new Map<string, string>();

/**
 * Not by a static import: what a service worker answers to that, Firefox refuses where the address
 * has a query. What the page says meanwhile waits.
 */
const BEGIN = `(async (address) => {
  const held = [];
  const hold = (event) => held.push(event);
  addEventListener("message", hold);
  await import(address).catch((error) => setTimeout(() => { throw error; })); // so that the page hears of it
  removeEventListener("message", hold);
  for (const { data, ports } of held) dispatchEvent(new MessageEvent("message", { data, ports }));
})`;

/**
 * A worker that begins at an address has the policy of that address, which on most hosts is
 * none. One that begins as a blob of the page has the page's, so that what a reader runs can
 * send nothing elsewhere.
 */
export function newWorker(name: string): Worker {
  const script = `${BEGIN}(${JSON.stringify(new URL(name, ASSETS).href)})`;
  const start = starts.get(name) ?? URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  starts.set(name, start);
  return new Worker(start, { type: "module", name: name.replace(/-.*/, "") });
}
