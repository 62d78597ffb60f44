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
export function DiscreteSlider(props: Pick<SliderProps, "label" | "value" | "onInput"> & { stops: number[] }) {
  const { label, stops, value, onInput } = props;
  const stop = (index: number) => stops[index] as number;
  const format = (index: number) => groupThousands(stop(index));
  return (
    <Slider
      label={label}
      format={format}
      value={stops.indexOf(value)}
      max={stops.length - 1}
      onInput={(index) => onInput(stop(index))}
    />
  );
}
