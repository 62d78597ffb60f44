/** The text so far, a slot for each letter with its probability; pressing a letter goes back to before it. */

import { formatPercent } from "../../parts/format.js";
import { useHydrated } from "../../parts/use_hydrated.js";

/** A letter of the name, the end, or ? for what comes next, with its probability: NaN if it has none yet. */
type NameSlot = { letter: string; p: number };

interface NameSlotsProps {
  label: string;
  /** What stands before the slots. */
  beginning: string;
  slots: NameSlot[];
  /** Take away the letter in the slot at an index, and those after it. */
  onGoBack(index: number): void;
}

export function NameSlots({ label, beginning, slots, onGoBack }: NameSlotsProps) {
  const isHydrated = useHydrated();
  const SlotElement = isHydrated ? "button" : "span";
  return (
    <div class="wrapping-row name-slots" role="group" aria-label={label}>
      {beginning && <span class="beginning">{beginning}</span>}
      {slots.map(({ letter, p }, index) => {
        const isNext = letter === "?";
        const buttonProps = isHydrated && {
          type: "button" as const,
          // Not `disabled`: it keeps the focus of the letter that was taken away.
          "aria-disabled": isNext,
          "aria-label": isNext ? "What comes next" : `Go back to before ${letter}, which had ${formatPercent(p)}`,
          onClick: () => isNext || onGoBack(index),
        };
        return (
          <SlotElement class={`button slot ${isNext ? "open" : letter.length > 1 ? "end" : ""}`} {...buttonProps}>
            <b>{letter}</b>
            <span>{isNext ? "" : formatPercent(p)}</span>
          </SlotElement>
        );
      })}
    </div>
  );
}
