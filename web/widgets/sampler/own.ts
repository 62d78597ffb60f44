/** The reader's own run as a model to ask: the engine that trained it, with the same numbers. */

import { changeOf } from "../../engine/change.js";
import { nameOf } from "../../engine/setup.js";
import { type Completed, engineOf } from "../../engine/training.js";
import { formatNumber, groupThousands } from "../../parts/format.js";
import type { Asked } from "./asked.js";

/** Throws if its numbers are not as many as its model has. */
export function ownModel({ setup, learnt, heldOut, numbers }: Completed, vocab: number): Asked {
  const { model, seen, seed } = setup;
  const engine = model === "counts" ? null : engineOf(setup, vocab, changeOf(setup));
  if (numbers.length !== (engine?.count ?? vocab * vocab)) throw new Error("these are the numbers of another model");
  engine?.weights.set(numbers);
  const row = (token: number): number[] => [...numbers.subarray(token * vocab, (token + 1) * vocab)];
  const loss = heldOut === null ? "" : `, held-out ${formatNumber(heldOut, 3)}`;
  return {
    ...{ learnt, seed, called: `yours: ${nameOf(setup)}, ${groupThousands(seen)} names${loss}` },
    counts: engine ? null : Array.from({ length: vocab }, (_, token) => row(token)),
    says: (tokens) => [...(engine?.logits(tokens) ?? [])],
  };
}
