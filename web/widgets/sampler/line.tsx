/** The name so far as letters, each with its chance; any of them can be gone back to. */

import { formatPercent } from "../../parts/format.js";
import { useHydrated } from "../../parts/use_hydrated.js";

export interface Slot {
  /** A letter, the end, or ? for what comes next. */
  letter: string;
  p: number;
}

/** `goBack` takes away the letter at a place, and those after it. */
export function Line({ slots, goBack }: { slots: Slot[]; goBack(place: number): void }) {
  const alive = useHydrated();
  const Slot = alive ? "button" : "span";
  return (
    <div class="wrap line" role="group" aria-label="The name so far">
      {slots.map(({ letter, p }, index) => {
        const open = letter === "?";
        const pressed = alive && {
          type: "button" as const,
          // It keeps the focus of the letter that was taken back.
          "aria-disabled": open,
          "aria-label": open ? "What comes next" : `Go back to before ${letter}, which had ${formatPercent(p)}`,
          onClick: () => open || goBack(index),
        };
        return (
          <Slot class={`button slot ${open ? "open" : letter.length > 1 ? "over" : ""}`} {...pressed}>
            <b>{letter}</b>
            <span>{open ? "" : formatPercent(p)}</span>
          </Slot>
        );
      })}
    </div>
  );
}
