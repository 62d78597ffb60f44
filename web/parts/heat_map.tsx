/**
 * A square table of counts as a picture: a cell for each, the stronger the larger it is. A cell is
 * picked by mouse, touch or arrow keys. What is drawn stretches, what is written is not drawn.
 */

import type { HTMLAttributes } from "preact";
import { useMemo, useState } from "preact/hooks";
import { roleOf, SHADES, shadeOf, strength } from "./kinds.js";
import { grouped } from "./numerals.js";
import { useAlive } from "./use_alive.js";
import { usePress } from "./use_press.js";

export type Cell = [row: number, column: number];

interface Props {
  /** What rows and columns are called. */
  names: string[];
  /** Strength grows with their logarithm: a few are much larger than the rest. */
  counts: number[][];
  picked: Cell;
  onPick(cell: Cell): void;
  /** The mouse passes over a cell, or leaves. */
  onLook(cell: Cell | null): void;
  /** What the map shows, in words, and a cell, for who cannot see it. */
  label: string;
  describe(...cell: Cell): string;
  /** What rows and columns are, written above the map. */
  down: string;
  across: string;
}

const ARROWS: Record<string, Cell> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const color = (shade: number): string => `color-mix(in srgb, var(--role) ${strength(shade)}, var(--paper))`;

/** A path around each cell, for each shade that a cell has. */
function pathsOf(counts: number[][], largest: number): [shade: number, path: string][] {
  const paths = new Map<number, string>();
  for (const [y, row] of counts.entries())
    for (const [x, count] of row.entries()) {
      const shade = shadeOf(Math.log1p(count) / Math.log1p(largest));
      if (shade > 0) paths.set(shade, `${paths.get(shade) ?? ""}M${x} ${y}h1v1h-1z`);
    }
  return [...paths];
}

function Names({ names, at, along }: { names: string[]; at: number; along: "down" | "across" }) {
  return (
    <div class={`names ${along}`} style={{ "--count": String(names.length) }} aria-hidden="true">
      {names.map((name, index) => (
        <span class={`${index === at ? "at" : ""}${name.length > 1 ? " long" : ""}`}>{name}</span>
      ))}
    </div>
  );
}

export function HeatMap({ names, counts, picked, onPick, onLook, label, describe, down, across }: Props) {
  const alive = useAlive();
  const [said, say] = useState("");
  const size = names.length;
  const largest = Math.max(...counts.flat());
  const paths = useMemo(() => pathsOf(counts, largest), [counts]);
  const within = (place: number): number => Math.max(0, Math.min(size - 1, Math.floor(place)));
  const pointed = (event: PointerEvent & { currentTarget: HTMLElement }): Cell => {
    const box = event.currentTarget.getBoundingClientRect();
    const [down, across] = [event.clientY - box.top, event.clientX - box.left];
    return [within((size * down) / box.height), within((size * across) / box.width)];
  };
  const pick = (cell: Cell): void => {
    if (pressed && String(cell) === String(picked)) return;
    onPick(cell);
    say(describe(...cell));
  };
  const { pressed, handlers: pointing } = usePress(
    (event) => pick(pointed(event)),
    (event) => onLook(event && pointed(event)),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [row, column] = picked;
    const move = ARROWS[event.key];
    const to: Cell | undefined = move
      ? [within(row + move[0]), within(column + move[1])]
      : { Home: [row, 0] as Cell, End: [row, size - 1] as Cell }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onLook(null);
    pick(to);
  };
  const handlers: HTMLAttributes<HTMLDivElement> = alive
    ? { role: "application", "aria-roledescription": "heat map", tabIndex: 0, onKeyDown, ...pointing }
    : { role: "img" };
  const part = (index: number): string => `${(100 * index) / size}%`;
  const legend = [0, Math.expm1(Math.log1p(largest) / 2), largest];
  return (
    <div class="heat-map" style={{ ...roleOf("data"), "--columns": String(size), "--rows": String(size) }}>
      <p class="axes" aria-hidden="true">
        <span>↓ {down}</span> <span>→ {across}</span>
      </p>
      <Names names={names} at={picked[1]} along="across" />
      <Names names={names} at={picked[0]} along="down" />
      <div class="cells" aria-label={label} {...handlers}>
        <svg viewBox={`0 0 ${size} ${size}`} preserveAspectRatio="none" shape-rendering="crispEdges" aria-hidden="true">
          {paths.map(([shade, path]) => (
            <path key={shade} style={{ fill: color(shade) }} d={path} />
          ))}
        </svg>
        <span class="picked" style={{ top: part(picked[0]), left: part(picked[1]), width: part(1), height: part(1) }} />
      </div>
      <div class="legend" aria-hidden="true">
        <div class="shades">
          {Array.from({ length: SHADES + 1 }, (_, shade) => (
            <span style={{ background: shade ? color(shade) : "none" }} />
          ))}
        </div>
        <div class="ends">
          {legend.map((end) => (
            <span>{grouped(Math.round(end))}</span>
          ))}
        </div>
      </div>
      <span class="sr-only" role="status">
        {said}
      </span>
    </div>
  );
}
