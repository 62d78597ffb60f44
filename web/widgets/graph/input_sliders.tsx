/** Sliders for the numbers in an expression. */

import { useState } from "preact/hooks";
import { formatSixDigits, Slider } from "../../parts/slider.js";
import type { GraphInput } from "../types.js";

/** Expressions to choose from, each with its name. */
export const EXAMPLE_EXPRESSIONS = [
  ["used twice", "a = 2; b = 3; c = a + b; d = c * a"],
  ["doubled, doubled", "a = 1; b = a + a; c = b + b"],
  ["paths that cancel", "a = 2; b = a * a; c = b - 4 * a"],
  ["a closed relu", "a = 2; b = -5; c = relu(a + b); d = c * a"],
  ["relu at its corner", "x = 0; y = relu(x); z = 3 * y + x"],
  ["softplus", "x = 1; y = log(1 + exp(x))"],
  ["squared error", "x = 3; w = 0.5; b = 1; loss = (w * x + b - 4) ** 2"],
  ["sum of products", "a = 1; b = 3; c = 2; d = -4; z = a * b + c * d"],
] as const;

/** Return the expression with moved values in place of its numbers. */
function replaceNumbers(expression: string, inputs: GraphInput[], movedValues: Map<number, number>): string {
  const all = Array.from(expression); // Python counts characters, JavaScript halves of some.
  // From the last to the first, so that the spans before stay valid.
  for (const [index, value] of [...movedValues].sort(([a], [b]) => b - a)) {
    const [start, end] = inputs[index]?.span ?? [0, 0];
    const before = all.slice(0, start).join("").trimEnd().at(-1) ?? "";
    const after = all.slice(end).join("").trimStart().at(0) ?? "";
    // A negative number needs parentheses after an operator, or before one: -2 ** 2 is -4.
    const needsNoParentheses = "=(".includes(before) && ";)".includes(after);
    const number = formatSixDigits(value);
    all.splice(start, end - start, value < 0 && !needsNoParentheses ? `(${number})` : number);
  }
  return all.join("");
}

interface InputSlidersProps {
  /** The expression whose numbers the inputs are. */
  expression: string;
  inputs: GraphInput[];
  onChange(expression: string): void;
}

/** A slider for each number of the expression. */
export function InputSliders({ expression, inputs, onChange }: InputSlidersProps) {
  const [movedValues, setMovedValues] = useState(new Map<number, number>());
  // A slider keeps its ends while its number moves.
  const [initialInputs] = useState(inputs);
  const move = (index: number, value: number): void => {
    const next = new Map(movedValues).set(index, value);
    setMovedValues(next);
    onChange(replaceNumbers(expression, inputs, next));
  };
  return (
    <div class="inputs controls" role="group" aria-label="Inputs to move">
      {initialInputs.map(({ name, value, low, high, step }, index) => (
        <Slider
          label={name}
          value={movedValues.get(index) ?? value}
          min={low}
          max={high}
          step={step}
          onInput={(value) => move(index, value)}
        />
      ))}
    </div>
  );
}
