/**
 * Curves over the steps of a run, such as its losses, and a cursor through them, moved by mouse, touch or keyboard.
 * The plot is as wide as the page allows: its lines are an SVG that stretches, its texts are HTML and do not.
 */

import { extent, leastIndex } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { useState } from "preact/hooks";
import { IconButton } from "./icon_button.js";
import { Status } from "./status.js";
import { type HoverSelection, useHoverSelection } from "./use_hover_selection.js";
import { usePointerDrag } from "./use_pointer_drag.js";

/** The values of one curve. */
export interface Series {
  /** CSS class of the curve, which gives it its colour and dashes. */
  className: string;
  /** At steps 1, 2, 3, …; the curve skips values that are not finite. */
  values: readonly number[];
  /** Whether the run broke down after its last finite value. */
  hasDiverged?: boolean;
}

/** Return a cursor on steps 1 to `lastStep`; one that was set beyond stays on the last step as that grows. */
export function useStepCursor(initial: number, lastStep: number): HoverSelection<number> {
  const cursor = useHoverSelection(initial);
  const clamp = (step: number): number => Math.max(1, Math.min(lastStep, step));
  return { ...cursor, shown: clamp(cursor.shown), selected: clamp(cursor.selected) };
}

interface LineChartProps {
  title: string;
  series: Series[];
  /** The range that the y axis covers at least. */
  minYRange: [number, number];
  /** What the x axis counts. */
  xUnit: string;
  /** The position of each step on the x axis, from 0 to 1. */
  xPositions: readonly number[];
  xTicks: readonly [position: number, text: string][];
  /** The last step that the cursor may reach. */
  lastStep: number;
  cursor: HoverSelection<number>;
  /** What the chart shows, for screen readers. */
  label: string;
  /** Describe a step for screen readers. */
  describeStep(step: number): string;
}

/** The width in which curves are drawn before they are stretched, and the height in pixels. */
const [WIDTH, HEIGHT] = [1000, 260];

const isFiniteNumber = (value: number | undefined): value is number => Number.isFinite(value);
const roundToTenth = (value: number): number => Math.round(value * 10) / 10;

type PlotAreaProps = Pick<LineChartProps, "series" | "minYRange" | "xPositions"> & { step: number };

function PlotArea({ series, minYRange, xPositions, step }: PlotAreaProps) {
  const values = series.flatMap(({ values }) => values).filter(isFiniteNumber);
  const scale = scaleLinear(extent([...values, ...minYRange]) as [number, number], [HEIGHT, 0]).nice(4);
  const [yTicks, formatTick] = [scale.ticks(4), scale.tickFormat(4)];
  const x = (step: number): number => xPositions[step - 1] ?? 1;
  const left = (step: number): string => `${roundToTenth(100 * x(step))}%`;
  const top = (value: number): string => `${roundToTenth(scale(value))}px`;
  const curvePath = (values: readonly number[]): string => {
    const points = values.map((value, i): [number, number] => [x(i + 1) * WIDTH, scale(value)]);
    return line().digits(1)(points.filter(([, y]) => isFiniteNumber(y))) ?? "";
  };
  return (
    <div class="plot-area" aria-hidden="true" style={{ height: `${HEIGHT}px` }}>
      {yTicks.map((value) => (
        <span class="tick" style={{ top: top(value) }}>
          {formatTick(value)}
        </span>
      ))}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
        <path class="grid" d={yTicks.map((value) => `M0 ${roundToTenth(scale(value))}H${WIDTH}`).join("")} />
        {series.map(({ className, values }) => (
          <path class={`line ${className}`} d={curvePath(values)} />
        ))}
      </svg>
      <span class="cursor" style={{ left: left(step) }} />
      {series.map(({ className, values, hasDiverged }) => {
        const value = values[step - 1];
        const lastFinite = values.findLastIndex(isFiniteNumber);
        return (
          <>
            {hasDiverged && lastFinite >= 0 && (
              <span
                class={`diverged ${className}`}
                style={{ left: left(lastFinite + 1), top: top(values[lastFinite] as number) }}
              />
            )}
            {isFiniteNumber(value) && <span class={`dot ${className}`} style={{ left: left(step), top: top(value) }} />}
          </>
        );
      })}
    </div>
  );
}

/** Draws the curves, the axes and the cursor, with buttons and a slider that move it. */
export function LineChart(props: LineChartProps) {
  const { title, series, minYRange, xUnit, xPositions, xTicks, lastStep, cursor, label, describeStep } = props;
  // Read aloud when a button makes a step; a slider that is dragged announces its own value.
  const [announcement, announce] = useState("");
  const stepUnderPointer = (event: PointerEvent & { currentTarget: HTMLElement }): number => {
    const box = (event.currentTarget.querySelector(".plot-area svg") as SVGElement).getBoundingClientRect();
    const position = (event.clientX - box.left) / box.width;
    return 1 + (leastIndex(xPositions, (a, b) => Math.abs(a - position) - Math.abs(b - position)) ?? 0);
  };
  const { handlers } = usePointerDrag(
    (event) => cursor.select(stepUnderPointer(event)),
    (event) => cursor.hover(event && stepUnderPointer(event)),
  );
  const goToStep = (target: number): void => {
    const step = Math.max(1, Math.min(lastStep, target));
    cursor.select(step);
    announce(describeStep(step));
  };
  return (
    <div class="line-chart">
      <div class="plot" role="img" aria-label={label} {...handlers}>
        <p class="note" aria-hidden="true">
          {title}
        </p>
        <PlotArea {...{ series, minYRange, xPositions }} step={cursor.shown} />
        <div class="x-axis" aria-hidden="true">
          <span class="unit">{xUnit}</span>
          {xTicks.map(([position, text]) => (
            <span class="tick" style={{ left: `${roundToTenth(100 * position)}%` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <div class="step-slider controls" role="group" aria-label="Step">
        <IconButton
          icon="previous"
          label="One step back"
          isDisabled={cursor.selected <= 1}
          onPress={() => goToStep(cursor.selected - 1)}
        />
        <input
          type="range"
          min={1}
          max={xPositions.length}
          value={cursor.selected}
          aria-label="Step"
          aria-valuetext={describeStep(cursor.selected)}
          onInput={(event) => {
            cursor.select(event.currentTarget.valueAsNumber);
            announce("");
          }}
        />
        <IconButton
          icon="next"
          label="One step on"
          isDisabled={cursor.selected >= lastStep}
          onPress={() => goToStep(cursor.selected + 1)}
        />
        <Status class="sr-only">{announcement}</Status>
      </div>
    </div>
  );
}
