/** One thing to slide and one to watch: what the browser can compute by itself. */

import type { ComponentType } from "preact";
import type { Given } from "../../runtime/widget.js";
import type { Sliders, SlidersParameters } from "../types.js";
import { MixingDesk } from "./desk.js";
import { DotProduct } from "./dot_product.js";
import { Embeddings } from "./embeddings.js";
import { Fog } from "./fog.js";
import { Nudge } from "./nudge.js";
import { Paths } from "./paths.js";
import { Race } from "./race.js";
import { Rate } from "./rate.js";
import { Slopes } from "./slopes.js";
import { Softmax } from "./softmax.js";
import { Tug } from "./tug.js";

const SCENES: Record<SlidersParameters["scene"], ComponentType<Sliders>> = {
  rate: Rate,
  fog: Fog,
  slopes: Slopes,
  paths: Paths,
  race: Race,
  desk: MixingDesk,
  tug: Tug,
  "dot product": DotProduct,
  softmax: Softmax,
  embeddings: Embeddings,
  nudge: Nudge,
};

export default function SlidersWidget({ parameters, result }: Given<SlidersParameters, Sliders>) {
  const Scene = SCENES[parameters.scene];
  return <Scene {...result} />;
}
