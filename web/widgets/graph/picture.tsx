/**
 * A graph as a picture that lives: boxes with a title and two numbers, arrows with a label. It is laid out as diagrams
 * are, from all but these numbers and labels; so nothing moves while only they change.
 */

import { useMemo, useRef } from "preact/hooks";
import { arrow, type Box, type Layout, layOut, type Plan, type Point, type Size } from "../../draw/layout.js";
import { CHARACTER, columns, px } from "../../draw/svg.js";
import { useAlive } from "../../parts/use_alive.js";
import { arrows, boxes, type Scene } from "./play.js";

type Shown = ReturnType<typeof boxes>[number];

interface Props {
  scene: Scene;
  /** What names the moment, if something is to be seen moving in it. */
  moving: string | undefined;
  picked: number | null;
  /** With this, nodes can be pointed at, touched and reached by keyboard. */
  onPick: ((node: number) => void) | undefined;
}

const SIZE = 13;
const TITLE = 14;
const LINE = 18;
const AROUND = 12;
const PADDING = { x: 8, y: 7 };
/** Characters that have room at an edge. */
const ROOM = 6;

const wide = (text: string, size = SIZE): number => columns(text) * CHARACTER * size;

function sizeOf({ title, note, rows, room }: Shown): Size {
  const head = wide(title, TITLE) + (note ? wide(note) + 10 : 0);
  const body = rows.map(({ label }) => wide(label) + SIZE * CHARACTER * (1 + room));
  return {
    width: Math.max(head, ...body, 26) + 2 * PADDING.x,
    height: (1 + rows.length) * LINE + 2 * PADDING.y,
  };
}

/** Of what stands side by side, the first is to be on the left: if more of it is not, the layout is mirrored. */
function firstToTheLeft(plan: Plan): Layout {
  const layout = layOut(plan);
  const boxes = [...layout.boxes.values()];
  const turned = boxes.flatMap((a, i) =>
    boxes.slice(i + 1).map((b) => (Math.abs(a.y - b.y) < 1 ? Math.sign(a.x - b.x) : 0)),
  );
  if (turned.reduce((sum, each) => sum + each, 0) <= 0) return layout;
  const mirrored = <Place extends Point>(place: Place): Place => ({ ...place, x: layout.width - place.x });
  return {
    ...layout,
    boxes: new Map([...layout.boxes].map(([id, box]) => [id, mirrored(box)])),
    edges: layout.edges.map((edge) => ({ ...mirrored(edge), points: edge.points.map(mirrored) })),
  };
}

/** What makes a number fit that is longer than its room. */
function squeezed({ value, coming }: Shown["rows"][number], room: number): object {
  const fits = columns(coming ? `${value} ${coming}` : value) <= room;
  return fits ? {} : { textLength: px(room * SIZE * CHARACTER), lengthAdjust: "spacingAndGlyphs" };
}

function Node({ node, box }: { node: Shown; box: Box }) {
  const [left, right] = [box.x - box.width / 2, box.x + box.width / 2];
  const top = box.y - box.height / 2;
  const base = (index: number): string => px(top + PADDING.y + index * LINE + 13);
  return (
    <>
      <rect
        class="halo"
        x={px(left - 3)}
        y={px(top - 3)}
        width={px(box.width + 6)}
        height={px(box.height + 6)}
        rx="5"
      />
      <rect class="box" x={px(left)} y={px(top)} width={px(box.width)} height={px(box.height)} rx="3" />
      <text class="title" x={px(left + PADDING.x)} y={base(0)}>
        {node.title}
      </text>
      {node.note && (
        <text class="note" x={px(right - PADDING.x)} y={base(0)}>
          {node.note}
        </text>
      )}
      {node.rows.map((row, index) => (
        <g key={`${row.label} ${row.arrives}`} class={`row ${row.kind} ${row.arrives === undefined ? "" : "arrives"}`}>
          <text x={px(left + PADDING.x)} y={base(index + 1)}>
            {row.label}
          </text>
          <text
            class="value"
            x={px(left + PADDING.x + wide(row.label) + SIZE * CHARACTER)}
            y={base(index + 1)}
            {...squeezed(row, node.room)}
          >
            {row.value}
            {row.coming && <tspan class="addend"> {row.coming}</tspan>}
          </text>
        </g>
      ))}
    </>
  );
}

