/** The name so far as letters, each with its chance; any of them can be gone back to. */

import { percent } from "../../parts/numerals.js";
import { useAlive } from "../../parts/use_alive.js";

export interface Slot {
  /** A letter, the end, or ? for what comes next. */
  letter: string;
  p: number;
}

interface Props {
  slots: Slot[];
  /** The one whose bars are shown. */
  here: number;
  pick(place: number): void;
}

export function Line({ slots, here, pick }: Props) {
  const Slot = useAlive() ? "button" : "span";
  return (
    <div class="wrap line" role="group" aria-label="The name so far">
      {slots.map(({ letter, p }, index) => {
        const kind = letter === "?" ? "open" : letter.length > 1 ? "over" : "";
        const classes = ["button slot", kind, index === here && "here", index > here && "later"];
        const label = letter === "?" ? "what comes next" : `${letter}, ${percent(p)}`;
        return (
          <Slot
            class={classes.filter(Boolean).join(" ")}
            {...(Slot === "button" && {
              type: "button",
              "aria-pressed": index === here,
              "aria-label": `Place ${index + 1}: ${label}`,
              onClick: () => pick(index),
            })}
          >
            <b>{letter}</b>
            <span>{letter === "?" ? "" : percent(p)}</span>
          </Slot>
        );
      })}
    </div>
  );
}
