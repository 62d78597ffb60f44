/** Creates Web Workers that the page's content security policy applies to. */

/** The site's folder of scripts; the site may lie in any folder. */
export const ASSETS_URL = new URL("./", import.meta.url);

/** For each worker's file, the blob URL of a script that imports it. */
const bootstrapUrlsByFile = new Map<string, string>();

/**
 * Imports a worker's script, and keeps messages that arrive meanwhile. (Not a static import: Firefox refuses a service
 * worker's response to one if the URL has a query.)
 */
const BOOTSTRAP_SOURCE = `(async (url) => {
  const earlyMessages = [];
  const collect = (event) => earlyMessages.push(event);
  addEventListener("message", collect);
  await import(url).catch((error) => setTimeout(() => { throw error; })); // so that the page gets an error event
  removeEventListener("message", collect);
  for (const { data, ports } of earlyMessages) dispatchEvent(new MessageEvent("message", { data, ports }));
})`;

/**
 * Create a worker from a file in the folder of scripts. It starts from a blob of the page, because a worker that starts
 * from a URL has the policy of that URL, which on most hosts is none: a reader's code could send data elsewhere.
 */
export function createWorkerFromBlob(file: string): Worker {
  const script = `${BOOTSTRAP_SOURCE}(${JSON.stringify(new URL(file, ASSETS_URL).href)})`;
  const bootstrapUrl =
    bootstrapUrlsByFile.get(file) ?? URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  bootstrapUrlsByFile.set(file, bootstrapUrl);
  return new Worker(bootstrapUrl, { type: "module", name: file.replace(/-.*/, "") });
}
