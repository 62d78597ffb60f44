/** Shortcuts of a single key, which speech and slips can press: a reader can turn them off. */

import { keep, kept } from "./storage.js";

const KEY = "guide:keys";
const OFF = "off";
let off = kept(KEY) === OFF;

export const SINGLE_KEYS = {
  get on(): boolean {
    return !off;
  },
  set on(on: boolean) {
    off = !on;
    keep(KEY, off ? OFF : null); // without storage the choice holds for this page
  },
};

/** Keep single keys from the theme while they are off, and let `?` show what keys do. */
export function singleKeys(showHelp: () => void): void {
  // The theme listens at the window, where events come last.
  document.addEventListener("keydown", (event) => {
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest("input, textarea, select, [contenteditable]")) return;
    if (off) event.stopPropagation();
    else if (event.key === "?") {
      event.preventDefault();
      showHelp();
    }
  });
}
