/**
 * A square table of counts as coloured cells, the stronger the larger the count. A cell is selected by mouse, touch or
 * arrow keys. The cells are an SVG that stretches; the labels are HTML and do not.
 */

import type { HTMLAttributes } from "preact";
import { useMemo, useState } from "preact/hooks";
import { colorMixPercent, colorStyle, SHADE_COUNT, shadeForShare } from "./colors.js";
import { groupThousands } from "./format.js";
import { Status } from "./status.js";
import { useHydrated } from "./use_hydrated.js";
import { usePointerDrag } from "./use_pointer_drag.js";

/** The indices of a cell. */
export type GridCell = [row: number, column: number];

interface HeatMapProps {
  /** The labels of the rows, and of the columns. */
  labels: string[];
  /** Shades grow with the logarithm of a count: a few are much larger than the rest. */
  counts: number[][];
  selected: GridCell;
  onSelect(cell: GridCell): void;
  /** The mouse passes over a cell; null when it leaves. */
  onHover(cell: GridCell | null): void;
  /** What the map shows, for screen readers. */
  label: string;
  /** Describe a cell for screen readers. */
  describeCell(...cell: GridCell): string;
  /** What the rows and the columns are, written above the map. */
  rowTitle: string;
  columnTitle: string;
}

const ARROW_MOVES: Record<string, GridCell> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

const shadeColor = (shade: number): string =>
  `color-mix(in srgb, var(--kind-color) ${colorMixPercent(shade)}, var(--paper))`;

/** Return one SVG path for each shade in use, around all cells of that shade. */
function shadePaths(counts: number[][], largest: number): [shade: number, path: string][] {
  const paths = new Map<number, string>();
  for (const [y, row] of counts.entries())
    for (const [x, count] of row.entries()) {
      const shade = shadeForShare(Math.log1p(count) / Math.log1p(largest));
      if (shade > 0) paths.set(shade, `${paths.get(shade) ?? ""}M${x} ${y}h1v1h-1z`);
    }
  return [...paths];
}

function AxisLabels(props: { class: string; labels: string[]; currentIndex: number }) {
  const { labels, currentIndex } = props;
  return (
    <div class={`axis-labels ${props.class}`} style={{ "--count": String(labels.length) }} aria-hidden="true">
      {labels.map((label, index) => (
        <span class={`${index === currentIndex ? "current" : ""}${label.length > 1 ? " long-label" : ""}`}>
          {label}
        </span>
      ))}
    </div>
  );
}

/** Draws the table with its labels and a legend. */
export function HeatMap(props: HeatMapProps) {
  const { labels, counts, selected, onSelect, onHover, label, describeCell, rowTitle, columnTitle } = props;
  const isHydrated = useHydrated();
  const [announcement, announce] = useState("");
  const size = labels.length;
  const largest = Math.max(...counts.flat());
  const paths = useMemo(() => shadePaths(counts, largest), [counts]);
  const clampIndex = (index: number): number => Math.max(0, Math.min(size - 1, Math.floor(index)));
  const cellUnderPointer = (event: PointerEvent & { currentTarget: HTMLElement }): GridCell => {
    const box = event.currentTarget.getBoundingClientRect();
    const [down, across] = [event.clientY - box.top, event.clientX - box.left];
    return [clampIndex((size * down) / box.height), clampIndex((size * across) / box.width)];
  };
  const selectCell = (cell: GridCell): void => {
    if (isDragging && String(cell) === String(selected)) return;
    onSelect(cell);
    announce(describeCell(...cell));
  };
  const { isDragging, handlers: pointerHandlers } = usePointerDrag(
    (event) => selectCell(cellUnderPointer(event)),
    (event) => onHover(event && cellUnderPointer(event)),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [row, column] = selected;
    const move = ARROW_MOVES[event.key];
    const target: GridCell | undefined = move
      ? [clampIndex(row + move[0]), clampIndex(column + move[1])]
      : { Home: [row, 0] as GridCell, End: [row, size - 1] as GridCell }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    onHover(null);
    selectCell(target);
  };
  const handlers: HTMLAttributes<HTMLDivElement> = isHydrated
    ? { role: "application", "aria-roledescription": "heat map", tabIndex: 0, onKeyDown, ...pointerHandlers }
    : { role: "img" };
  const toPercent = (index: number): string => `${(100 * index) / size}%`;
  const [top, left, width, height] = [...selected, 1, 1].map(toPercent);
  const selectedStyle = { top, left, width, height };
  const legendValues = [0, Math.expm1(Math.log1p(largest) / 2), largest];
  return (
    <div class="heat-map" style={{ ...colorStyle("data"), "--columns": String(size), "--rows": String(size) }}>
      <p class="axes" aria-hidden="true">
        <span>↓ {rowTitle}</span> <span>→ {columnTitle}</span>
      </p>
      <AxisLabels class="column-labels" labels={labels} currentIndex={selected[1]} />
      <AxisLabels class="row-labels" labels={labels} currentIndex={selected[0]} />
      <div class="cells" aria-label={label} {...handlers}>
        <svg viewBox={`0 0 ${size} ${size}`} preserveAspectRatio="none" shape-rendering="crispEdges" aria-hidden="true">
          {paths.map(([shade, path]) => (
            <path key={shade} style={{ fill: shadeColor(shade) }} d={path} />
          ))}
        </svg>
        <span class="selected" style={selectedStyle} />
      </div>
      <div class="legend" aria-hidden="true">
        <div class="shades">
          {Array.from({ length: SHADE_COUNT + 1 }, (_, shade) => (
            <span style={{ background: shade ? shadeColor(shade) : "none" }} />
          ))}
        </div>
        <div class="legend-values">
          {legendValues.map((value) => (
            <span>{groupThousands(Math.round(value))}</span>
          ))}
        </div>
      </div>
      <Status class="sr-only">{announcement}</Status>
    </div>
  );
}
