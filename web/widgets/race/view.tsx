/** SGD and Adam on their way down a valley, seen from above. */

import { useState } from "preact/hooks";
import { decimals } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Race, RaceParameters, RacePath } from "../types.js";

/** What of the valley is in view, from its bottom: to either side, and up and down. */
const WIDE = 5.6;
const HIGH = 3.9;
/** So many units of the drawing are 1. */
const UNIT = 100;
/** Farther out nothing is drawn. */
const OUT = 1000;

type Point = [x: number, y: number];

const drawn = ([x, y]: Point): string => {
  const within = (value: number): number => Math.round(UNIT * Math.max(-OUT, Math.min(OUT, value)));
  return `${within(x)} ${-within(y)}`;
};
const line = (points: Point[]): string => `M${points.map(drawn).join("L")}`;
const inView = ([x, y]: Point): boolean => Math.abs(x) <= WIDE && Math.abs(y) <= HIGH;
const place = ([x, y]: Point): Record<string, string> => ({
  left: `${(50 * (x + WIDE)) / WIDE}%`,
  top: `${(50 * (HIGH - y)) / HIGH}%`,
});

/** A path as far as it has come, with a mark at every step. */
function Walked({ path, kind, at }: { path: RacePath; kind: string; at: number }) {
  const points = path.points.slice(0, at + 1) as Point[];
  const seen = points.filter(inView);
  const size = 5;
  const mark = ([x, y]: Point): string => {
    const [left, top] = [Math.round(UNIT * x), -Math.round(UNIT * y)];
    return kind === "s1"
      ? `M${left - size} ${top}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`
      : `M${left - size} ${top - size}h${2 * size}v${2 * size}h${-2 * size}z`;
  };
  return (
    <>
      <path class={`line ${kind}`} d={line(points)} />
      <path class={`marks ${kind}`} d={seen.map(mark).join("")} />
    </>
  );
}

function Valley({ race, at, label }: { race: Race; at: number; label: string }) {
  const paths: [path: RacePath, kind: string][] = [
    [race.sgd, "s1"],
    [race.adam, "s2"],
  ];
  return (
    <div class="valley" role="img" aria-label={label}>
      <svg
        viewBox={`${-UNIT * WIDE} ${-UNIT * HIGH} ${2 * UNIT * WIDE} ${2 * UNIT * HIGH}`}
        fill="none"
        aria-hidden="true"
      >
        {race.contours.map(({ points }) => (
          <path class="contour" d={`${line(points)}z`} />
        ))}
        <path class="axis" d={`M${-UNIT * WIDE} 0H${UNIT * WIDE}M0 ${-UNIT * HIGH}V${UNIT * HIGH}`} />
        {paths.map(([path, kind]) => (
          <Walked path={path} kind={kind} at={at} />
        ))}
      </svg>
      <span class="axis-name x">x</span>
      <span class="axis-name y">y</span>
      {paths.map(([path, kind]) => {
        const now = path.points[Math.min(at, path.points.length - 1)] as Point;
        return inView(now) && <span class={`now ${kind}`} style={place(now)} />;
      })}
    </div>
  );
}

export default function RaceWidget(given: Given<RaceParameters, Race>) {
  const python = usePython<RaceParameters, Race>("race", given);
  const { asked, ask, parameters, result } = python;
  const last = Math.max(result.sgd.points.length, result.adam.points.length) - 1;
  const [chosen, choose] = useState(last);
  const at = Math.min(chosen, last);
  const runners: [name: string, kind: string, path: RacePath][] = [
    ["SGD", "s1", result.sgd],
    ["Adam", "s2", result.adam],
  ];
  const loss = (path: RacePath, step: number): string => decimals(path.losses[step], 3);
  const describe = (step: number): string =>
    runners
      .map(([name, , path]) =>
        step < path.losses.length ? `${name}: loss ${loss(path, step)}` : `${name} has exploded`,
      )
      .join(", ");
  const outcome = `${result.sgd.end} ${result.adam.end}`;
  const examples: [name: string, parameters: RaceParameters][] = [
    ["as above", given.parameters],
    ["a round bowl", { ...given.parameters, steepness: 1 }],
    ["SGD too fast", { ...given.parameters, sgd_rate: 0.05 }],
    ["the valley turned", { ...given.parameters, turned: true }],
  ];
  const same = (one: RaceParameters): boolean => JSON.stringify(one) === JSON.stringify(asked);
  return (
    <>
      <div class={python.stale ? "stale" : undefined}>
        <Valley
          race={result}
          at={at}
          label={`Two paths down a valley that is ${parameters.steepness} times as steep across as along. ${outcome}`}
        />
      </div>
      <Player last={last} at={at} onMove={choose} label="Steps of the race" describe={describe} />
      <table class="readout">
        <caption>After {at === 1 ? "1 step" : `${at} steps`}</caption>
        <thead>
          <tr>
            <td />
            {runners.map(([name, kind]) => (
              <th scope="col">
                <span class={`key ${kind}`} /> {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {["x", "y"].map((axis, index) => (
            <tr>
              <th scope="row">{axis}</th>
              {runners.map(([, , path]) => (
                <td>{decimals(path.points[at]?.[index], 3)}</td>
              ))}
            </tr>
          ))}
          <tr>
            <th scope="row">loss</th>
            {runners.map(([, , path]) => (
              <td>{loss(path, at)}</td>
            ))}
          </tr>
        </tbody>
      </table>
      <div class="verdicts" role="status">
        <p>{result.sgd.end}</p>
        <p>{result.adam.end}</p>
      </div>
      <div class="examples controls" role="group" aria-label="Races to look at">
        {examples.map(([name, one]) => (
          <button type="button" aria-pressed={same(one)} onClick={() => ask(one)}>
            {name}
          </button>
        ))}
      </div>
      <div class="settings controls" role="group" aria-label="Rates and valley">
        <Slider
          label="rate of SGD"
          value={asked.sgd_rate}
          min={0.001}
          max={0.2}
          step={0.001}
          format={(rate) => rate.toFixed(3)}
          onInput={(sgd_rate) => ask({ ...asked, sgd_rate })}
        />
        <Slider
          label="rate of Adam"
          value={asked.adam_rate}
          min={0.01}
          max={1}
          step={0.01}
          format={(rate) => rate.toFixed(2)}
          onInput={(adam_rate) => ask({ ...asked, adam_rate })}
        />
        <Slider
          label="steepness"
          value={asked.steepness}
          min={1}
          max={100}
          step={1}
          onInput={(steepness) => ask({ ...asked, steepness })}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={asked.turned}
            onInput={(event) => ask({ ...asked, turned: event.currentTarget.checked })}
          />
          turn the valley
        </label>
      </div>
      <PythonStatus python={python} />
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
    </>
  );
}
