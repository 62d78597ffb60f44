/** A number to drag, with its name and its value. */

interface Props {
  label: string;
  value: number;
  min: number;
  max: number;
  step: number;
  onInput(value: number): void;
  /** How the value is written; six significant digits unless told. */
  format?: (value: number) => string;
}

export const sixDigits = (value: number): string => String(Number(value.toPrecision(6)));

export function Slider({ label, value, min, max, step, onInput, format = sixDigits }: Props) {
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
      <output>{format(value)}</output>
    </label>
  );
}
