/** A small plane for lines and dots. */

import type { ComponentChildren } from "preact";

export type Point = [x: number, y: number];

/** Where a point of some axes stands in the plane. */
export type Place = (x: number, y: number) => Point;

export const [WIDE, HIGH] = [440, 170];

export const line = (points: Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

/** Axes from left to right and from low to high, with some pixels above and below. */
export const scale =
  ([left, right]: Point, [low, high]: Point, [above, below]: Point): Place =>
  (x, y) => [
    8 + ((WIDE - 16) * (x - left)) / (right - left),
    HIGH - below - ((HIGH - above - below) * (y - low)) / (high - low),
  ];

export function Dot({ at: [x, y], look, r }: { at: Point; look: string; r: number }) {
  return <circle class={look} cx={x.toFixed(1)} cy={y.toFixed(1)} r={r} />;
}

/** What the axes are called. */
export function Axes({ across, up }: { across: string; up: string }) {
  return (
    <>
      <text class="up" x="0" y="14">
        {up}
      </text>
      <text class="across" x={WIDE} y={HIGH - 4}>
        {across}
      </text>
    </>
  );
}

export function Plane({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <svg class="drawing scene" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label}>
      {children}
    </svg>
  );
}
