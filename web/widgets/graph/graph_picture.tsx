/**
 * The picture of a graph: boxes with a title, data and gradient, and arrows with local gradients. Its layout does not
 * depend on these numbers, so nothing moves while they change.
 */

import { useMemo, useRef } from "preact/hooks";
import type { GraphLayout, LayoutInput, Point, Size } from "../../draw/layout.js";
import { arrowPaths, layOutGraph } from "../../draw/layout.js";
import { CHARACTER_WIDTH_EM, countColumns, formatCoordinate } from "../../draw/svg.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import type { Graph, GraphNode, GraphStep } from "../types.js";

interface GraphPictureProps {
  graph: Graph;
  stepIndex: number;
  selectedNode: number | null;
  /** A node was clicked, touched or reached by keyboard. */
  onSelectNode(node: number): void;
}

/** Lengths are in pixels. */
const [FONT_SIZE, TITLE_FONT_SIZE, LINE_HEIGHT] = [13, 14, 18];
/** Around the graph: leaves room for the focus ring. */
const MARGIN = 12;
/** Between the edge of a box and its texts. */
const PADDING = { x: 8, y: 7 };
/** A number that is longer is squeezed. */
const MAX_BOX_NUMBER_LENGTH = 9;

const textWidth = (text: string, size = FONT_SIZE): number => countColumns(text) * CHARACTER_WIDTH_EM * size;
const ROW_NAME_WIDTH = textWidth("data ");
const MAX_NUMBER_WIDTH = MAX_BOX_NUMBER_LENGTH * textWidth("0");
/** Room for a local gradient beside an arrow. */
const EDGE_LABEL_SIZE: Size = { width: textWidth("−0.123") + 6, height: LINE_HEIGHT };

/** Return the size of a node's box, whichever numbers it shows. */
function nodeSize({ title, operation }: GraphNode): Size {
  const head = textWidth(title, TITLE_FONT_SIZE) + (operation ? textWidth(operation) + 10 : 0);
  const width = Math.max(head, ROW_NAME_WIDTH + MAX_NUMBER_WIDTH) + 2 * PADDING.x;
  return { width, height: 3 * LINE_HEIGHT + 2 * PADDING.y };
}

/** Lay out a graph, mirrored if `leftNode` would otherwise stand right of `rightNode`. */
function layOutInReadingOrder(plan: LayoutInput, leftNode: number, rightNode: number): GraphLayout {
  const layout = layOutGraph(plan);
  const nodeX = (node: number): number => layout.boxes.get(String(node))?.x ?? 0;
  if (nodeX(leftNode) <= nodeX(rightNode)) return layout;
  const mirrored = <Positioned extends Point>(item: Positioned): Positioned => ({ ...item, x: layout.width - item.x });
  return {
    ...layout,
    boxes: new Map([...layout.boxes].map(([id, box]) => [id, mirrored(box)])),
    edges: layout.edges.map((edge) => ({ ...mirrored(edge), points: edge.points.map(mirrored) })),
  };
}

/** A number in a row of its box, and what a step adds to it; squeezed if it is too long. */
function NumberRow(props: { name: string; y: number; text: string; addend?: string }) {
  const { name, y, text, addend = "" } = props;
  const squeezed = countColumns(`${text} ${addend}`) > MAX_BOX_NUMBER_LENGTH + 1 && {
    textLength: formatCoordinate(MAX_NUMBER_WIDTH),
    lengthAdjust: "spacingAndGlyphs",
  };
  return (
    <>
      <text x={PADDING.x} y={y}>
        {name}
      </text>
      <text class="value" x={formatCoordinate(PADDING.x + ROW_NAME_WIDTH)} y={y} {...squeezed}>
        {text}
        {addend && <tspan class="addend"> {addend}</tspan>}
      </text>
    </>
  );
}

