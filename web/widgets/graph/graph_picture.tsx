/**
 * A graph as a picture that lives: boxes with a title and two numbers, arrows with a label. It is laid out as diagrams
 * are, from all but these numbers and labels; so nothing moves while only they change.
 */

import { useMemo, useRef } from "preact/hooks";
import {
  arrowPaths,
  type Box,
  type GraphLayout,
  type LayoutInput,
  layOutGraph,
  type Point,
  type Size,
} from "../../draw/layout.js";
import { CHARACTER_WIDTH_EM, countColumns, formatCoordinate } from "../../draw/svg.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import type { Graph, GraphNode, GraphStep } from "../types.js";

interface Props {
  graph: Graph;
  at: number;
  picked: number | null;
  /** Nodes can be pointed at, touched and reached by keyboard. */
  onPick(node: number): void;
}

const SIZE = 13;
const TITLE = 14;
const LINE = 18;
const AROUND = 12;
const PADDING = { x: 8, y: 7 };
/** Characters of a number that have room in a box, and at an arrow. */
const ROOM = { box: 9, arrow: 6 };

const wide = (text: string, size = SIZE): number => countColumns(text) * CHARACTER_WIDTH_EM * size;
const BESIDE = wide("data ");
const LABEL: Size = { width: ROOM.arrow * SIZE * CHARACTER_WIDTH_EM + 6, height: LINE };

function sizeOf({ title, operation }: GraphNode): Size {
  const head = wide(title, TITLE) + (operation ? wide(operation) + 10 : 0);
  const body = BESIDE + ROOM.box * SIZE * CHARACTER_WIDTH_EM;
  return { width: Math.max(head, body) + 2 * PADDING.x, height: 3 * LINE + 2 * PADDING.y };
}

/** The layout, or its mirror image if that has the first input further left than the last. */
function inOrder(plan: LayoutInput, first: number, last: number): GraphLayout {
  const layout = layOutGraph(plan);
  const at = (node: number): number => layout.boxes.get(String(node))?.x ?? 0;
  if (at(first) <= at(last)) return layout;
  const mirrored = <Place extends Point>(place: Place): Place => ({ ...place, x: layout.width - place.x });
  return {
    ...layout,
    boxes: new Map([...layout.boxes].map(([id, box]) => [id, mirrored(box)])),
    edges: layout.edges.map((edge) => ({ ...mirrored(edge), points: edge.points.map(mirrored) })),
  };
}

/** A number in a row of its box, and what is about to be added; squeezed if it is longer than its room. */
function Row({ name, y, x, text, coming = "" }: { name: string; y: number; x: number; text: string; coming?: string }) {
  const fits = countColumns(`${text} ${coming}`) <= ROOM.box + 1;
  const squeezed = fits
    ? {}
    : { textLength: formatCoordinate(ROOM.box * SIZE * CHARACTER_WIDTH_EM), lengthAdjust: "spacingAndGlyphs" };
  return (
    <>
      <text x={formatCoordinate(x)} y={formatCoordinate(y)}>
        {name}
      </text>
      <text class="value" x={formatCoordinate(x + BESIDE)} y={formatCoordinate(y)} {...squeezed}>
        {text}
        {coming && <tspan class="addend"> {coming}</tspan>}
      </text>
    </>
  );
}

