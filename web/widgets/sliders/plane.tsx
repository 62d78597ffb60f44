/** A small plane for lines and dots. */

import type { ComponentChildren } from "preact";

export type Point = [x: number, y: number];

export const [WIDE, HIGH] = [440, 170];

export const line = (points: Point[]): string =>
  points.map(([x, y], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");

export function Plane({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <svg class="scene" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={label}>
      {children}
    </svg>
  );
}
