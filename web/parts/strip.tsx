/**
 * A vector as a row of cells, one for each number: the stronger, the further from 0. A
 * cell can be picked by mouse, touch or arrow keys.
 */

import type { HTMLAttributes } from "preact";
import { useRef } from "preact/hooks";
import { type Kind, roleOf, shadeOf, strength } from "./kinds.js";
import { useAlive } from "./use_alive.js";
import { usePress } from "./use_press.js";

interface Props {
  values: readonly number[];
  kind: Kind;
  /** The size of a number at which a cell is strongest. */
  limit: number;
  /** What the vector is, in words. */
  label: string;
  /** A name for each cell, written above it. */
  names?: readonly string[];
  /** Cells in a row. */
  columns: number;
  /** Each cell is a bar that stands on its foot. */
  tall?: boolean;
  /** Unique on the page. With `onPick`, cells can be picked. */
  id?: string;
  picked?: number | null;
  onPick?: (index: number) => void;
  /** A cell in words, for who cannot see it. */
  describe(index: number): string;
}

export function Strip(props: Props) {
  const { values, kind, limit, label, names, columns, id = "", tall } = props;
  const { picked = null, onPick, describe } = props;
  const high = (value: number): Record<string, string> =>
    tall ? { "--high": `${Math.round((1000 * value) / limit) / 10}%` } : {};
  const alive = useAlive();
  const list = useRef<HTMLDivElement>(null);
  const touchable = alive && onPick !== undefined;
  const cells = (): HTMLElement[] => Array.from(list.current?.children ?? []) as HTMLElement[];
  const pointed = (event: PointerEvent): void => {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest(".square");
    const index = cells().indexOf(under as HTMLElement);
    if (index >= 0 && index !== picked) onPick?.(index);
  };
  const { pressed, handlers: pointing } = usePress(pointed);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const all = cells();
    const row = all.filter((cell) => cell.offsetTop === all[0]?.offsetTop).length;
    const at = picked ?? 0;
    const last = values.length - 1;
    const to = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at - row,
      ArrowDown: at + row,
      Home: 0,
      End: last,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to >= 0 && to <= last) onPick?.(to);
  };
  const handlers: HTMLAttributes<HTMLDivElement> = touchable
    ? {
        role: "listbox",
        tabIndex: 0,
        "aria-orientation": "horizontal",
        "aria-activedescendant": picked === null ? undefined : `${id}-${picked}`,
        // Who comes to a strip in which nothing is picked can hear and see where it begins.
        onFocus: () => picked === null && !pressed && onPick(0),
        onKeyDown,
        ...pointing,
      }
    : { role: "img" };
  const furthest = values.reduce((far, value, i) => (Math.abs(value) > Math.abs(values[far] ?? 0) ? i : far), 0);
  return (
    <div
      class={tall ? "strip tall" : "strip"}
      ref={list}
      aria-label={
        values.some(Boolean)
          ? `${label}; ${values.some((value) => value < 0) ? "furthest from 0" : "largest"}: ${describe(furthest)}`
          : label
      }
      style={{ ...roleOf(kind), "--columns": String(columns) }}
      {...handlers}
    >
      {values.map((value, index) => {
        const shade = shadeOf(value / limit);
        const classes = ["square", value < 0 && "below", index === picked && "picked"];
        const option: HTMLAttributes<HTMLSpanElement> = touchable
          ? {
              role: "option",
              id: `${id}-${index}`,
              "aria-selected": index === picked,
              "aria-label": describe(index),
            }
          : {};
        return (
          <span class={classes.filter(Boolean).join(" ")} {...option}>
            {names && <span class="name">{names[index]}</span>}
            <span class="fill" style={shade === 0 ? undefined : { "--shade": strength(shade), ...high(value) }} />
          </span>
        );
      })}
    </div>
  );
}
