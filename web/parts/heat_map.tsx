/**
 * A matrix as a picture: a cell for each number, the stronger the larger it is. A cell is
 * picked by mouse, touch or arrow keys. What is drawn stretches, what is written is not drawn.
 * Where a row ends early there are no numbers, and the rest of it is hatched.
 */

import type { HTMLAttributes } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type Kind, roleOf, SHADES, shadeOf, strength } from "./kinds.js";
import { plural } from "./numerals.js";
import { useAlive } from "./use_alive.js";
import { usePress } from "./use_press.js";

export type Cell = [row: number, column: number];

interface Props {
  rows: string[];
  columns: string[];
  values: number[][];
  /** Sequential: 0 and more. Diverging: numbers below 0 have a hue of their own, and a dash where colours can't be seen. */
  scale: "sequential" | "diverging";
  /** How strength grows with the number; "log" where a few are much larger than the rest. */
  growth?: "linear" | "log";
  kind: Kind;
  /** The size of a number at which a cell is strongest; that of the largest unless told. */
  limit?: number;
  picked: Cell | null;
  onPick(row: number, column: number): void;
  /** The mouse passes over a cell, or leaves. */
  onLook?: (cell: Cell | null) => void;
  format: (value: number) => string;
  /** What the map shows, in words. */
  label: string;
  /** The pattern in a sentence, for who cannot see it; the size and the extremes unless told. */
  gist?: string;
  /** A cell in words, for who cannot see it. */
  describe(row: number, column: number): string;
  /** What rows and columns are, written above the map. */
  down?: string;
  across?: string;
  /** The largest side of a cell, in pixels. */
  cell?: number;
}

/** With more rows or columns than this, only every eighth is named; every second where cells are lower. */
const [NAMED, LOW] = [32, 12];

const color = (shade: number): string =>
  `color-mix(in srgb, var(${shade < 0 ? "--below" : "--role"}) ${strength(shade)}, var(--paper))`;

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

/** A dash in each cell below 0. */
function dashes(values: number[][]): string {
  const below = values.flatMap((row, y) => row.flatMap((v, x): Cell[] => (v < 0 ? [[y, x]] : [])));
  return below.map((cell, index) => `${step(below[index - 1] ?? [0, 0], cell)}h.3z`).join("");
}

/** Around the cells that exist, where rows are of different lengths. */
function staircase(values: number[][], columns: number): string {
  if (values.every((row) => row.length === columns)) return "";
  const edge = values.flatMap((row, y) => [`${row.length} ${y}`, `${row.length} ${y + 1}`]);
  return ["0 0", ...edge, `0 ${values.length}`].join(",");
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

interface NamesProps {
  names: string[];
  at: number | undefined;
  along: "down" | "across";
  cell: number;
}

function Names({ names, at, along, cell }: NamesProps) {
  const every = names.length > NAMED ? 8 : cell < LOW ? 2 : 1;
  // A name that stands between others pushes those away that it would touch.
  const pushed = (index: number): boolean =>
    every > 1 && at !== undefined && index !== at && Math.abs(index - at) < every / 2;
  return (
    <div class={`names ${along}`} style={{ "--count": String(names.length) }} aria-hidden="true">
      {names.map((name, index) => (
        <span class={`${index === at ? "at" : ""}${name.length > 1 ? " long" : ""}`}>
          {index === at || (index % every === 0 && !pushed(index)) ? name : ""}
        </span>
      ))}
    </div>
  );
}

function Legend({ shades, ends }: { shades: number[]; ends: string[] }) {
  return (
    <div class="legend" aria-hidden="true">
      <div class="shades">
        {shades.map((shade) => (
          <span class={shade < 0 ? "below" : ""} style={{ background: shade === 0 ? "none" : color(shade) }} />
        ))}
      </div>
      <div class="ends">
        {ends.map((end) => (
          <span>{end}</span>
        ))}
      </div>
    </div>
  );
}

export function HeatMap(props: Props) {
  const { rows, columns, values, scale, growth = "linear", kind, picked, onPick, onLook } = props;
  const { format, describe, label, down, across, cell = 24 } = props;
  const [smallest, greatest] = useMemo(() => [extremes(values, Math.min), extremes(values, Math.max)], [values]);
  const alive = useAlive();
  const [said, say] = useState("");
  const largest = useMemo(() => Math.max(...values.flat().map(Math.abs)), [values]);
  const limit = props.limit ?? (largest > 0 ? largest : 1);
  const drawn = useMemo(() => {
    const grown = growth === "log" ? Math.log1p : Number;
    const toShade = (value: number): number => shadeOf((Math.sign(value) * grown(Math.abs(value))) / grown(limit));
    return { shades: [...paths(values, toShade)], below: scale === "diverging" ? dashes(values) : "" };
  }, [values, growth, limit, scale]);
  const exists = staircase(values, columns.length);
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
  const upwards = Array.from({ length: SHADES + 1 }, (_, shade) => shade);
  const downwards = upwards.slice(1).map((shade) => -shade);
  const most = `${largest > limit ? "≥ " : ""}${format(limit)}`;
  const middle = growth === "log" ? Math.expm1(Math.log1p(limit) / 2) : limit / 2;
  return (
    <div
      class="heat-map"
      style={{
        ...roleOf(kind),
        "--columns": String(columns.length),
        "--rows": String(rows.length),
        "--cell": `${cell}px`,
      }}
    >
      {(down || across) && (
        <p class="axes" aria-hidden="true">
          {down && <span>↓ {down}</span>} {across && <span>→ {across}</span>}
        </p>
      )}
      <Names names={columns} at={picked?.[1]} along="across" cell={cell} />
      <Names names={rows} at={picked?.[0]} along="down" cell={cell} />
      <div class={exists ? "cells ragged" : "cells"} aria-label={`${label}. ${props.gist ?? glance()}`} {...handlers}>
        <svg
          viewBox={`0 0 ${columns.length} ${rows.length}`}
          preserveAspectRatio="none"
          shape-rendering="crispEdges"
          aria-hidden="true"
        >
          {exists && <polygon class="exists" points={exists} />}
          {drawn.shades.map(([shade, path]) => (
            <path key={shade} style={{ fill: color(shade) }} d={path} />
          ))}
          {drawn.below && <path class="below" transform="translate(.35 .5)" d={drawn.below} />}
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
      {scale === "diverging" ? (
        <Legend
          shades={[...downwards.toReversed(), ...upwards]}
          ends={[`${largest > limit ? "≤ " : ""}${format(-limit)}`, format(0), most]}
        />
      ) : (
        <Legend shades={upwards} ends={[format(0), format(middle), most]} />
      )}
      <span class="sr-only" role="status">
        {said}
      </span>
    </div>
  );
}
