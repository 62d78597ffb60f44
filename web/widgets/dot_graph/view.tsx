/** One dot product as two graphs: in single steps, and as one node. */

import { useState } from "preact/hooks";
import { GraphPicture } from "../../parts/graph_picture.js";
import { fixed } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { DotGraph, DotGraphParameters, DotSide } from "../types.js";

const LONGEST = 4;
/** The numbers that a reader may choose lie between this and its negative. */
const LARGEST = 4;
/** What the vectors grow by, beyond what the page gives. */
const MORE = { a: [1, 2, -1, 0.5], b: [3, -4, 0.5, 2] };
/** Characters for the numbers in a box, and at an edge. */
const ROOM = 6;
const EDGE_ROOM = 4;

interface SideProps {
  side: DotSide;
  picked: string | null;
  onPick(id: string | null, stay: boolean): void;
}

/** A node is called by its element, which both graphs have, or by its place. */
const nameOf = ({ engine, nodes }: DotSide, index: number): string => nodes[index]?.element || `${engine} ${index}`;

function Picture({ side, picked, onPick }: SideProps) {
  const { engine, nodes, edges, made, summary } = side;
  const last = nodes.length - 1;
  const shown = nodes.findIndex((_, index) => nameOf(side, index) === picked);
  return (
    <div class="side">
      <p class="title">
        <code>{engine}</code>: {made} {made === 1 ? "node" : "nodes"} made, {edges.length} edges
      </p>
      <div class="canvas" tabIndex={0} role="group" aria-label={`Graph of the engine ${engine}`}>
        <GraphPicture
          label={summary}
          nodes={nodes.map((node, index) => ({
            id: nameOf(side, index),
            title: node.title,
            rows: [
              { label: "data", value: node.data, kind: "data" },
              { label: "grad", value: node.grad, kind: "gradient" },
            ],
            room: ROOM,
            kind: `${node.element ? "input" : ""} ${index === last ? "result" : ""}`,
            says: node.says,
          }))}
          edges={edges.map((edge) => ({
            from: nameOf(side, edge.source),
            to: nameOf(side, edge.target),
            label: edge.local_grad,
            room: EDGE_ROOM,
            kind: edge.source === shown || edge.target === shown ? "strong" : "",
          }))}
          picked={shown < 0 ? null : picked}
          onPick={onPick}
        />
      </div>
    </div>
  );
}

export default function DotGraphWidget(given: Given<DotGraphParameters, DotGraph>) {
  const python = usePython<DotGraphParameters, DotGraph>("dot_graph", given);
  const { asked, ask, result } = python;
  const [passed, setPassed] = useState<string | null>(null);
  const [picked, setPicked] = useState("a[0]");
  // What the reader has set stays when the vectors become shorter and longer again.
  const [kept, setKept] = useState({
    a: [...given.parameters.a, ...MORE.a.slice(given.parameters.a.length)],
    b: [...given.parameters.b, ...MORE.b.slice(given.parameters.b.length)],
  });
  const length = asked.a.length;
  const change = (which: "a" | "b", index: number, value: number): void => {
    const next = { ...kept, [which]: kept[which].map((old, i) => (i === index ? value : old)) };
    setKept(next);
    ask({ a: next.a.slice(0, length), b: next.b.slice(0, length) });
  };
  const pointed = passed ?? picked;
  const says = result.sides.flatMap((side) =>
    side.nodes.flatMap((node, index) => (nameOf(side, index) === pointed ? [node.says] : [])),
  );
  return (
    <>
      <div class="length controls">
        <Slider
          label="length"
          value={length}
          min={1}
          max={LONGEST}
          step={1}
          onInput={(to) => ask({ a: kept.a.slice(0, to), b: kept.b.slice(0, to) })}
        />
      </div>
      <div class="vectors controls">
        {(["a", "b"] as const).map((which) => (
          <div role="group" aria-label={`The vector ${which}`}>
            {asked[which].map((value, index) => (
              <Slider
                label={`${which}[${index}]`}
                value={value}
                min={-LARGEST}
                max={LARGEST}
                step={0.1}
                format={(number) => fixed(number, 1)}
                onInput={(to) => change(which, index, to)}
              />
            ))}
          </div>
        ))}
      </div>
      <PythonStatus python={python} />
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
      <div class={python.stale ? "sides stale" : "sides"}>
        {result.sides.map((side) => (
          <Picture
            side={side}
            picked={pointed}
            onPick={(id, stay) => {
              setPassed(stay ? null : id);
              if (stay && id !== null) setPicked(id);
            }}
          />
        ))}
      </div>
      <p class="pointed controls">{[...new Set(says)].join("; ")}</p>
      <p class="verdict" role="status">
        {result.verdict}
      </p>
    </>
  );
}
