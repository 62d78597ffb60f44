/** What a nudge does to a small network, path by path. */

import type { SVGAttributes } from "preact";
import { useState } from "preact/hooks";
import { fixed } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import { useAlive } from "../../parts/use_alive.js";
import { FIRST, forward, type Place, pathsFrom, slopeOf, verdict, WEIGHTS } from "./network.js";
import { line, type Point } from "./plane.js";
import { Verdict } from "./says.js";

type Circle = "a" | "b" | "g" | "h" | "o";
const AT: Record<Circle, Point> = { a: [42, 62], b: [42, 188], g: [208, 62], h: [208, 188], o: [394, 125] };
const KINDS = { a: "data", b: "data", g: "activation", h: "activation", o: "cost" };

const named = (place: string): string => [...place].map((end) => (end === "o" ? "out" : end)).join(" → ");

/** Where a share of the way from one circle to another is done. */
function along(ends: string, share: number): Point {
  const [[x0, y0], [x1, y1]] = [AT[ends[0] as Circle], AT[ends[1] as Circle]];
  return [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
}

export function Paths() {
  const [x, setX] = useState(FIRST);
  const [gate, setGate] = useState(false);
  const [place, pick] = useState<Place>("a");
  const alive = useAlive();
  const values: Record<Circle, number> & { passed: number } = { ...x, ...forward(x, gate) };
  const shut = gate && values.h <= 0;
  const slopes: Record<Circle, number> = {
    a: slopeOf(pathsFrom("a", x, gate)),
    b: slopeOf(pathsFrom("b", x, gate)),
    g: x.go,
    h: shut ? 0 : x.ho,
    o: 1,
  };
  const paths = pathsFrom(place, x, gate);
  const lit = paths.flatMap(({ unit }) => [place.length === 1 ? place + unit : place, `${unit}o`]);
  const products = paths.map(({ factors }) => factors.map((factor) => fixed(factor, 0)).join(" · ")).join(" + ");
  const slope = fixed(slopeOf(paths), 0);

  const touch = (to: Place, name: string): SVGAttributes<SVGGElement> | false =>
    alive && {
      role: "button",
      tabindex: 0,
      "aria-label": name,
      "aria-pressed": to === place,
      onClick: () => pick(to),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        pick(to);
      },
    };
  return (
    <>
      <svg
        class="drawing scene paths"
        viewBox="0 12 440 226"
        role={alive ? "group" : "img"}
        aria-label="A network, and what to nudge in it"
      >
        {WEIGHTS.map((ends) => (
          <path
            class={`line wire${lit.includes(ends) ? " lit" : ""}${shut && ends[1] !== "g" && ends !== "go" ? " shut" : ""}`}
            d={line([along(ends, 0), along(ends, 1)])}
          />
        ))}
        {WEIGHTS.map((ends) => {
          const [cx, cy] = along(ends, ends[1] === "o" ? 0.66 : ends[0] === ends[1] ? 0.5 : 0.33);
          return (
            <g class={`pick parameter${ends === place ? " picked" : ""}`} {...touch(ends, `weight ${named(ends)}`)}>
              <rect x={cx - 19} y={cy - 17} width="38" height="34" rx="5" />
              <text class="value" x={cx} y={cy + 6}>
                {x[ends]}
              </text>
            </g>
          );
        })}
        {(["a", "b", "g", "h", "o"] as const).map((circle) => {
          const [cx, cy] = AT[circle];
          const input = circle === "a" || circle === "b";
          return (
            <g
              class={`circle ${KINDS[circle]}${input ? " pick" : ""}${circle === place ? " picked" : ""}`}
              {...(input && touch(circle, `input ${circle}`))}
            >
              <circle cx={cx} cy={cy} r="23" />
              <text class="value" x={cx} y={cy + 6}>
                {fixed(values[circle], 0)}
              </text>
              <text x={cx} y={cy - 31}>
                {named(circle)}
              </text>
              <text class="slope" x={cx} y={cy + 42}>
                slope {fixed(slopes[circle], 0)}
              </text>
            </g>
          );
        })}
        {gate && (
          <g class={shut ? "gate shut" : "gate"} transform={`translate(${along("ho", 0.34).join(" ")})`}>
            <rect x="-23" y="-15" width="46" height="30" rx="3" />
            <text y="5">ReLU</text>
            <text class="slope" y="33">
              {shut ? "shut: 0" : "open: 1"}
            </text>
          </g>
        )}
      </svg>
      <p class="sum">
        slope of {named(place)} = {products === slope ? "" : `${products} = `}
        <b>{slope}</b>
      </p>
      <Verdict>{verdict(place, x, gate)}</Verdict>
      <div class="controls">
        {(["a", "b"] as const).map((input) => (
          <Slider
            label={input}
            value={x[input]}
            min={-3}
            max={3}
            digits={0}
            onInput={(to) => setX({ ...x, [input]: to })}
          />
        ))}
        <label class="check">
          <input type="checkbox" checked={gate} onInput={(event) => setGate(event.currentTarget.checked)} />
          ReLU on h
        </label>
      </div>
    </>
  );
}