export function Picture({ graph, at, picked, onPick }: Props) {
  const { nodes, edges, steps, last_forward_step: forward } = graph;
  const step = steps[at] as GraphStep;
  const alive = useHydrated();
  const svg = useRef<SVGSVGElement>(null);
  const plan: LayoutInput = {
    nodes: nodes.map((node, index) => ({ id: String(index), size: sizeOf(node) })),
    edges: edges.map(({ source, target }) => ({ from: String(source), to: String(target), size: LABEL })),
  };
  const inputs = [...nodes.keys()].filter((node) => nodes[node]?.is_input);
  const layout = useMemo(() => inOrder(plan, inputs[0] ?? 0, inputs.at(-1) ?? 0), [JSON.stringify(plan)]);
  // A little room around, for the ring of the focus.
  const [width, height] = [Math.ceil(layout.width) + 2 * AROUND, Math.ceil(layout.height) + 2 * AROUND];
  const back = at > forward;
  /** Has a node its value by now? They come in order. */
  const there = (node: number): boolean => back || nodes[node]?.is_input === true || node <= (step.node ?? -1);

  function says(node: GraphNode, index: number): string {
    const name = [node.title, node.operation].filter(Boolean).join(", ");
    if (!there(index)) return `${name}: not computed yet`;
    const slopes = edges.flatMap(({ source, target, local_grad }) =>
      target === index ? [`${local_grad} for ${nodes[source]?.title}`] : [],
    );
    const numbers = `${name}: data ${node.data}, grad ${step.grads[index]}`;
    return slopes.length ? `${numbers}; local gradients ${slopes.join(", ")}` : numbers;
  }
  function onKeyDown(event: KeyboardEvent, index: number): void {
    const by = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Enter: 0, " ": 0 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    svg.current?.querySelector<SVGGElement>(`[data-id="${index + by}"]`)?.focus();
  }
  const handlers = (node: GraphNode, index: number): object => ({
    role: "button",
    tabindex: index === (picked ?? nodes.length - 1) ? 0 : -1,
    "aria-label": says(node, index),
    "aria-pressed": index === picked,
    onFocus: () => onPick(index),
    onClick: () => onPick(index),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
  });

  const edge = ({ source, target, local_grad }: Graph["edges"][number], index: number) => {
    const { points, x, y } = layout.edges[index] as GraphLayout["edges"][number];
    const lit = step.edges.includes(index);
    const { line, head } = arrowPaths(points, lit && back);
    const kind = `${there(target) ? "" : "to-come"} ${lit ? `strong ${back ? "gradient" : "data"}` : ""}`;
    return (
      <g class={`edge ${kind}`} data-from={source} data-to={target}>
        <path class="line" d={line} />
        <path class="head" d={head} />
        <text x={formatCoordinate(x)} y={formatCoordinate(y + 4.5)} aria-hidden="true">
          {lit && back ? step.product : there(target) && local_grad}
        </text>
      </g>
    );
  };
  const box = (node: GraphNode, index: number) => {
    const { x, y, width, height } = layout.boxes.get(String(index)) as Box;
    const [left, top] = [x - width / 2, y - height / 2];
    const base = (row: number): number => top + PADDING.y + row * LINE + 13;
    const now = step.node === index;
    const kinds = [
      node.is_input && "input",
      index === nodes.length - 1 && "result",
      !there(index) && "to-come",
      now && "strong",
      index === picked && "selected",
    ];
    const coming = now ? step.addend : "";
    return (
      <g class={`node ${kinds.filter(Boolean).join(" ")}`} data-id={index} {...(alive && handlers(node, index))}>
        <rect
          class="halo"
          x={formatCoordinate(left - 3)}
          y={formatCoordinate(top - 3)}
          width={formatCoordinate(width + 6)}
          height={formatCoordinate(height + 6)}
          rx="5"
        />
        <rect
          class="box"
          x={formatCoordinate(left)}
          y={formatCoordinate(top)}
          width={formatCoordinate(width)}
          height={formatCoordinate(height)}
          rx="3"
        />
        <text class="title" x={formatCoordinate(left + PADDING.x)} y={formatCoordinate(base(0))}>
          {node.title}
        </text>
        <text class="note" x={formatCoordinate(left + width - PADDING.x)} y={formatCoordinate(base(0))}>
          {node.operation}
        </text>
        <g class="row data">
          <Row name="data" x={left + PADDING.x} y={base(1)} text={there(index) ? node.data : ""} />
        </g>
        <g class="row gradient">
          <Row
            name="grad"
            x={left + PADDING.x}
            y={base(2)}
            text={there(index) ? (step.grads[index] as string) : ""}
            coming={coming}
          />
        </g>
      </g>
    );
  };
  return (
    <svg
      ref={svg}
      class="picture"
      role={alive ? "presentation" : "img"}
      aria-label={alive ? undefined : `${step.caption} ${nodes.map(says).join("; ")}`}
      width={width}
      height={height}
      viewBox={`${-AROUND} ${-AROUND} ${width} ${height}`}
      fill="none"
      stroke="currentColor"
    >
      {edges.map(edge)}
      {nodes.map(box)}
    </svg>
  );
}
