/**
 * Draws curves as static SVG. D3's scales and shapes work on plain
 * numbers, so no document needs to be imitated, and every mark gets a class that
 * docs/styles/ colours. Series differ by colour, by dash or marker, and by the
 * name at their end.
 */

import { extent } from "d3-array";
import { scaleLinear } from "d3-scale";
import {
  line,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolTriangle,
  symbolWye,
} from "d3-shape";
import { type Label, spread } from "./labels.js";
import { CHARACTER, columns, DrawingError, escaped, frame, px } from "./svg.js";

export interface PlotSpec {
  title: string;
  x: string;
  y: string;
  /** Numbers stand at x = 1, 2, 3, …; pairs at their own x. */
  series: Record<string, (number | [number, number])[]>;
}

type Pair = [number, number];

const SIZE = 15;
const WIDTH = 440;
const HEIGHT = 280;
const LABEL_HEIGHT = 18;
const FEW_POINTS = 24;
const SYMBOLS = [symbolCircle, symbolSquare, symbolTriangle, symbolDiamond, symbolCross, symbolWye];
const MOST_SERIES = SYMBOLS.length;

function textWidth(text: string): number {
  return columns(text) * CHARACTER * SIZE;
}

function pairs(name: string, values: unknown): Pair[] {
  if (!Array.isArray(values) || values.length === 0) {
    throw new DrawingError(`the series “${name}” has no points`);
  }
  return values.map((value: unknown, index): Pair => {
    const pair = Array.isArray(value) ? value : [index + 1, value];
    if (pair.length !== 2 || !pair.every((part) => Number.isFinite(part))) {
      throw new DrawingError(`point ${index + 1} of the series “${name}” is neither a number nor a pair`);
    }
    return pair as Pair;
  });
}

function check(spec: PlotSpec): Map<string, Pair[]> {
  for (const key of ["title", "x", "y"] as const) {
    if (typeof spec[key] !== "string" || spec[key] === "") {
      throw new DrawingError(`the plot has no “${key}”`);
    }
  }
  if (typeof spec.series !== "object" || spec.series === null) {
    throw new DrawingError("the plot has no series");
  }
  const names = Object.keys(spec.series);
  if (names.length === 0) throw new DrawingError("the plot has no series");
  if (names.length > MOST_SERIES) {
    throw new DrawingError(`the plot has ${names.length} series; more than ${MOST_SERIES} cannot be told apart`);
  }
  return new Map(names.map((name) => [name, pairs(name, spec.series[name])]));
}

/** Where a curve has more points than pixels, each pixel keeps its extremes. */
function thin(points: Pair[], x: (value: number) => number): Pair[] {
  if (points.length < 400) return points;
  const kept: Pair[] = [];
  let column: Pair[] = [];
  const flush = (): void => {
    if (column.length === 0) return;
    const low = column.reduce((a, b) => (b[1] < a[1] ? b : a));
    const high = column.reduce((a, b) => (b[1] > a[1] ? b : a));
    kept.push(...column.filter((point) => point === low || point === high));
    column = [];
  };
  let at = Number.NaN;
  for (const point of points) {
    const pixel = Math.round(x(point[0]));
    if (pixel !== at) flush();
    at = pixel;
    column.push(point);
  }
  flush();
  return kept;
}

interface NamedLabel extends Label {
  name: string;
  index: number;
}

