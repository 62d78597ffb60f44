/** A slider with its name and its value. */

import { formatFixed, groupThousands, withMinusSign } from "./format.js";

interface SliderProps {
  label: string;
  value: number;
  /** 0 by default. */
  min?: number;
  max: number;
  /** 1 by default. */
  step?: number;
  onInput(value: number): void;
  /** Decimals of the value; by default it has up to six significant digits. */
  decimals?: number;
  /** Format the value in another way. */
  format?: (value: number) => string;
}

/** Format a number with up to six significant digits, and a hyphen for a minus sign. */
export const formatSixDigits = (value: number): string => String(Number(value.toPrecision(6)));

/** A labelled slider that shows its formatted value. */
export function Slider(props: SliderProps) {
  const { label, value, min = 0, max, step = 1, onInput, decimals } = props;
  const formatPlain = (value: number): string =>
    decimals === undefined ? withMinusSign(formatSixDigits(value)) : formatFixed(value, decimals);
  const { format = formatPlain } = props;
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

/** A slider that stops only at the numbers of a list. */
export function DiscreteSlider({
  label,
  stops,
  value,
  onInput,
}: Pick<SliderProps, "label" | "value" | "onInput"> & { stops: number[] }) {
  return (
    <Slider
      label={label}
      value={stops.indexOf(value)}
      max={stops.length - 1}
      format={(index) => groupThousands(stops[index] as number)}
      onInput={(index) => onInput(stops[index] as number)}
    />
  );
}
