/** What a reader changes in an expression: its numbers, or all of it. */

import { useState } from "preact/hooks";
import { formatSixDigits, Slider } from "../../parts/slider.js";
import type { GraphInput } from "../types.js";

export const EXAMPLES = [
  ["used twice", "a = 2; b = 3; c = a + b; d = c * a"],
  ["doubled, doubled", "a = 1; b = a + a; c = b + b"],
  ["paths that cancel", "a = 2; b = a * a; c = b - 4 * a"],
  ["a closed relu", "a = 2; b = -5; c = relu(a + b); d = c * a"],
  ["relu at its corner", "x = 0; y = relu(x); z = 3 * y + x"],
  ["softplus", "x = 1; y = log(1 + exp(x))"],
  ["squared error", "x = 3; w = 0.5; b = 1; loss = (w * x + b - 4) ** 2"],
  ["sum of products", "a = 1; b = 3; c = 2; d = -4; z = a * b + c * d"],
] as const;

/** The text with other numbers in the places of its inputs. */
function withNumbers(text: string, inputs: GraphInput[], moved: Map<number, number>): string {
  const all = Array.from(text); // Python counts characters, JavaScript halves of some.
  // From the last to the first, so that the places before stay where they are.
  for (const [index, value] of [...moved].sort(([a], [b]) => b - a)) {
    const [start, end] = inputs[index]?.span ?? [0, 0];
    const before = all.slice(0, start).join("").trimEnd().at(-1) ?? "";
    const after = all.slice(end).join("").trimStart().at(0) ?? "";
    // A minus sign would otherwise be taken for what it stands beside: -2 ** 2 is -4.
    const alone = "=(".includes(before) && ";)".includes(after);
    const number = formatSixDigits(value);
    all.splice(start, end - start, value < 0 && !alone ? `(${number})` : number);
  }
  return all.join("");
}

interface NumbersProps {
  /** The expression whose numbers these are. */
  text: string;
  inputs: GraphInput[];
  onText(text: string): void;
}

/** A slider for each number. */
export function Numbers({ text, inputs, onText }: NumbersProps) {
  const [moved, setMoved] = useState(new Map<number, number>());
  // A scale keeps its ends while its number moves.
  const [ranges] = useState(inputs);
  const move = (index: number, value: number): void => {
    const next = new Map(moved).set(index, value);
    setMoved(next);
    onText(withNumbers(text, inputs, next));
  };
  return (
    <div class="inputs controls" role="group" aria-label="Inputs to move">
      {ranges.map(({ name, value, low, high, step }, index) => (
        <Slider
          label={name}
          value={moved.get(index) ?? value}
          min={low}
          max={high}
          step={step}
          onInput={(value) => move(index, value)}
        />
      ))}
    </div>
  );
}
