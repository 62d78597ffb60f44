/** A hill in fog: only the slope under your boots, and two valleys to end up in. */

import { useState } from "preact/hooks";
import { fixed } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";
import { Dot, HIGH, line, Plane, type Point, scale, tangent, WIDE } from "./plane.js";
import { Verdict } from "./says.js";

const MAP: Point = [-4, 7];
/** Where the ridge is highest. */
const RIDGE = -0.41;
/** A slope that boots don't feel. */
const FLAT = 0.1;
const GROUND = Array.from({ length: 221 }, (_, i) => MAP[0] + i / 20);
const HIKER = "M-5 0L0 -9L5 0M0 -9V-17M-6 -10L0 -16L6 -10M0 -18a3 3 0 1 1 .01 0";
const WISPS = "M30 40H150M230 26H400M120 96H300M20 138H110M330 116H420";
const place = scale(MAP, [0, 8.5], [40, 22]);

/** Height and slope where two parabolas, a narrow one and a wider, deeper one, meet in a smooth ridge. */
function feel(w: number): Point {
  const [narrow, wide] = [1.5 * (w + 2) ** 2 + 2.5, 0.5 * (w - 3) ** 2];
  const share = 1 / (1 + Math.exp((narrow - wide) / 1.5));
  const height = Math.min(narrow, wide) - 1.5 * Math.log1p(Math.exp(-Math.abs(narrow - wide) / 1.5));
  return [height, share * 3 * (w + 2) + (1 - share) * (w - 3)];
}

const isOff = (w: number): boolean => w < MAP[0] || w > MAP[1];
const isFlat = (w: number): boolean => Math.abs(feel(w)[1]) < FLAT;
const isBottom = (w: number): boolean => isFlat(w) && !isTop(w);
const isTop = (w: number): boolean => Math.abs(w - RIDGE) < 0.5;
/** How far a step goes, and which way. */
const way = (by: number): string =>
  Math.abs(by) < 0.005 ? "nowhere" : `${fixed(Math.abs(by), 2)} to the ${by < 0 ? "left" : "right"}`;

/** What has happened on a walk, given every place where it stood. */
function verdict(walk: number[]): string {
  const [before, at] = walk.slice(-2) as [number, number?];
  if (at === undefined) return "Which way is down? Trust your boots, and take a step.";
  const [[was, slopeBefore], [height, slope]] = [feel(before), feel(at)];
  const reached = walk.findIndex((w) => isBottom(w) && w > RIDGE === at > RIDGE);
  const steps = reached === 1 ? "one step" : `${reached} steps`;
  if (isOff(at)) return "You’ve stepped off the map. That rate was too high.";
  if (isFlat(at) && isTop(at)) return "It’s flat here, but you’re on top of a ridge. Down is on both sides.";
  if (isBottom(at) && reached === 0) return "You started at the bottom of a valley, and steps go nowhere.";
  if (isFlat(at) && at > RIDGE) return `The bottom of the deepest valley, in ${steps}. Well walked.`;
  if (isFlat(at)) return "The bottom of a valley. Not of the deepest, it turns out: try a higher rate.";
  const went = `You went ${way(at - before)}`;
  if (before > RIDGE !== at > RIDGE) return `${went}, clean over a ridge and into another valley.`;
  if (slope * slopeBefore < 0)
    return `${went}, past the lowest point${height < was ? ". Turn around." : ", and you’re higher than before."}`;
  if (Math.abs(at - before) < FLAT) return `${went}. Baby steps: at this rate it’ll be a long night.`;
  return `${went}, downhill. The ground gets ${Math.abs(slope) < Math.abs(slopeBefore) ? "flatter" : "steeper"}.`;
}

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
    if (!isOff(next) && isBottom(next)) setClear(true);
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
