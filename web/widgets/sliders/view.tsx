/** One thing to slide and one to watch: what the browser can compute by itself. */

import type { ComponentType } from "preact";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Sliders, SlidersParameters } from "../types.js";
import { DotProduct } from "./dot_product.js";
import { Nudge } from "./numerical_slope.js";
import { Race } from "./optimizer_race.js";
import { Tug } from "./tug_of_war.js";

const SCENES: Record<SlidersParameters["scene"], ComponentType<Sliders>> = {
  race: Race,
  tug: Tug,
  "dot product": DotProduct,
  nudge: Nudge,
};

export default function SlidersWidget({ parameters, result }: WidgetProps<SlidersParameters, Sliders>) {
  const Scene = SCENES[parameters.scene];
  return <Scene {...result} />;
}
