/** Five operations: drag along a curve, and its slopes draw another. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { fixed, plural, signed } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Slider } from "../../parts/slider.js";
import { type Of, OPERATIONS, type Operation, said } from "./operations.js";
import { Dot, HIGH, line, type Place, Plane, scale, tangent } from "./plane.js";
import { Verdict } from "./says.js";

/** How much of the range is to be visited before the rule shows. */
const ENOUGH = 0.6;

/** How far a curve reaches up and down, 0 included. */
const reach = (ys: number[]): [number, number] => [Math.min(0, ...ys), Math.max(0, ...ys)];
/** A number to two places, and whether that's all of it. */
function result(y: number): string {
  const rounded = Number(y.toFixed(2));
  return `${Math.abs(y - rounded) < 1e-9 ? "=" : "≈"} ${signed(String(rounded))}`;
}

function Trace({ name, from, to, value, slope, rule, worked, hint, says }: Operation) {
  const grid = Array.from({ length: to - from + 1 }, (_, i) => (from + i) / 10);
  const [x, setX] = useState(1);
  const [seen, setSeen] = useState([1]);
  const [shown, show] = useState(false);
  const visit = (next: number): void => {
    setX(next);
    if (seen.includes(next)) return;
    setSeen([...seen, next]);
    if (seen.length + 1 === Math.ceil(ENOUGH * grid.length)) show(true);
  };
  const axes = (f: Of<number>): Place => scale([from / 10, to / 10], reach(grid.map(f)), [12, 12]);
  const fine = Array.from({ length: 4 * (grid.length - 1) + 1 }, (_, i) => (from + i / 4) / 10);
  const curve = (f: Of<number>): string => line(fine.map((x) => axes(f)(x, f(x))));
  /** The lines of both planes: 0, and where x is. */
  const cross = (f: Of<number>) => (
    <>
      <path class="line" d={line([axes(f)(from / 10, 0), axes(f)(to / 10, 0)])} />
      <path class="line dotted" d={`M${axes(f)(x, 0)[0].toFixed(1)} 0V${HIGH}`} />
    </>
  );
  return (
    <>
      <div class="controls">
        <Slider
          label="x"
          value={x}
          min={from / 10}
          max={to / 10}
          step={0.1}
          digits={1}
          onInput={(next) => visit(Number(next.toFixed(1)))}
        />
        <div class="choices">
          <button type="button" aria-pressed={shown} onClick={() => show(!shown)}>
            Show the rule
          </button>
        </div>
      </div>
      <p class="title">{name}</p>
      <Plane label={`The curve of ${name}, and its tangent at ${said(x)}`}>
        {cross(value)}
        <path class="line curve ink" d={curve(value)} />
        <path class="line thick gradient" d={tangent(axes(value), x, value(x), slope(x))} />
        <Dot at={axes(value)(x, value(x))} look="dot gradient" r={5} />
      </Plane>
      <p class="title rule">slope: {shown ? rule : "?"}</p>
      <Plane
        label={`The slopes of ${name} at ${plural(seen.length, "place")}${shown ? `, and their rule: ${rule}` : ""}`}
      >
        {cross(slope)}
        {shown && <path class="line curve gradient" d={curve(slope)} />}
        {seen.map((x) => (
          <Dot at={axes(slope)(x, slope(x))} look="dot stood gradient" r={3} />
        ))}
        <Dot at={axes(slope)(x, slope(x))} look="dot gradient" r={5} />
      </Plane>
      <p class="scale" aria-hidden="true">
        <span>{said(from / 10)}</span> <span>x</span> <span>{said(to / 10)}</span>
      </p>
      <Readout
        rows={[
          ["value", fixed(value(x), 2)],
          ["slope", shown ? `${worked(x)} ${result(slope(x))}` : fixed(slope(x), 2)],
        ]}
      />
      <Verdict>
        {shown ? says(x) : seen.length < 4 ? "Drag x: each slope leaves a dot in the lower picture." : hint}
      </Verdict>
    </>
  );
}

export function Slopes() {
  const [name, choose] = useState("x ** 3");
  const operation = OPERATIONS.find((each) => each.name === name) as Operation;
  return (
    <>
      <Choices label="The operation" choices={OPERATIONS.map((each) => each.name)} value={name} onChoose={choose} />
      <Trace key={name} {...operation} />
    </>
  );
}
