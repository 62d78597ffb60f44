/**
 * A vector as coloured cells, one for each number, the stronger the further it is from 0. A cell can be selected by
 * mouse, touch or arrow keys.
 */

import type { HTMLAttributes } from "preact";
import { useRef } from "preact/hooks";
import { colorMixPercent, colorStyle, type NumberKind, shadeForShare } from "./colors.js";
import { useHydrated } from "./use_hydrated.js";
import { usePointerDrag } from "./use_pointer_drag.js";

interface VectorStripProps {
  values: readonly number[];
  kind: NumberKind;
  /** The absolute value from which on a cell has the strongest colour. */
  maxMagnitude: number;
  /** What the vector is, for screen readers. */
  label: string;
  /** A text for each cell, written above it. */
  cellLabels?: readonly string[];
  /** Cells in a row. */
  columns: number;
  /** Whether each cell is a bar, as high as its share of `maxMagnitude`. */
  hasBars?: boolean;
  /** Unique on the page; needed with `onSelect`. */
  id?: string;
  selected?: number | null;
  /** Makes the cells selectable. */
  onSelect?: (index: number) => void;
  /** Describe a cell for screen readers. */
  describeCell(index: number): string;
}

/** Draws the cells; with `onSelect` they are a listbox. */
export function VectorStrip(props: VectorStripProps) {
  const { values, kind, maxMagnitude, label, cellLabels, columns, id = "", hasBars } = props;
  const { selected = null, onSelect, describeCell } = props;
  const barHeight = (value: number): Record<string, string> =>
    hasBars ? { "--bar-height": `${Math.round((1000 * value) / maxMagnitude) / 10}%` } : {};
  const isHydrated = useHydrated();
  const list = useRef<HTMLDivElement>(null);
  const isSelectable = isHydrated && onSelect !== undefined;
  const cells = (): HTMLElement[] => Array.from(list.current?.children ?? []) as HTMLElement[];
  const selectUnderPointer = (event: PointerEvent): void => {
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest(".vector-cell");
    const index = cells().indexOf(cell as HTMLElement);
    if (index >= 0 && index !== selected) onSelect?.(index);
  };
  const { isDragging, handlers: pointerHandlers } = usePointerDrag(selectUnderPointer);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const all = cells();
    const rowLength = all.filter((cell) => cell.offsetTop === all[0]?.offsetTop).length;
    const current = selected ?? 0;
    const last = values.length - 1;
    const [above, below] = [current - rowLength, current + rowLength];
    const arrows = { ArrowLeft: current - 1, ArrowRight: current + 1, ArrowUp: above, ArrowDown: below };
    const target = { ...arrows, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    if (target >= 0 && target <= last) onSelect?.(target);
  };
  const handlers: HTMLAttributes<HTMLDivElement> = isSelectable
    ? {
        role: "listbox",
        tabIndex: 0,
        "aria-orientation": "horizontal",
        "aria-activedescendant": selected === null ? undefined : `${id}-${selected}`,
        // The keyboard starts at the first cell where none is selected.
        onFocus: () => selected === null && !isDragging && onSelect(0),
        onKeyDown,
        ...pointerHandlers,
      }
    : { role: "img" };
  const largestIndex = values.reduce((best, value, i) => (Math.abs(value) > Math.abs(values[best] ?? 0) ? i : best), 0);
  const superlative = values.some((value) => value < 0) ? "furthest from 0" : "largest";
  return (
    <div
      class={hasBars ? "vector-strip with-bars" : "vector-strip"}
      ref={list}
      aria-label={values.some(Boolean) ? `${label}; ${superlative}: ${describeCell(largestIndex)}` : label}
      style={{ ...colorStyle(kind), "--columns": String(columns) }}
      {...handlers}
    >
      {values.map((value, index) => {
        const shade = shadeForShare(value / maxMagnitude);
        const style = shade === 0 ? undefined : { "--shade": colorMixPercent(shade), ...barHeight(value) };
        const classes = ["vector-cell", value < 0 && "negative", index === selected && "selected"];
        const role = isSelectable ? "option" : undefined;
        const aria = { id: `${id}-${index}`, "aria-selected": index === selected, "aria-label": describeCell(index) };
        return (
          <span class={classes.filter(Boolean).join(" ")} role={role} {...(isSelectable && aria)}>
            {cellLabels && <span class="name">{cellLabels[index]}</span>}
            <span class="fill" style={style} />
          </span>
        );
      })}
    </div>
  );
}
