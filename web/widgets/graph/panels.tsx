/** What opens below the graph: sliders for its numbers. */

import { useRef } from "preact/hooks";
import { Slider, sixDigits } from "../../parts/slider.js";
import type { GraphInput } from "../types.js";
import { characters } from "./expression.js";

/** The text with other numbers in the places of its inputs. */
export function withNumbers(text: string, inputs: GraphInput[], moved: Map<number, number>): string {
  const all = characters(text);
  // From the last to the first, so that the places before stay where they are.
  for (const [index, value] of [...moved].sort(([a], [b]) => b - a)) {
    const [start, end] = inputs[index]?.place ?? [0, 0];
    const before = all.slice(0, start).join("").trimEnd().at(-1) ?? "";
    const after = all.slice(end).join("").trimStart().at(0) ?? "";
    // A minus sign would otherwise be taken for what it stands beside: -2 ** 2 is -4.
    const alone = "=(".includes(before) && ";)".includes(after);
    const number = sixDigits(value);
    all.splice(start, end - start, value < 0 && !alone ? `(${number})` : number);
  }
  return all.join("");
}

interface NumbersProps {
  inputs: GraphInput[];
  /** What the reader has moved since the expression was typed. */
  moved: Map<number, number>;
  disabled: boolean;
  onMove(index: number, value: number): void;
  onPick(node: number): void;
}

export function Numbers({ inputs, moved, disabled, onMove, onPick }: NumbersProps) {
  // A scale keeps its ends while its number moves.
  const ranges = useRef(inputs);
  if (moved.size === 0 || ranges.current.length !== inputs.length) ranges.current = inputs;
  return (
    <div class="inputs" role="group" aria-label="Inputs to move">
      {inputs.map((input, index) => {
        const { low, high, step } = ranges.current[index] ?? input;
        const pick = (): void => onPick(input.node);
        return (
          <div onPointerDown={pick} onFocusCapture={pick}>
            <Slider
              label={input.name}
              value={moved.get(index) ?? input.value}
              min={low}
              max={high}
              step={step}
              onInput={(value) => onMove(index, value)}
              disabled={disabled}
            />
          </div>
        );
      })}
    </div>
  );
}
