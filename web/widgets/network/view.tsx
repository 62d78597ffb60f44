/** The network of Step 1: a pair of a name flows through it; or one part of it alone. */

import type { Given } from "../../runtime/widget.js";
import type { NetworkParameters, Network as Result } from "../types.js";
import { DotProduct } from "./dot_product.js";
import { FlowOfAName } from "./flow.js";
import { Maps } from "./maps.js";
import { Nudge } from "./nudge.js";
import { Softmax } from "./softmax.js";

export default function NetworkWidget({ parameters, result }: Given<NetworkParameters, Result>) {
  const { only, w, x, logits } = parameters;
  if (only === "dot product") return <DotProduct given={result} first={{ w: w ?? [], x: x ?? [] }} />;
  if (only === "softmax") return <Softmax first={logits ?? []} />;
  if (only === "nudge") return <Nudge given={result} />;
  if (only === "parameters") return <Maps given={result} />;
  return <FlowOfAName given={result} />;
}
