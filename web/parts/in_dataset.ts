/** Whether the model could know a name. */

import type { GrowPlace } from "../widgets/types.js";

const SAYS: Record<GrowPlace["kind"], string> = {
  new: "It is not in the dataset.",
  trained: "It is in the dataset, and was trained on.",
  "held out": "It is in the dataset, but was not trained on.",
};

export const inDataset = ({ kind }: GrowPlace): string => SAYS[kind];
