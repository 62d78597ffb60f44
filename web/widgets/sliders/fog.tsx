/** A hill in fog: only the slope under your boots, and two valleys to end up in. */

import { useState } from "preact/hooks";
import { fixed } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";
import { feel, isFlat, isOff, isTop, MAP, verdict, way } from "./hill.js";
import { Dot, HIGH, line, Plane, scale, tangent, WIDE } from "./plane.js";
import { Verdict } from "./says.js";

const GROUND = Array.from({ length: 221 }, (_, i) => MAP[0] + i / 20);
const HIKER = "M-5 0L0 -9L5 0M0 -9V-17M-6 -10L0 -16L6 -10M0 -18a3 3 0 1 1 .01 0";
const WISPS = "M30 40H150M230 26H400M120 96H300M20 138H110M330 116H420";
const place = scale(MAP, [0, 8.5], [40, 22]);

export function Fog() {
  const [rate, setRate] = useState(0.2);
  const [walk, setWalk] = useState([-3.5]);
  const [clear, setClear] = useState(false);
  const start = walk[0] as number;
  const at = walk.at(-1) as number;
  const off = isOff(at);
  const [height, slope] = feel(at);
  const next = at - rate * slope;
  const [[x, y], [to]] = [place(at, height), place(next, 0)];
  const tip = Math.max(8, Math.min(WIDE - 8, to));
  const barb = to < x ? 5 : -5;
  const step = (): void => {
    if (off) return;
    setWalk([...walk, next]);
    if (!isOff(next) && isFlat(next) && !isTop(next)) setClear(true);
  };
  const hill = line(GROUND.map((w) => place(w, feel(w)[0])));
  return (
    <>
      <div class="controls">
        <Slider
          label="start at"
          value={start}
          min={MAP[0]}
          max={MAP[1]}
          step={0.5}
          digits={1}
          onInput={(w) => setWalk([w])}
        />
        <Slider label="rate" value={rate} min={0.05} max={2.5} step={0.05} digits={2} onInput={setRate} />
        <div class="choices">
          <button type="button" aria-disabled={off} onClick={step}>
            Take a step
          </button>
          <button type="button" onClick={() => setWalk([start])}>
            Start again
          </button>
          <button type="button" aria-pressed={clear} onClick={() => setClear(!clear)}>
            Lift the fog
          </button>
        </div>
      </div>
      <Plane label={`A hill${clear ? "" : " in fog"}, and where you have stood on it. ${verdict(walk)}`}>
        {clear ? (
          <>
            <path class="ground" d={`${hill}V${HIGH}H8Z`} />
            <path class="line curve hill cost" d={hill} />
          </>
        ) : (
          <>
            <rect class="fog" width={WIDE} height={HIGH} rx="4" />
            <path class="wisps" d={WISPS} />
            {!off && <Dot at={[x, y - 12]} look="clearing" r={50} />}
          </>
        )}
        {walk.slice(0, -1).map((w) => (
          <Dot at={place(w, feel(w)[0])} look="dot stood cost" r={4} />
        ))}
        {!off && (
          <>
            <path class="line thick gradient" d={tangent(place, at, height, slope)} />
            <path
              class="line parameter stride"
              d={`M${x.toFixed(1)} ${HIGH - 8}H${tip.toFixed(1)}m${barb} -4l${-barb} 4l${barb} 4`}
            />
            <path class="line ink" transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(1.4)`} d={HIKER} />
          </>
        )}
      </Plane>
      <Readout
        rows={[
          ["height", off ? "–" : fixed(height, 2)],
          ["slope under your boots", off ? "–" : fixed(slope, 2)],
          ["so the next step goes", off ? "–" : way(next - at)],
        ]}
      />
      <Verdict>{verdict(walk)}</Verdict>
    </>
  );
}
