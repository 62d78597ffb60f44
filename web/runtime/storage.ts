/** What a page keeps on the reader's own device; nothing, where a browser has no storage for it. */

/** What was kept under a key. */
export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** The same, of something that was kept as JSON; null as well if it cannot be read. */
export function keptJson<T>(key: string): T | null {
  try {
    return JSON.parse(kept(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** All keys under which something is kept at this address, by whatever site. */
export function keptKeys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Keep something, or with null forget it; false if this browser has no room or no storage. */
export function keep(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
