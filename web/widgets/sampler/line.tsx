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
  const alive = useAlive();
  return (
    <div class="wrap line" role="group" aria-label="The name so far">
      {slots.map(({ letter, p }, index) => {
        const kind = letter === "?" ? "open" : letter.length > 1 ? "over" : "";
        const classes = ["button slot", kind, index === here && "here", index > here && "later"]
          .filter(Boolean)
          .join(" ");
        const contents = (
          <>
            <b>{letter}</b>
            <span>{letter === "?" ? "" : percent(p)}</span>
          </>
        );
        if (!alive) return <span class={classes}>{contents}</span>;
        const label = letter === "?" ? "what comes next" : `${letter}, ${percent(p)}`;
        return (
          <button
            type="button"
            class={classes}
            aria-pressed={index === here}
            aria-label={`Place ${index + 1}: ${label}`}
            onClick={() => pick(index)}
          >
            {contents}
          </button>
        );
      })}
    </div>
  );
}