export function drawPlot(spec: PlotSpec): string {
  const series = check(spec);
  const all = [...series.values()].flat();
  const [x0 = 0, x1 = 1] = extent(all, (point) => point[0]);
  const [y0 = 0, y1 = 1] = extent(all, (point) => point[1]);
  const x = scaleLinear().domain(x0 !== x1 ? [x0, x1] : [x0 - 1, x1 + 1]);
  const y = scaleLinear().domain(y0 !== y1 ? [y0, y1] : [y0 - 1, y1 + 1]);
  y.nice(5);

  const yTicks = y.ticks(5).filter((_, index, ticks) => index % Math.ceil(ticks.length / 6) === 0);
  const yNames = yTicks.map(y.tickFormat(5));
  const names = [...series.keys()];
  const alone = names.length === 1;
  const left = Math.max(...yNames.map(textWidth)) + 12;
  const right = alone ? 26 : Math.min(170, Math.max(...names.map(textWidth)) + 22);
  const [top, bottom] = [34, HEIGHT - 46];
  x.range([left, WIDTH - right]);
  y.range([bottom, top]);
  const mostTicks = Math.min(5, Math.floor((WIDTH - left - right) / 60));
  const xTicks = x.ticks(mostTicks);
  const xNames = xTicks.map(x.tickFormat(5));

  const grid = yTicks.map((tick) => {
    return `M${px(left)} ${px(y(tick))}H${px(WIDTH - right)}`;
  });
  const parts = [`<path class="grid" d="${grid.join("")}"/>`];
  parts.push('<g class="axis">');
  yTicks.forEach((tick, index) => {
    const at = `x="${px(left - 8)}" y="${px(y(tick) + 5)}"`;
    parts.push(`<text class="end" ${at}>${escaped(yNames[index] as string)}</text>`);
  });
  xTicks.forEach((tick, index) => {
    const at = `x="${px(x(tick))}" y="${px(bottom + 20)}"`;
    parts.push(`<text ${at}>${escaped(xNames[index] as string)}</text>`);
  });
  parts.push(`<text class="start title" x="1" y="15">${escaped(spec.y)}</text>`);
  parts.push(`<text class="end title" x="${px(WIDTH - right)}" y="${HEIGHT - 5}">` + `${escaped(spec.x)}</text></g>`);

  const labels: NamedLabel[] = [];
  const curve = line<Pair>()
    .x((point) => x(point[0]))
    .y((point) => y(point[1]))
    .digits(1);
  names.forEach((name, index) => {
    const points = series.get(name) as Pair[];
    const mark = symbol(SYMBOLS[index] ?? symbolCircle, 34).digits(1)() as string;
    const dots = (shown: Pair[]): string =>
      shown
        .map(([px_, py_]) => {
          const at = `translate(${px(x(px_))} ${px(y(py_))})`;
          return `<path class="dot" transform="${at}" d="${mark}"/>`;
        })
        .join("");
    parts.push(`<g class="series s${index + 1}">`);
    parts.push(`<path class="curve" d="${curve(thin(points, x)) as string}"/>`);
    parts.push(dots(points.length <= FEW_POINTS ? points : points.slice(-1)));
    parts.push("</g>");
    const last = points.reduce((a, b) => (b[0] >= a[0] ? b : a));
    labels.push({ name, index, end: y(last[1]), y: 0 });
  });
  if (!alone) {
    spread(labels, top, bottom, LABEL_HEIGHT);
    for (const { name, index, end, y: at } of labels) {
      const from = WIDTH - right;
      const leader =
        Math.abs(at - end) > 6
          ? `<path class="leader" d="M${px(from + 5)} ${px(end)}L${px(from + 12)} ${px(at)}"/>`
          : "";
      parts.push(
        `<g class="series s${index + 1}">${leader}` +
          `<text class="start" x="${px(from + 14)}" y="${px(at + 5)}">${escaped(name)}</text></g>`,
      );
    }
  }
  const format = (value: number): string => String(Number(value.toPrecision(4)));
  const described = [...series].map(([name, points]) => {
    const [first, last] = [points[0] as Pair, points.at(-1) as Pair];
    return `${name}, from ${format(first[1])} to ${format(last[1])}`;
  });
  const label = `${spec.title}. ${spec.y} against ${spec.x}: ${described.join("; ")}`;
  return frame("drawn-plot", label, WIDTH, HEIGHT, parts.join(""));
}
