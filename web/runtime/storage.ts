/** The browser's localStorage; where a browser forbids it, nothing is saved and nothing fails. */

/** Return the saved text of a key; null if there is none. */
export function loadItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Return the saved JSON of a key; null if there is none or it cannot be parsed. */
export function loadJson<T>(key: string): T | null {
  try {
    return JSON.parse(loadItem(key) ?? "null") as T | null;
  } catch {
    return null;
  }
}

/** Return all keys of this origin, also those of other sites there. */
export function allStorageKeys(): string[] {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** Save a text, or with null remove it; return false if this browser has no room or no storage. */
export function saveItem(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
