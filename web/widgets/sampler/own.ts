/** The reader's own run as a model to ask: the engine that trained it, with the same numbers. */

import { type CompletedRun, gptFromSetup } from "../../engine/training.js";
import { changeFromSetup } from "../../engine/training_change.js";
import { describeSetup } from "../../engine/training_setup.js";
import { formatNumber, groupThousands } from "../../parts/format.js";
import type { Asked } from "./asked.js";

/** Throws if its numbers are not as many as its model has. */
export function ownModel({ setup, learnt, heldOut, numbers }: CompletedRun, vocab: number): Asked {
  const { model, seen, seed } = setup;
  const engine = model === "counts" ? null : gptFromSetup(setup, vocab, changeFromSetup(setup));
  if (numbers.length !== (engine?.parameterCount ?? vocab * vocab))
    throw new Error("these are the numbers of another model");
  engine?.weights.set(numbers);
  const row = (token: number): number[] => [...numbers.subarray(token * vocab, (token + 1) * vocab)];
  const loss = heldOut === null ? "" : `, held-out ${formatNumber(heldOut, 3)}`;
  return {
    ...{ learnt, seed, called: `yours: ${describeSetup(setup)}, ${groupThousands(seen)} names${loss}` },
    counts: engine ? null : Array.from({ length: vocab }, (_, token) => row(token)),
    says: (tokens) => [...(engine?.logits(tokens) ?? [])],
  };
}