function Edge({ edge, points, at }: { edge: ReturnType<typeof arrows>[number]; points: Point[]; at: Point }) {
  const { line, head } = arrow(points, edge.back);
  return (
    <g class={`edge ${edge.kind}`} data-from={edge.from} data-to={edge.to}>
      <path class="line" d={line} />
      <path class="head" d={head} />
      {edge.pulse !== undefined && (
        <path key={edge.pulse} class={edge.back ? "pulse back" : "pulse"} d={line} pathLength={1} />
      )}
      <text x={px(at.x)} y={px(at.y + 4.5)} aria-hidden="true">
        {edge.label}
      </text>
    </g>
  );
}

const ARROWS: Record<string, [dx: number, dy: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The node nearest to another in the direction of an arrow key. */
function neighbour(boxes: Map<string, Box>, from: string, key: string): string | null {
  const [direction, here] = [ARROWS[key], boxes.get(from)];
  if (direction === undefined || here === undefined) return null;
  const [dx, dy] = direction;
  let best: [string | null, number] = [null, Infinity];
  for (const [id, box] of boxes) {
    const [x, y] = [box.x - here.x, box.y - here.y];
    const along = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    if (along > 1 && along + 2 * aside < best[1]) best = [id, along + 2 * aside];
  }
  return best[0];
}

export function Picture({ scene, moving, picked, onPick }: Props) {
  const alive = useAlive();
  const svg = useRef<SVGSVGElement>(null);
  const [nodes, edges] = [boxes(scene, moving), arrows(scene, moving)];
  const label: Size = { width: ROOM * SIZE * CHARACTER + 6, height: LINE };
  const plan: Plan = {
    nodes: nodes.map((node) => ({ id: node.id, size: sizeOf(node) })),
    edges: edges.map(({ from, to }) => ({ from, to, size: label })),
  };
  const layout = useMemo(() => firstToTheLeft(plan), [JSON.stringify(plan)]);
  // A little room around, for the ring of the focus.
  const [width, height] = [Math.ceil(layout.width) + 2 * AROUND, Math.ceil(layout.height) + 2 * AROUND];
  const stop = String(picked ?? nodes.length - 1);
  const onKeyDown = (event: KeyboardEvent, id: string): void => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPick?.(Number(id));
    }
    const next = neighbour(layout.boxes, id, event.key);
    if (next === null) return;
    event.preventDefault();
    svg.current?.querySelector<SVGGElement>(`[data-id="${next}"]`)?.focus();
  };
  const touchable = alive && onPick !== undefined;
  const handlers = (id: string, says: string): object =>
    touchable
      ? {
          role: "button",
          tabindex: id === stop ? 0 : -1,
          "aria-label": says,
          "aria-pressed": id === String(picked),
          onFocus: () => onPick(Number(id)),
          onClick: () => onPick(Number(id)),
          onKeyDown: (event: KeyboardEvent) => onKeyDown(event, id),
        }
      : {};
  return (
    <svg
      ref={svg}
      class="picture"
      role={touchable ? "presentation" : "img"}
      aria-label={touchable ? undefined : `${scene.step.says} ${nodes.map(({ says }) => says).join("; ")}`}
      width={width}
      height={height}
      viewBox={`${-AROUND} ${-AROUND} ${width} ${height}`}
      fill="none"
      stroke="currentColor"
    >
      {edges.map((edge, index) => {
        const { points, x, y } = layout.edges[index] as Layout["edges"][number];
        return <Edge edge={edge} points={points} at={{ x, y }} />;
      })}
      {nodes.map((node) => (
        <g
          key={node.id}
          class={`node ${node.kind}${node.id === String(picked) ? " picked" : ""}`}
          data-id={node.id}
          {...handlers(node.id, node.says)}
        >
          <Node node={node} box={layout.boxes.get(node.id) as Box} />
        </g>
      ))}
    </svg>
  );
}
