/** The reader's own run, once this browser has looked for it. */

import { useEffect, useState } from "preact/hooks";
import { ownRun } from "../trainer/own_run.js";
import type { Asked } from "./chances.js";

export type Found = "looking" | "none" | "broken" | Asked;

export function useOwn(vocab: number): Found {
  const [found, find] = useState<Found>("looking");
  useEffect(() => {
    const look = async (): Promise<Found> => {
      const run = ownRun();
      // Only who has trained needs the engine.
      return run ? (await import("./own.js")).ownModel(run, vocab) : "none";
    };
    look().then(find, () => find("broken"));
  }, []);
  return found;
}
