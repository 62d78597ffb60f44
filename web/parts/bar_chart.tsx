/** Horizontal bars in two columns, such as the probability of each token after a softmax; each bar is a button. */

import { colorStyle, type NumberKind } from "./colors.js";
import { useHydrated } from "./use_hydrated.js";

/** A bar with its name, such as a token with its probability. */
export interface Bar {
  name: string;
  /** From 0 to `max`; NaN where there is none. */
  value: number;
  /** Whether the bar stands out, such as that of the target. */
  isMarked?: boolean;
}

interface BarChartProps {
  bars: Bar[];
  /** The value of a full bar. */
  max: number;
  kind: NumberKind;
  format: (value: number) => string;
  /** Room for a formatted value, in characters; by default that of the longest value now. */
  valueWidth?: number;
  /** A bar was pressed whose value is above 0. */
  onSelect(index: number): void;
  /** What the bars show, for screen readers; unique on the page. */
  label: string;
}

/** Draws the bars in two columns. */
export function BarChart({ bars, max, kind, format, valueWidth, onSelect, label }: BarChartProps) {
  const isHydrated = useHydrated();
  const texts = bars.map(({ value }) => format(value));
  const valueColumnWidth = valueWidth ?? Math.max(...texts.map((text) => text.length));
  const rows = String(Math.ceil(bars.length / 2));
  const style = { ...colorStyle(kind), "--rows": rows, "--value-width": `${valueColumnWidth}ch` };
  const width = (value: number): string => `${Math.round(1000 * Math.min(1, Math.max(0, value || 0) / max)) / 10}%`;
  return (
    <ul class="bar-chart" aria-label={label} style={style}>
      {bars.map(({ name, value, isMarked }, index) => (
        <li class={["bar-row", isMarked && "marked", value === 0 && "impossible"].filter(Boolean).join(" ")}>
          <span class="name" aria-hidden={isHydrated}>
            {name}
          </span>
          <span class="track" aria-hidden="true">
            <span class="fill" style={{ width: width(value) }} />
          </span>
          <span class="value" aria-hidden={isHydrated}>
            {texts[index]}
          </span>
          <button
            class="controls"
            type="button"
            aria-label={`Take ${name}, ${texts[index]}`}
            aria-disabled={!(value > 0)}
            onClick={() => value > 0 && onSelect(index)}
          />
        </li>
      ))}
    </ul>
  );
}
