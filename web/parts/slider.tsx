/** A number to drag, with its name and its value. */

import { fixed, grouped, signed } from "./numerals.js";

interface Props {
  label: string;
  value: number;
  /** 0 unless told. */
  min?: number;
  max: number;
  /** 1 unless told. */
  step?: number;
  onInput(value: number): void;
  /** How many decimals the value is written with; six significant digits unless told. */
  digits?: number;
  /** How the value is written otherwise. */
  format?: (value: number) => string;
}

export const sixDigits = (value: number): string => String(Number(value.toPrecision(6)));

export function Slider(props: Props) {
  const { label, value, min = 0, max, step = 1, onInput, digits } = props;
  const plain = (value: number): string => (digits === undefined ? signed(sixDigits(value)) : fixed(value, digits));
  const { format = plain } = props;
  return (
    <label class="slider">
      <span class="name">{label}</span>
      <input
        type="range"
        min={min}
        max={max}
        step={step}
        value={value}
        aria-valuetext={format(value)}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
      <span class="value" aria-hidden="true">
        {format(value)}
      </span>
    </label>
  );
}

/** A slider that stops at some numbers alone. */
export function Stops({
  label,
  stops,
  value,
  onInput,
}: Pick<Props, "label" | "value" | "onInput"> & { stops: number[] }) {
  return (
    <Slider
      label={label}
      value={stops.indexOf(value)}
      max={stops.length - 1}
      format={(index) => grouped(stops[index] as number)}
      onInput={(index) => onInput(stops[index] as number)}
    />
  );
}
