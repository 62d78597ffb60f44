/** The run that a reader has completed last, kept in the browser so that other pages can ask its model. */

import type { CompletedRun } from "../../engine/training.js";
import { formatSetup, ladderSetup, parseSetup } from "../../engine/training_setup.js";
import { loadItem, saveItem } from "../../runtime/storage.js";

const KEY = "guide:run";
const USUAL = ladderSetup("four", 1000);

/** Without storage, or room in it, the run is on its own page alone. */
export function keepRun({ numbers, ...about }: CompletedRun): void {
  const bytes = Array.from(new Uint8Array(numbers.buffer), (byte) => String.fromCharCode(byte));
  saveItem(KEY, JSON.stringify({ ...about, numbers: btoa(bytes.join("")) }));
}

/** Return that run, or null if there is none; throws if what is kept is no run. */
export function ownRun(): CompletedRun | null {
  const text = loadItem(KEY);
  if (text === null) return null;
  const { setup: claimed, learnt, heldOut, numbers: packed } = JSON.parse(text);
  const setup = parseSetup(formatSetup(claimed, USUAL), USUAL);
  const numbers = new Float64Array(Uint8Array.from(atob(packed), (byte) => byte.charCodeAt(0)).buffer);
  const sound = Number.isInteger(learnt) && (heldOut === null || Number.isFinite(heldOut));
  if (setup === null || !sound || !numbers.every(Number.isFinite)) throw new Error("what is kept is no run");
  return { setup, learnt, heldOut, numbers };
}
