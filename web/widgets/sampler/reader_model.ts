/** The model that the reader has trained, rebuilt from its saved weights. */

import { createZeroWeightGpt, type SavableTrainedModel } from "../../engine/training.js";
import { changeFromSetup } from "../../engine/training_change.js";
import { describeSetup } from "../../engine/training_setup.js";
import { formatNumber, groupThousands } from "../../parts/format.js";
import type { SampledModel } from "./models.js";

/** Return the model of a saved run; throw an Error if it has more or fewer weights than its set-up says. */
export function modelFromRun(run: SavableTrainedModel, vocabSize: number): SampledModel {
  const { setup, trainingNameCount, heldOutLoss, weights } = run;
  const { model: modelKind, namesToSee, seed } = setup;
  const gpt = modelKind === "counts" ? null : createZeroWeightGpt(setup, vocabSize, changeFromSetup(setup));
  const expectedCount = gpt?.parameterCount ?? vocabSize * vocabSize;
  if (weights.length !== expectedCount) throw new Error(`expected ${expectedCount} weights, got ${weights.length}`);
  gpt?.weights.set(weights);
  const row = (token: number): number[] => [...weights.subarray(token * vocabSize, (token + 1) * vocabSize)];
  const loss = heldOutLoss === null ? "" : `, held-out ${formatNumber(heldOutLoss, 3)}`;
  return {
    ...{ trainingNameCount, seed, label: `yours: ${describeSetup(setup)}, ${groupThousands(namesToSee)} names${loss}` },
    counts: gpt ? null : Array.from({ length: vocabSize }, (_, token) => row(token)),
    logits: (tokens) => [...(gpt?.logits(tokens) ?? [])],
  };
}