/** Draws the graph at a step; nodes can be selected. */
export function GraphPicture({ graph, stepIndex, selectedNode, onSelectNode }: GraphPictureProps) {
  const { nodes, edges, steps, last_forward_step: lastForwardStep } = graph;
  const step = steps[stepIndex] as GraphStep;
  const isHydrated = useHydrated();
  const svg = useRef<SVGSVGElement>(null);
  const plan: LayoutInput = {
    nodes: nodes.map((node, index) => ({ id: String(index), size: nodeSize(node) })),
    edges: edges.map(({ source, target }) => ({ from: String(source), to: String(target), size: EDGE_LABEL_SIZE })),
  };
  const inputs = [...nodes.keys()].filter((node) => nodes[node]?.is_input);
  const layout = useMemo(() => layOutInReadingOrder(plan, inputs[0] ?? 0, inputs.at(-1) ?? 0), [JSON.stringify(plan)]);
  const [width, height] = [Math.ceil(layout.width) + 2 * MARGIN, Math.ceil(layout.height) + 2 * MARGIN];
  const isBackward = stepIndex > lastForwardStep;
  /** Return whether a node has its value at this step: they are computed in order. */
  const isComputed = (node: number): boolean =>
    isBackward || nodes[node]?.is_input === true || node <= (step.node ?? -1);

  function describeNode(node: GraphNode, index: number): string {
    const name = [node.title, node.operation].filter(Boolean).join(", ");
    if (!isComputed(index)) return `${name}: not computed yet`;
    const slopes = edges.flatMap(({ source, target, local_grad }) =>
      target === index ? [`${local_grad} for ${nodes[source]?.title}`] : [],
    );
    const numbers = `${name}: data ${node.data}, grad ${step.grads[index]}`;
    return slopes.length ? `${numbers}; local gradients ${slopes.join(", ")}` : numbers;
  }
  function onKeyDown(event: KeyboardEvent, index: number): void {
    const offset = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1, Enter: 0, " ": 0 }[event.key];
    if (offset === undefined) return;
    event.preventDefault();
    svg.current?.querySelector<SVGGElement>(`[data-id="${index + offset}"]`)?.focus();
  }
  const nodeHandlers = (node: GraphNode, index: number): object => ({
    role: "button",
    tabindex: index === (selectedNode ?? nodes.length - 1) ? 0 : -1,
    "aria-label": describeNode(node, index),
    "aria-pressed": index === selectedNode,
    onFocus: () => onSelectNode(index),
    onClick: () => onSelectNode(index),
    onKeyDown: (event: KeyboardEvent) => onKeyDown(event, index),
  });

  const renderEdge = ({ source, target, local_grad }: Graph["edges"][number], index: number) => {
    const { points, x, y } = layout.edges[index] as GraphLayout["edges"][number];
    const isActive = step.edges.includes(index);
    const { line, head } = arrowPaths(points, isActive && isBackward);
    const classes = `${isComputed(target) ? "" : "pending"} ${isActive ? `strong ${isBackward ? "gradient" : "data"}` : ""}`;
    return (
      <g class={`edge ${classes}`} data-from={source} data-to={target}>
        <path class="line" d={line} />
        <path class="head" d={head} />
        <text x={formatCoordinate(x)} y={formatCoordinate(y + 4.5)} aria-hidden="true">
          {isActive && isBackward ? step.product : isComputed(target) && local_grad}
        </text>
      </g>
    );
  };
  const renderNode = (node: GraphNode, index: number) => {
    const { x, y, width, height } = layout.boxes.get(String(index)) as Point & Size;
    const baseline = (row: number): number => PADDING.y + row * LINE_HEIGHT + 13;
    const isActive = step.node === index;
    const [data, grad] = isComputed(index) ? [node.data, step.grads[index] as string] : ["", ""];
    const classes = [
      node.is_input && "input",
      index === nodes.length - 1 && "result",
      !isComputed(index) && "pending",
      isActive && "strong",
      index === selectedNode && "selected",
    ];
    return (
      <g
        class={`node ${classes.filter(Boolean).join(" ")}`}
        data-id={index}
        transform={`translate(${formatCoordinate(x - width / 2)} ${formatCoordinate(y - height / 2)})`}
        {...(isHydrated && nodeHandlers(node, index))}
      >
        <rect class="halo" x="-3" y="-3" width={width + 6} height={height + 6} rx="5" />
        <rect class="box" width={width} height={height} rx="3" />
        <text class="title" x={PADDING.x} y={baseline(0)}>
          {node.title}
        </text>
        <text class="note" x={formatCoordinate(width - PADDING.x)} y={baseline(0)}>
          {node.operation}
        </text>
        <g class="row data">
          <NumberRow name="data" y={baseline(1)} text={data} />
        </g>
        <g class="row gradient">
          <NumberRow name="grad" y={baseline(2)} text={grad} addend={isActive ? step.addend : ""} />
        </g>
      </g>
    );
  };
  return (
    <svg
      ref={svg}
      class="graph-picture"
      role={isHydrated ? "presentation" : "img"}
      aria-label={isHydrated ? undefined : `${step.caption} ${nodes.map(describeNode).join("; ")}`}
      width={width}
      height={height}
      viewBox={`${-MARGIN} ${-MARGIN} ${width} ${height}`}
      fill="none"
      stroke="currentColor"
    >
      {edges.map(renderEdge)}
      {nodes.map(renderNode)}
    </svg>
  );
}
