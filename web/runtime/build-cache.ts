/** The files of one build, as far as this device keeps them. Runs in the service worker. */

import type { Kept } from "./messages.js";

type Known = [hash: string, bytes: number];

export interface Manifest {
  edition: string;
  /** Pages, by their address below the site's own, as all addresses here. */
  pages: string[];
  /** Files that the build copied. */
  files: Record<string, Known>;
  /** Files that a builder may have added; pages name those that it did. */
  theme: Record<string, Known>;
  /** Pages that a builder may have made; others name those that it did. */
  labs: string[];
  /** Where builders put the index for the search. */
  search: string[];
  /** What the first Run loads: files with their version in their name or query. */
  python: Record<string, Known>;
}

/** The server gave something that does not belong to this build. */
class Foreign extends Error {}

/** What a server sends where no page is; not every server gives it when it is asked for. */
export const LOST = "404.html";

const HASH = "X-Guide-Hash";
/** What a page weighs, about; no list can tell before it is fetched. */
const PAGE = 60_000;
const AT_ONCE = 4;

export class BuildCache {
  readonly cache: string;
  private readonly known: Record<string, Known>;
  private fetching: Kept["fetching"] = null;

  constructor(
    readonly manifest: Manifest,
    private readonly site: string,
    private readonly prefix: string,
    /** Called when more has arrived. */
    private readonly progress: () => void,
  ) {
    this.cache = prefix + manifest.edition;
    this.known = { ...manifest.files, ...manifest.theme, ...manifest.python };
  }

  isPage(address: string): boolean {
    const { pages, labs } = this.manifest;
    return pages.includes(address) || labs.includes(address);
  }

  isPython(address: string): boolean {
    return Object.hasOwn(this.manifest.python, address);
  }

  has(address: string): boolean {
    return Object.hasOwn(this.known, address) || this.isPage(address) || this.manifest.search.includes(address);
  }

  find(address: string): Promise<Response | undefined> {
    return find(this.cache, this.site + address, this.known[address]?.[0]);
  }

