/**
 * A matrix as a picture: a cell for each number, the stronger the larger it is. A cell is
 * picked by mouse, touch or arrow keys. What is drawn stretches, what is written is not drawn.
 */

import type { HTMLAttributes } from "preact";
import { useMemo, useState } from "preact/hooks";
import { roleOf, SHADES, shadeOf, strength } from "./kinds.js";
import { plural } from "./numerals.js";
import { useAlive } from "./use_alive.js";
import { usePress } from "./use_press.js";

export type Cell = [row: number, column: number];

interface Props {
  rows: string[];
  columns: string[];
  /** 0 and more. Strength grows with their logarithm: a few are much larger than the rest. */
  values: number[][];
  picked: Cell | null;
  onPick(row: number, column: number): void;
  /** The mouse passes over a cell, or leaves. */
  onLook?: (cell: Cell | null) => void;
  format: (value: number) => string;
  /** What the map shows, in words. */
  label: string;
  /** A cell in words, for who cannot see it. */
  describe(row: number, column: number): string;
  /** What rows and columns are, written above the map. */
  down: string;
  across: string;
}

const color = (shade: number): string => `color-mix(in srgb, var(--role) ${strength(shade)}, var(--paper))`;

/** From one cell to another; a page that is full of cells is smaller if each says how far it is from the last. */
const step = ([y, x]: Cell, [toY, toX]: Cell): string => `m${toX - x} ${toY - y}`;

/** The cells of each shade as one path, neighbours in a row joined. */
function paths(values: number[][], toShade: (value: number) => number): Map<number, string> {
  const found = new Map<number, string>();
  const last = new Map<number, Cell>();
  values.forEach((row, y) => {
    const shades = row.map(toShade);
    for (let x = 0; x < shades.length; ) {
      const shade = shades[x] as number;
      let end = x + 1;
      while (shades[end] === shade) end += 1;
      if (shade !== 0) {
        const move = step(last.get(shade) ?? [0, 0], [y, x]);
        found.set(shade, `${found.get(shade) ?? ""}${move}h${end - x}v1h-${end - x}z`);
        last.set(shade, [y, x]);
      }
      x = end;
    }
  });
  return found;
}

/** The cells that hold the smallest number, or the largest. */
function extremes(values: number[][], among: (...numbers: number[]) => number): Cell[] {
  const extreme = among(...values.map((row) => among(...row)));
  return values.flatMap((row, y) => row.flatMap((value, x): Cell[] => (value === extreme ? [[y, x]] : [])));
}

const ARROWS: Record<string, Cell> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

function Names({ names, at, along }: { names: string[]; at: number | undefined; along: "down" | "across" }) {
  return (
    <div class={`names ${along}`} style={{ "--count": String(names.length) }} aria-hidden="true">
      {names.map((name, index) => (
        <span class={`${index === at ? "at" : ""}${name.length > 1 ? " long" : ""}`}>{name}</span>
      ))}
    </div>
  );
}

export function HeatMap(props: Props) {
  const { rows, columns, values, picked, onPick, onLook, format, describe, label, down, across } = props;
  const [smallest, greatest] = useMemo(() => [extremes(values, Math.min), extremes(values, Math.max)], [values]);
  const alive = useAlive();
  const [said, say] = useState("");
  const largest = useMemo(() => Math.max(...values.flat().map(Math.abs)), [values]);
  const drawn = useMemo(() => {
    const toShade = (value: number): number => shadeOf(Math.log1p(value) / Math.log1p(largest));
    return [...paths(values, toShade)];
  }, [values]);
  const number = ([row, column]: Cell): string => format(values[row]?.[column] ?? 0);
  /** What one sees at a glance, in a sentence: the size, and the extremes with their places. */
  const glance = (): string => {
    const size = `${plural(rows.length, "row")}, ${plural(columns.length, "column")}`;
    const [least, most] = [smallest[0], greatest[0]];
    if (!least || !most) return size;
    if (least[0] === most[0] && least[1] === most[1]) return `${size}, all alike`;
    const where = (cells: Cell[], first: Cell): string =>
      number(first) + (cells.length === 1 ? `: ${describe(...first)}` : `, in ${cells.length} cells`);
    return `${size}; smallest ${where(smallest, least)}; largest ${where(greatest, most)}`;
  };
  const within = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));
  const pointed = (event: PointerEvent & { currentTarget: HTMLElement }): Cell => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (part: number, count: number): number => within(Math.floor(part * count), count);
    return [
      at((event.clientY - box.top) / box.height, rows.length),
      at((event.clientX - box.left) / box.width, columns.length),
    ];
  };
  const pick = (row: number, column: number): void => {
    if (pressed && row === picked?.[0] && column === picked[1]) return;
    onPick(row, column);
    say(describe(row, column));
  };
  const { pressed, handlers: pointing } = usePress(
    (event) => pick(...pointed(event)),
    (event) => onLook?.(event && pointed(event)),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [row, column] = picked ?? [0, 0];
    const move = ARROWS[event.key];
    const to: Cell | undefined = move
      ? [within(row + move[0], rows.length), within(column + move[1], columns.length)]
      : { Home: [row, 0] as Cell, End: [row, columns.length - 1] as Cell }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onLook?.(null);
    pick(...to);
  };
  const handlers: HTMLAttributes<HTMLDivElement> = alive
    ? { role: "application", "aria-roledescription": "heat map", tabIndex: 0, onKeyDown, ...pointing }
    : { role: "img" };
  const part = (index: number, count: number): string => `${(100 * index) / count}%`;
  const legend = [0, Math.expm1(Math.log1p(largest) / 2), largest];
  return (
    <div
      class="heat-map"
      style={{ ...roleOf("data"), "--columns": String(columns.length), "--rows": String(rows.length) }}
    >
      <p class="axes" aria-hidden="true">
        <span>↓ {down}</span> <span>→ {across}</span>
      </p>
      <Names names={columns} at={picked?.[1]} along="across" />
      <Names names={rows} at={picked?.[0]} along="down" />
      <div class="cells" aria-label={`${label}. ${glance()}`} {...handlers}>
        <svg
          viewBox={`0 0 ${columns.length} ${rows.length}`}
          preserveAspectRatio="none"
          shape-rendering="crispEdges"
          aria-hidden="true"
        >
          {drawn.map(([shade, path]) => (
            <path key={shade} style={{ fill: color(shade) }} d={path} />
          ))}
        </svg>
        {picked && (
          <span
            class="picked"
            style={{
              top: part(picked[0], rows.length),
              left: part(picked[1], columns.length),
              width: part(1, columns.length),
              height: part(1, rows.length),
            }}
          />
        )}
      </div>
      <div class="legend" aria-hidden="true">
        <div class="shades">
          {Array.from({ length: SHADES + 1 }, (_, shade) => (
            <span style={{ background: shade ? color(shade) : "none" }} />
          ))}
        </div>
        <div class="ends">
          {legend.map((end) => (
            <span>{format(end)}</span>
          ))}
        </div>
      </div>
      <span class="sr-only" role="status">
        {said}
      </span>
    </div>
  );
}
