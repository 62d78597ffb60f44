/** One thing to slide and one to watch: what the browser can compute by itself. */

import type { Given } from "../../runtime/widget.js";
import type { Sliders, SlidersParameters } from "../types.js";
import { Coin } from "./coin.js";
import { MixingDesk } from "./desk.js";
import { Race } from "./race.js";
import { Rate } from "./rate.js";
import { Temperature } from "./temperature.js";

export default function SlidersWidget({ parameters, result }: Given<SlidersParameters, Sliders>) {
  const { tokens, desk, logits } = result;
  if (desk !== null) return <MixingDesk desk={desk} />;
  if (logits !== null) return <Temperature logits={logits} tokens={tokens} />;
  if (parameters.scene === "race") return <Race />;
  return parameters.scene === "coin" ? <Coin /> : <Rate />;
}
