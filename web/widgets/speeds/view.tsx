/** The ladder of speeds: how long a step takes in each engine, as one size grows. */

import { extent } from "d3-array";
import { scaleLog } from "d3-scale";
import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { grouped, plural, significant } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Stops } from "../../parts/slider.js";
import type { Given } from "../../runtime/widget.js";
import type { Speeds, SpeedsParameters, SpeedsSetting } from "../types.js";

const SIZES = ["layers", "width", "context", "batch"] as const;

const milliseconds = (ms: number): string =>
  ms >= 1000 ? `${significant(ms / 1000, 3)} s` : `${significant(ms, 3)} ms`;
const times = (factor: number): string =>
  `${factor >= 100 ? grouped(Number(factor.toPrecision(3))) : factor === 1 ? "1" : significant(factor, 2)} ×`;

const percent = (share: number): string => `${Math.round(1000 * share) / 10}%`;

export default function SpeedsWidget({ result }: Given<SpeedsParameters, Speeds>) {
  const { settings, machine } = result;
  const [grown, setGrown] = useState<(typeof SIZES)[number]>("layers");
  const [size, setSize] = useState<number | null>(null);
  const sizes = settings.filter((one) => one.grown === grown);
  const at = (sizes.find((one) => one[grown] === size) ?? sizes[0]) as SpeedsSetting;
  const all = extent(settings.flatMap(({ engines }) => Object.values(engines))) as [number, number];
  const share = scaleLog(all, [0, 1]).nice();
  const [least, most] = share.domain() as [number, number];
  const names = new Set(settings.flatMap(({ engines }) => Object.keys(engines)));
  const [slowest, longest] = Object.entries(at.engines)[0] as [string, number];
  return (
    <>
      <Choices
        label="What grows"
        choices={SIZES}
        value={grown}
        onChoose={(kind) => {
          setGrown(kind);
          setSize(null);
        }}
        word="Grow"
      />
      <div class="controls">
        <Stops label={grown} stops={sizes.map((one) => one[grown])} value={at[grown]} onInput={setSize} />
      </div>
      <p class="says">
        {plural(at.layers, "layer")}, width {at.width}, context {at.context}, batch {at.batch}: {grouped(at.parameters)}{" "}
        parameters
      </p>
      <div
        class="canvas"
        tabIndex={0}
        role="group"
        aria-label="Times of the engines"
        style={{ "--powers": Math.log10(most / least) }}
      >
        <Readout
          class="ladder"
          caption="Time of one step; each line to the right is ten times as long"
          head={["engine", "", "time", "times as fast"]}
          rows={[...names].map((name) => {
            const ms = at.engines[name];
            if (ms === undefined) return [name, "", "–", "–"];
            const length = <span class="length" style={{ width: percent(share(ms)) }} />;
            return [name, length, milliseconds(ms), times(longest / ms)];
          })}
        />
      </div>
      <p class="note">
        Recorded on {machine}. × says how many times as fast as {slowest}. A dash: not measured, because it would take
        too long.
      </p>
    </>
  );
}
