/** Keeps readers' changes on their own device, as long as the code they changed stays. */

interface Change {
  original: string;
  text: string;
}

const key = (id: string): string => `guide:${location.pathname}#${id}`;

/** Keep a change; false if this browser has no room or no storage. */
export function keep(id: string, original: string, text: string): boolean {
  try {
    localStorage.setItem(key(id), JSON.stringify({ original, text } satisfies Change));
    return true;
  } catch {
    return false;
  }
}

/** The change kept for a block, unless the block is another by now. */
export function kept(id: string, original: string): string | null {
  try {
    const change = JSON.parse(localStorage.getItem(key(id)) ?? "null") as Change | null;
    return change?.original === original ? change.text : null;
  } catch {
    return null;
  }
}

/** Forget the change of a block. */
export function forget(id: string): void {
  try {
    localStorage.removeItem(key(id));
  } catch {
    // Without storage nothing was kept.
  }
}
