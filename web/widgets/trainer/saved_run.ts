/** The last run that the reader completed, saved in the browser so that other pages can sample from its model. */

import type { SavableTrainedModel } from "../../engine/training.js";
import { ladderSetup, setupFromShortKeys, setupToShortKeys } from "../../engine/training_setup.js";
import { loadItem, saveItem } from "../../runtime/storage.js";

const STORAGE_KEY = "guide:run";
const DEFAULT_SETUP = ladderSetup("four", 1000);

/** Save a completed run, if the browser has storage and room in it. */
export function saveRun({ setup, trainingNameCount, heldOutLoss, weights }: SavableTrainedModel): void {
  const bytes = Array.from(new Uint8Array(weights.buffer), (byte) => String.fromCharCode(byte));
  // The keys are those of the runs that readers have saved.
  const stored = { setup: setupToShortKeys(setup), learnt: trainingNameCount, heldOut: heldOutLoss };
  saveItem(STORAGE_KEY, JSON.stringify({ ...stored, numbers: btoa(bytes.join("")) }));
}

/** Return the saved run, or null if there is none or the stored text is not a run. */
export function loadSavedRun(): SavableTrainedModel | null {
  const text = loadItem(STORAGE_KEY);
  if (text === null) return null;
  try {
    const { setup: fields, learnt: trainingNameCount, heldOut: heldOutLoss, numbers: base64 } = JSON.parse(text);
    const setup = setupFromShortKeys(fields, DEFAULT_SETUP);
    const weights = new Float64Array(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)).buffer);
    const isValid =
      Number.isInteger(trainingNameCount) &&
      (heldOutLoss === null || Number.isFinite(heldOutLoss)) &&
      weights.every(Number.isFinite);
    return setup && isValid ? { setup, trainingNameCount, heldOutLoss, weights } : null;
  } catch {
    return null;
  }
}
