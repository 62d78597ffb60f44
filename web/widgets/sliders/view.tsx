/** Small scenes with sliders, each of which the browser computes by itself. */

import type { ComponentType } from "preact";
import type { WidgetProps } from "../../runtime/widget.js";
import type { ShuffledNameCount, SlidersParameters } from "../types.js";
import { DotProduct } from "./dot_product.js";
import { NumericalSlope } from "./numerical_slope.js";
import { OptimizerRace } from "./optimizer_race.js";
import { TugOfWar } from "./tug_of_war.js";

const SCENE_COMPONENTS: Record<SlidersParameters["scene"], ComponentType<ShuffledNameCount>> = {
  race: OptimizerRace,
  tug: TugOfWar,
  "dot product": DotProduct,
  nudge: NumericalSlope,
};

type SlidersProps = WidgetProps<SlidersParameters, ShuffledNameCount>;

export default function SlidersWidget({ parameters, result }: SlidersProps) {
  const Scene = SCENE_COMPONENTS[parameters.scene];
  return <Scene {...result} />;
}
