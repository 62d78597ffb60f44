/** The models to sample from: those of the page, and the one that the reader has trained. */

import { useEffect, useState } from "preact/hooks";
import { pairCountsAfterNames } from "../../engine/bigram_table.js";
import { gptFromMatrices } from "../../engine/gpt.js";
import { DEFAULT_SEED } from "../../engine/random.js";
import type { LogitsFunction } from "../../engine/sampling.js";
import type { Vector } from "../../engine/vectors.js";
import { loadSavedRun } from "../trainer/saved_run.js";
import type { SamplerModelData } from "../types.js";

/** A model that the reader can sample from. */
export interface SampledModel {
  /** What the reader chooses it by. */
  label: string;
  /** How many names it has learnt from; `seed` decides which. */
  trainingNameCount: number;
  seed: number;
  /** How often each token followed each; null for models that do not count. */
  counts: number[][] | null;
  /** Unused by a model that counts. */
  logits: LogitsFunction;
}

const MODEL_LABELS: Record<string, string> = {
  counts: "a table",
  network: "a network",
  "one-end": "one head",
  "four-end": "four heads",
  "sentences-one-30k": "a head that has read sentences",
};

/** Return a model that the page has brought. */
export function modelFromPage(name: string, { logits, matrices, heads, ...data }: SamplerModelData): SampledModel {
  const gpt = matrices && gptFromMatrices(heads, matrices);
  return {
    ...{ label: MODEL_LABELS[name] as string, trainingNameCount: data.training_name_count, seed: DEFAULT_SEED },
    counts: name === "counts" ? pairCountsAfterNames(data.training_name_count) : null,
    logits: (tokens) => gpt?.logits(tokens) ?? (logits?.[tokens.at(-1) as number] as Vector),
  };
}

/** Return a function that computes logits and caches them; the counts of a table are smoothed. */
export function createLogitsFunction({ counts, logits }: SampledModel, smoothing: number): LogitsFunction {
  const cache = new Map<string, Vector>();
  return (tokens) => {
    const row = counts?.[tokens.at(-1) as number];
    if (row) return row.map((count) => Math.log(count + smoothing));
    const key = tokens.join();
    const computed = cache.get(key) ?? logits(tokens);
    cache.set(key, computed);
    return computed;
  };
}

/**
 * Return the model that the reader has trained: null if none is saved or readable, undefined while it loads. Those of
 * readers have learnt names, so a sampler of sentences passes null.
 */
export function useReaderModel(vocabSize: number | null): SampledModel | null | undefined {
  const [model, setModel] = useState<SampledModel | null>();
  useEffect(() => {
    const load = async (): Promise<SampledModel | null> => {
      const run = vocabSize === null ? null : loadSavedRun();
      // The engine is only loaded if there is a run.
      return run && (await import("./reader_model.js")).modelFromRun(run, vocabSize as number);
    };
    load().then(setModel, () => setModel(null));
  }, []);
  return model;
}
