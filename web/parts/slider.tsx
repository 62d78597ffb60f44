/** A number to drag, with its name and its value. */

import type { ComponentChildren } from "preact";
import { signed } from "./numerals.js";

interface Props {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onInput(value: number): void;
  /** How the value is written; six significant digits unless told. */
  format?: (value: number) => string;
  disabled?: boolean;
  /** More to show at the end of the row. */
  children?: ComponentChildren;
}

export const sixDigits = (value: number): string => String(Number(value.toPrecision(6)));

export function Slider(props: Props) {
  const { label, value, min, max, step, onInput, children } = props;
  const { format = (value: number) => signed(sixDigits(value)), disabled = false } = props;
  return (
    <label class="slider">
      <span class="name">{label}</span>
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        aria-valuetext={format(value)}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
      <span class="value" aria-hidden="true">
        {format(value)}
      </span>
      {children}
    </label>
  );
}
