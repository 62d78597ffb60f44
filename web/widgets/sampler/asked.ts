/** The models that can be asked: those of the page, and the one that the reader has trained. */

import { useEffect, useState } from "preact/hooks";
import { pairCountsOfFirst } from "../../engine/bigram_table.js";
import { gptFromMatrices } from "../../engine/gpt.js";
import { DEFAULT_SEED } from "../../engine/random.js";
import type { LogitsFunction } from "../../engine/sampling.js";
import type { Vector } from "../../engine/vectors.js";
import { ownRun } from "../trainer/own_run.js";
import type { SamplerModel } from "../types.js";

export interface Asked {
  /** Its name for who chooses. */
  called: string;
  /** How many names it has learnt from; its seed decides which. */
  learnt: number;
  seed: number;
  /** How often each token came after each; null for a model that does not count. */
  counts: number[][] | null;
  says: LogitsFunction;
}

/** What the models of a page are called. */
const CALLED: Record<string, string> = {
  counts: "a table",
  network: "a network",
  "one-end": "one head",
  "four-end": "four heads",
};

/** A model of the page. */
export function taught(name: string, { names_learnt: learnt, logits, matrices, heads }: SamplerModel): Asked {
  const gpt = matrices && gptFromMatrices(heads, matrices);
  return {
    ...{ called: CALLED[name] as string, learnt, seed: DEFAULT_SEED },
    counts: name === "counts" ? pairCountsOfFirst(learnt) : null,
    says: (tokens) => gpt?.logits(tokens) ?? (logits?.[tokens.at(-1) as number] as Vector),
  };
}

export function modelOf({ counts, says }: Asked, smoothing: number): LogitsFunction {
  const known = new Map<string, Vector>();
  return (tokens) => {
    const row = counts?.[tokens.at(-1) as number];
    if (row) return row.map((count) => Math.log(count + smoothing));
    const key = tokens.join();
    const said = known.get(key) ?? says(tokens);
    known.set(key, said);
    return said;
  };
}

/** The reader's own run; null if this browser has none that can be read, undefined until it has looked. */
export function useOwn(vocab: number): Asked | null | undefined {
  const [found, find] = useState<Asked | null>();
  useEffect(() => {
    const look = async (): Promise<Asked | null> => {
      const run = ownRun();
      // Only who has trained needs what trains.
      return run && (await import("./own.js")).ownModel(run, vocab);
    };
    look().then(find, () => find(null));
  }, []);
  return found;
}
