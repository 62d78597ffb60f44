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
  name: string;
  /** A class hook for colour and dashes: "s1", "mean". */
  kind: string;
  /** At step 1, 2, 3, …; the curve goes past what is not finite. */
  values: readonly number[];
  /** The run could not go on from its last value. */
  broken?: boolean;
}

interface Panel {
  title: string;
  series: Series[];
  /** In pixels. */
  height: number;
  /** What the axis shows at least. */
  least?: [number, number];
}

/** A cursor on steps 1 to `last`; a step beyond follows the last. */
export function useCursor(first: number, last: number): Seen<number> {
  const cursor = useSeen(first);
  const within = (step: number): number => Math.max(1, Math.min(last, step));
  return { ...cursor, at: within(cursor.at), picked: within(cursor.picked) };
}

interface Props {
  panel: Panel;
  /** The step at the right end. */
  steps: number;
  /** The last step that the cursor may reach. */
  last: number;
  cursor: Seen<number>;
  /** What the picture shows, in words. */
  label: string;
  /** A step in words, for who cannot see it. */
  describe(step: number): string;
  /** Where steps are not as far from each other: what they are, and where each lies, from 0 to 1. */
  along?: { unit: string; places: readonly number[]; ticks: readonly [place: number, text: string][] };
}

/** Width of the coordinates in which curves are drawn, before they are stretched. */
const WIDTH = 1000;
/** Steps from which on curves are drawn finer. */
const MANY = 250;
/** Of a name at the end of a curve, which may take several. */
const LINE_HEIGHT = 16;

interface Axis {
  y(value: number): number;
  ticks: [at: number, text: string][];
}

const finite = (value: number | undefined): value is number => Number.isFinite(value);

function axisOf({ series, height, least }: Panel): Axis {
  const ends = [...series.flatMap((one) => one.values).filter(finite), ...(least ?? [])];
  const [low, high] = extent(ends);
  if (low === undefined) return { y: () => height, ticks: [] };
  const around = low === high ? 1 : 0;
  const y = scaleLinear([low - around, high + around], [height, 0]).nice(4);
  const name = y.tickFormat(4);
  return { y, ticks: y.ticks(4).map((tick) => [tick, name(tick)]) };
}

const round = (value: number): number => Math.round(value * 10) / 10;

function curve({ values }: Series, x: Place, y: Axis["y"]): string {
  const points = values.flatMap((value, i): [number, number][] =>
    finite(value) ? [[x(i + 1) * WIDTH, y(value)]] : [],
  );
  return line().digits(1)(points) ?? "";
}

type Place = (step: number) => number;

/** A name at the end of a curve. */
interface Label {
  height: number;
  /** Where the curve ends, and where the middle of its name goes. */
  end: number;
  y: number;
}

/** Move labels apart, as far up as down, so that none covers another or leaves the plane. */
function spread(labels: Label[], bottom: number): void {
  labels.sort((a, b) => Math.round(a.end) - Math.round(b.end));
  let packed = 0;
  // Where each would stand if all were packed at the top: what it is moved down from there never shrinks.
  const tight = labels.map(({ height }) => {
    packed += height;
    return packed - height / 2;
  });
  const moves = labels.map(({ end }, i) => end - (tight[i] as number));
  labels.forEach((label, i) => {
    const move = (Math.max(...moves.slice(0, i + 1)) + Math.min(...moves.slice(i))) / 2;
    label.y = (tight[i] as number) + Math.max(0, Math.min(bottom - packed, move));
  });
}

/** As many words in each line as it has room for, ten letters. */
const linesOf = (name: string): string[] => name.match(/\S(.{0,9}|\S+)(?= |$)/g) ?? [];

function Plane({ panel, x, at }: { panel: Panel; x: Place; at: number }) {
  const { title, series, height } = panel;
  const { y, ticks } = axisOf(panel);
  const left = (step: number): string => `${round(100 * x(step))}%`;
  const names = series
    .filter(({ name }) => name && series.length > 1)
    .map(({ name, kind, values }) => {
      const [lines, end] = [linesOf(name), y(values.findLast(finite) ?? 0)];
      return { kind, lines, height: LINE_HEIGHT * lines.length + 2, end, y: end };
    });
  spread(names, height);
  return (
    <>
      <p class="title" aria-hidden="true">
        {title}
      </p>
      <div class="plane" aria-hidden="true" style={{ height: `${height}px` }}>
        {ticks.map(([tick, text]) => (
          <span class="tick" style={{ top: `${round(y(tick))}px` }}>
            {text}
          </span>
        ))}
        <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
          <path class="grid" d={ticks.map(([tick]) => `M0 ${round(y(tick))}H${WIDTH}`).join("")} />
          {series.map((one) => (
            <path class={`line ${one.kind}`} d={curve(one, x, y)} />
          ))}
        </svg>
        <span class="cursor" style={{ left: left(at) }} />
        {series.map((one) => {
          const value = one.values[at - 1];
          const last = one.values.findLastIndex(finite);
          const end = `${round(y((one.values[last] as number) ?? 0))}px`;
          return (
            <>
              {one.broken && last >= 0 && (
                <span class={`broken ${one.kind}`} style={{ left: left(last + 1), top: end }} />
              )}
              {finite(value) && (
                <span class={`dot ${one.kind}`} style={{ left: left(at), top: `${round(y(value))}px` }} />
              )}
            </>
          );
        })}
        {names.map(({ kind, lines, y: top }) => (
          <span class={`name ${kind}`} style={{ top: `${round(top)}px` }}>
            {lines.map((words) => (
              <span>{words} </span>
            ))}
          </span>
        ))}
      </div>
    </>
  );
}

export function Curves({ panel, steps, last, cursor, label, describe, along }: Props) {
  // Said when the reader makes a step; a scale that is dragged speaks for itself.
  const [said, say] = useState("");
  const even = scaleLinear([1, Math.max(2, steps)], [0, 1]);
  const x: Place = along ? (step) => along.places[step - 1] ?? 1 : even;
  const whole = even.ticks(6).filter((tick) => Number.isInteger(tick) && tick > 0);
  const ticks = along?.ticks ?? whole.map((tick): [number, string] => [even(tick), even.tickFormat(6)(tick)]);
  const pointed = (event: PointerEvent & { currentTarget: HTMLElement }): number => {
    const plane = event.currentTarget.querySelector(".plane svg") as SVGElement;
    const box = plane.getBoundingClientRect();
    const place = (event.clientX - box.left) / box.width;
    if (!along) return Math.round(even.invert(place));
    return 1 + (leastIndex(along.places, (a, b) => Math.abs(a - place) - Math.abs(b - place)) ?? 0);
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
    <div class={steps > MANY ? "curves dense" : "curves"}>
      <div class="planes" role="img" aria-label={label} {...handlers}>
        <Plane panel={panel} x={x} at={cursor.at} />
        <div class="steps" aria-hidden="true">
          <span class="unit">{along?.unit ?? "step"}</span>
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
          max={Math.max(2, steps)}
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
