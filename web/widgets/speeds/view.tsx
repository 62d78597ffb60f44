/** The ladder of speeds: how long a step takes in each engine, recorded, and measured here. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { grouped, plural, significant } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Speeds, SpeedsParameters, SpeedsSetting, SpeedsTime } from "../types.js";

const KINDS: [grown: string, says: string][] = [
  ["names", "as in the table"],
  ["layers", "layers"],
  ["width", "width"],
  ["context", "context"],
  ["batch", "batch"],
];

const milliseconds = (ms: number): string =>
  ms >= 1000 ? `${significant(ms / 1000, 3)} s` : `${significant(ms, 3)} ms`;
const times = (factor: number): string =>
  `${factor >= 100 ? grouped(Math.round(factor)) : factor === 1 ? "1" : significant(factor, 2)} ×`;

/** A logarithmic scale that has room for all that was measured. */
function scaleOf(all: number[]): { share(ms: number): number; powers: number[] } {
  const logs = all.map(Math.log10);
  const low = Math.floor(Math.min(...logs));
  const high = Math.ceil(Math.max(...logs));
  const powers = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { share: (ms) => (Math.log10(ms) - low) / (high - low), powers };
}

const percent = (share: number): string => `${Math.round(1000 * share) / 10}%`;

function Row(props: {
  engine: string;
  recorded: SpeedsTime | undefined;
  own: SpeedsTime | undefined;
  share(ms: number): number;
}) {
  const { engine, recorded, own, share } = props;
  const both = [
    ["recorded", recorded],
    ["own", own],
  ] as const;
  return (
    <tr>
      <th scope="row">{engine}</th>
      <td class="track" aria-hidden="true">
        {both.map(
          ([kind, time]) => time && <span class={`length ${kind}`} style={{ width: percent(share(time.ms)) }} />,
        )}
      </td>
      {both.map(([kind, time]) =>
        [time && milliseconds(time.ms), time && times(time.times)].map((text) => (
          <td class={kind === "own" ? "yours" : undefined}>{text ?? "–"}</td>
        )),
      )}
    </tr>
  );
}

export default function SpeedsWidget(given: Given<SpeedsParameters, Speeds>) {
  const { settings, machine } = given.result;
  const [grown, setGrown] = useState("names");
  const [size, setSize] = useState(0);
  const sizes = settings.filter((one) => one.grown === grown);
  const at = sizes[Math.min(size, sizes.length - 1)] as SpeedsSetting;
  const work = usePython<SpeedsParameters, Speeds>("speeds", given, () => "", "measuring");
  const { parameters, result } = work;
  const here = (["grown", "layers", "width", "context", "batch"] as const).every((key) => at[key] === parameters[key]);
  // What the reader has measured at this setting
  const mine = here && result !== given.result ? result : null;
  const measure = (): void => {
    const { layers, width, context, batch } = at;
    const steps = given.parameters.steps ?? 10;
    work.ask({ grown, layers, width, context, batch, steps, task: "measure" });
  };
  const all = settings.flatMap((one) => one.engines);
  const { share, powers } = scaleOf([...all, ...result.yours].map(({ ms }) => ms));
  const names = [...new Set(all.map(({ engine }) => engine))];
  const find = (list: SpeedsTime[], name: string): SpeedsTime | undefined => list.find(({ engine }) => engine === name);
  const says =
    `${plural(at.layers, "layer")}, width ${at.width}, context ${at.context}, ` +
    `batch ${at.batch}: ${grouped(at.parameters)} parameters`;
  const first = at.engines[0]?.engine ?? "";
  const off = work.busy || at.here.length === 0;
  const finished = mine !== null && mine.step === mine.steps && mine.steps > 0;
  return (
    <>
      <Choices
        label="What grows"
        choices={KINDS}
        value={grown}
        onChoose={(kind) => {
          setGrown(kind);
          setSize(0);
        }}
        word="Grow"
      />
      <div class={`size controls ${sizes.length === 1 ? "idle" : ""}`}>
        <Slider
          label={grown}
          value={Math.min(size, sizes.length - 1)}
          max={Math.max(1, sizes.length - 1)}
          disabled={sizes.length === 1}
          format={(index) => (grown === "names" ? "" : String(sizes[index]?.[grown as "layers"] ?? ""))}
          onInput={setSize}
        />
      </div>
      <p class="says">{says}</p>
      <div class="canvas" tabIndex={0} role="group" aria-label="Times of the engines">
        <table class="readout ladder">
          <caption>Time of one step; each line to the right is ten times as long</caption>
          <thead>
            <tr>
              <th scope="col">engine</th>
              <td class="track" aria-hidden="true">
                {powers.map((power) => (
                  <span class="tick" style={{ left: percent(share(power)) }} />
                ))}
              </td>
              <th scope="colgroup" colSpan={2}>
                <span class="swatch recorded" /> recorded
              </th>
              <th scope="colgroup" colSpan={2} class="yours">
                <span class="swatch own" /> yours
              </th>
            </tr>
          </thead>
          <tbody style={{ "--powers": powers.length - 1 }}>
            {names.map((name) => (
              <Row
                engine={name}
                recorded={find(at.engines, name)}
                own={mine ? find(mine.yours, name) : undefined}
                share={share}
              />
            ))}
          </tbody>
        </table>
      </div>
      <p class="note">
        Recorded on {machine}. × says how many times as fast as {first || "the first"}; in your column, as the first one
        that your browser ran. A dash: not measured, because it cannot run there or would take too long.
      </p>
      <div class="wrap measure controls">
        <button type="button" aria-disabled={off} onClick={() => off || measure()}>
          Measure here
        </button>
        <progress aria-label="Steps measured" max={mine?.steps || 1} value={mine?.step ?? 0} />
      </div>
      <div class="wrap verdict controls">
        <PythonStatus python={work} />
        <p role="status">
          {work.refusal?.reason ??
            (finished
              ? `Measured ${grouped(mine.steps)} steps of ${at.here.join(", ")}, in turn. ${
                  mine.agree ? "Their losses agree to 1e-9." : "Their losses do not agree."
                }`
              : at.here.length === 0
                ? "A step of this size takes too long for a page."
                : "")}
        </p>
      </div>
    </>
  );
}
