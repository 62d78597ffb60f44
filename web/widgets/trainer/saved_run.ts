/** The last run that the reader completed, saved in the browser so that other pages can sample from its model. */

import type { SavableTrainedModel } from "../../engine/training.js";
import { formatSetupForAddress, ladderSetup, parseSetupFromAddress } from "../../engine/training_setup.js";
import { loadItem, saveItem } from "../../runtime/storage.js";

const STORAGE_KEY = "guide:run";
const DEFAULT_SETUP = ladderSetup("four", 1000);

/** Save a completed run, if the browser has storage and room in it. */
export function saveRun({ numbers, ...details }: SavableTrainedModel): void {
  const bytes = Array.from(new Uint8Array(numbers.buffer), (byte) => String.fromCharCode(byte));
  saveItem(STORAGE_KEY, JSON.stringify({ ...details, numbers: btoa(bytes.join("")) }));
}

/** Return the saved run, or null if there is none or the stored text is not a run. */
export function loadSavedRun(): SavableTrainedModel | null {
  const text = loadItem(STORAGE_KEY);
  if (text === null) return null;
  try {
    const { setup: storedSetup, learnt, heldOut, numbers: base64 } = JSON.parse(text);
    const setup = parseSetupFromAddress(formatSetupForAddress(storedSetup, DEFAULT_SETUP), DEFAULT_SETUP);
    const numbers = new Float64Array(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)).buffer);
    const hasValidCounts = Number.isInteger(learnt) && (heldOut === null || Number.isFinite(heldOut));
    return setup && hasValidCounts && numbers.every(Number.isFinite) ? { setup, learnt, heldOut, numbers } : null;
  } catch {
    return null;
  }
}