  /** The answer of a server, if it is what belongs at an address. */
  async checked(address: string, response: Response, count = (_: number): void => {}): Promise<Response> {
    if (!response.ok || response.body === null) {
      throw new Foreign(`${address} gives ${response.status}`);
    }
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
        transform(chunk, controller) {
          count(chunk.byteLength);
          controller.enqueue(chunk);
        },
      }),
    );
    const body = await new Response(counted).arrayBuffer();
    const hash = await sha256(body);
    const expected = this.known[address]?.[0];
    if (expected === undefined ? !this.claims(address, body) : hash !== expected) {
      throw new Foreign(`${address} is of another build`);
    }
    const type = response.headers.get("Content-Type") ?? "application/octet-stream";
    return new Response(body, { headers: { "Content-Type": type, [HASH]: hash } });
  }

  /** Whether a file that the build made says that it is of this build. */
  private claims(address: string, body: ArrayBuffer): boolean {
    const text = new TextDecoder().decode(body);
    if (this.isPage(address) || address === LOST) {
      return text.includes(`<meta name="guide-edition" content="${this.manifest.edition}">`);
    }
    try {
      return Object.hasOwn(JSON.parse(text) as object, "config");
    } catch {
      return false;
    }
  }

  /** A file from the server, if it is of this build; a frugal one asks no server. */
  async fetched(address: string, frugal: boolean, count = (_: number): void => {}): Promise<Response> {
    // What its hash proves right may be as old as it likes.
    const hashed = Object.hasOwn(this.known, address);
    const ways: RequestCache[] = hashed ? ["force-cache", "no-cache"] : ["no-cache"];
    let reason: unknown;
    for (const cache of frugal ? (["only-if-cached"] as const) : ways) {
      try {
        const response = await fetch(this.site + address, { cache, mode: "same-origin" });
        return await this.checked(address, response, count);
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }

  /** The same file from the cache of another build. */
  private async reused(address: string): Promise<Response | undefined> {
    const hash = this.known[address]?.[0];
    if (hash === undefined) return undefined;
    for (const cache of await caches.keys()) {
      if (!cache.startsWith(this.prefix) || cache === this.cache) continue;
      const found = await find(cache, this.site + address, hash);
      if (found) return found;
    }
    return undefined;
  }

  /** Keep files that are not kept yet. A frugal build asks no server. */
  async keep(addresses: string[], frugal: boolean, signal: AbortSignal): Promise<void> {
    const cache = await caches.open(this.cache);
    const present = await this.present();
    const missing = addresses.filter((address) => !present.has(address));
    if (missing.length === 0) return;
    const weight = (address: string): number => this.known[address]?.[1] ?? PAGE;
    const of = missing.reduce((sum, address) => sum + weight(address), 0);
    const { quota = Infinity, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
    if (of > quota - usage) throw new DOMException("no room", "QuotaExceededError");
    const fetching = { done: 0, of };
    this.fetching = fetching;
    const waiting = missing.values();
    const work = async (): Promise<void> => {
      for (const address of waiting) {
        signal.throwIfAborted();
        let rest = weight(address);
        const count = (bytes: number): void => {
          const counted = Math.min(bytes, rest);
          rest -= counted;
          fetching.done += counted;
          this.progress();
        };
        try {
          const reused = await this.reused(address);
          const response = reused ?? (await this.fetched(address, frugal, count));
          signal.throwIfAborted();
          await cache.put(this.site + address, response);
        } catch (error) {
          if (!frugal || (error as Error).name === "QuotaExceededError") throw error;
        }
        count(rest);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
    } finally {
      this.fetching = null;
    }
  }

  /** Keep every page, and all that pages need but Python. */
  async keepText(frugal: boolean, signal: AbortSignal): Promise<void> {
    const { pages, files, search } = this.manifest;
    await this.keep([...pages, ...Object.keys(files)], frugal, signal);
    await this.keep(await this.named(), frugal, signal);
    await this.keep([LOST], frugal, signal).catch((error: unknown) => {
      if (!(error instanceof Foreign)) throw error;
    });
    const present = await this.present();
    if (search.some((address) => present.has(address))) return;
    let reason: unknown = null;
    for (const address of search) {
      try {
        return await this.keep([address], frugal, signal);
      } catch (error) {
        reason = error;
        if (!(error instanceof Foreign)) break;
      }
    }
    throw reason;
  }

  async keepPython(frugal: boolean, signal: AbortSignal): Promise<void> {
    await this.keep(Object.keys(this.manifest.python), frugal, signal);
  }

  /** Keep one file that a page has asked for, unless nothing is kept any more. */
  async add(address: string, response: Response): Promise<void> {
    if (!(await caches.has(this.cache))) return;
    await (await caches.open(this.cache)).put(this.site + address, response);
  }

  /** The files and labs of the builder that pages name. */
  private async named(): Promise<string[]> {
    const home = await (await this.find(""))?.text();
    const { theme, labs } = this.manifest;
    return [...Object.keys(theme), ...labs].filter((address) => home?.includes(address));
  }

  private async present(): Promise<Set<string>> {
    if (!(await caches.has(this.cache))) return new Set();
    const requests = await (await caches.open(this.cache)).keys();
    return new Set(requests.map(({ url }) => url.slice(this.site.length)));
  }

  /** Whether another build has kept Python on this device. */
  async earlierHasPython(): Promise<boolean> {
    for (const cache of await caches.keys()) {
      if (!cache.startsWith(this.prefix) || cache === this.cache) continue;
      const requests = await (await caches.open(cache)).keys();
      if (requests.some(({ url }) => url.endsWith(".wasm"))) return true;
    }
    return false;
  }

  async kept(): Promise<Omit<Kept, "trouble">> {
    const { pages, files, search, python } = this.manifest;
    const present = await this.present();
    const all = (addresses: string[]): boolean => addresses.every((a) => present.has(a));
    const text =
      all([...pages, ...Object.keys(files)]) &&
      all(await this.named()) &&
      search.some((address) => present.has(address));
    return {
      pages: pages.filter((address) => present.has(address)).length,
      of: pages.length,
      text,
      python: all(Object.keys(python)),
      pythonSize: Object.values(python).reduce((sum, [, bytes]) => sum + bytes, 0),
      fetching: this.fetching,
    };
  }
}

/** A file of a cache, if it still is what was put there. */
export async function find(cache: string, address: string, hash?: string): Promise<Response | undefined> {
  try {
    const found = await caches.match(address, { cacheName: cache });
    if (!found) return undefined;
    const body = await found.arrayBuffer();
    const actual = await sha256(body);
    if (actual !== found.headers.get(HASH)) await (await caches.open(cache)).delete(address);
    else if (actual === (hash ?? actual)) return new Response(body, { headers: found.headers });
  } catch {
    // A file that cannot be read is as good as none.
  }
  return undefined;
}

async function sha256(body: ArrayBuffer): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
