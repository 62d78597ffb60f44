/**
 * Curves over the steps of a run, and a cursor through them, moved by mouse, touch or
 * keyboard. The plane is as wide as the page lets it be: what is drawn in it stretches,
 * what is written is not drawn.
 */

import { extent, leastIndex } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { useState } from "preact/hooks";
import { IconButton } from "./player.js";
import { usePress } from "./use_press.js";
import { type Seen, useSeen } from "./use_seen.js";

export interface Series {
  /** A class hook for colour and dashes: "s1", "mean". */
  kind: string;
  /** At step 1, 2, 3, …; the curve goes past what is not finite. */
  values: readonly number[];
  /** The run could not go on from its last value. */
  broken?: boolean;
}

/** A cursor on steps 1 to `last`; a step beyond follows the last. */
export function useCursor(first: number, last: number): Seen<number> {
  const cursor = useSeen(first);
  const within = (step: number): number => Math.max(1, Math.min(last, step));
  return { ...cursor, at: within(cursor.at), picked: within(cursor.picked) };
}

interface Props {
  title: string;
  series: Series[];
  /** What the axis shows at least. */
  least: [number, number];
  /** What steps are, where each lies, from 0 to 1, and which are named. */
  unit: string;
  places: readonly number[];
  ticks: readonly [place: number, text: string][];
  /** The last step that the cursor may reach. */
  last: number;
  cursor: Seen<number>;
  /** What the picture shows, in words. */
  label: string;
  /** A step in words, for who cannot see it. */
  describe(step: number): string;
}

/** In which curves are drawn, before they are stretched, and in pixels. */
const [WIDTH, HEIGHT] = [1000, 260];

const finite = (value: number | undefined): value is number => Number.isFinite(value);
const round = (value: number): number => Math.round(value * 10) / 10;

type PlaneProps = Pick<Props, "series" | "least" | "places"> & { at: number };

function Plane({ series, least, places, at }: PlaneProps) {
  const ends = extent([...series.flatMap(({ values }) => values).filter(finite), ...least]) as [number, number];
  const scale = scaleLinear(ends, [HEIGHT, 0]).nice(4);
  const [heights, name] = [scale.ticks(4), scale.tickFormat(4)];
  const x = (step: number): number => places[step - 1] ?? 1;
  const left = (step: number): string => `${round(100 * x(step))}%`;
  const top = (value: number): string => `${round(scale(value))}px`;
  const curve = (values: readonly number[]): string =>
    line().digits(1)(
      values.flatMap((value, i): [number, number][] => (finite(value) ? [[x(i + 1) * WIDTH, scale(value)]] : [])),
    ) ?? "";
  return (
    <div class="plane" aria-hidden="true" style={{ height: `${HEIGHT}px` }}>
      {heights.map((value) => (
        <span class="tick" style={{ top: top(value) }}>
          {name(value)}
        </span>
      ))}
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
        <path class="grid" d={heights.map((value) => `M0 ${round(scale(value))}H${WIDTH}`).join("")} />
        {series.map(({ kind, values }) => (
          <path class={`line ${kind}`} d={curve(values)} />
        ))}
      </svg>
      <span class="cursor" style={{ left: left(at) }} />
      {series.map(({ kind, values, broken }) => {
        const value = values[at - 1];
        const last = values.findLastIndex(finite);
        return (
          <>
            {broken && last >= 0 && (
              <span class={`broken ${kind}`} style={{ left: left(last + 1), top: top(values[last] as number) }} />
            )}
            {finite(value) && <span class={`dot ${kind}`} style={{ left: left(at), top: top(value) }} />}
          </>
        );
      })}
    </div>
  );
}

export function Curves({ title, series, least, unit, places, ticks, last, cursor, label, describe }: Props) {
  // Said when the reader makes a step; a scale that is dragged speaks for itself.
  const [said, say] = useState("");
  const pointed = (event: PointerEvent & { currentTarget: HTMLElement }): number => {
    const box = (event.currentTarget.querySelector(".plane svg") as SVGElement).getBoundingClientRect();
    const place = (event.clientX - box.left) / box.width;
    return 1 + (leastIndex(places, (a, b) => Math.abs(a - place) - Math.abs(b - place)) ?? 0);
  };
  const { handlers } = usePress(
    (event) => cursor.pick(pointed(event)),
    (event) => cursor.look(event && pointed(event)),
  );
  const go = (to: number): void => {
    const step = Math.max(1, Math.min(last, to));
    cursor.pick(step);
    say(describe(step));
  };
  return (
    <div class="curves">
      <div class="planes" role="img" aria-label={label} {...handlers}>
        <p class="note" aria-hidden="true">
          {title}
        </p>
        <Plane {...{ series, least, places }} at={cursor.at} />
        <div class="steps" aria-hidden="true">
          <span class="unit">{unit}</span>
          {ticks.map(([place, text]) => (
            <span class="tick" style={{ left: `${round(100 * place)}%` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
      <div class="scrub controls" role="group" aria-label="Step">
        <IconButton icon="back" says="One step back" off={cursor.picked <= 1} press={() => go(cursor.picked - 1)} />
        <input
          type="range"
          min={1}
          max={places.length}
          value={cursor.picked}
          aria-label="Step"
          aria-valuetext={describe(cursor.picked)}
          onInput={(event) => {
            cursor.pick(event.currentTarget.valueAsNumber);
            say("");
          }}
        />
        <IconButton icon="on" says="One step on" off={cursor.picked >= last} press={() => go(cursor.picked + 1)} />
        <span class="sr-only" role="status">
          {said}
        </span>
      </div>
    </div>
  );
}
