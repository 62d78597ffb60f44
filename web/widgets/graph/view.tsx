/** The graph of an expression that the reader types, and whose inputs can be moved. */

import { useEffect, useRef, useState } from "preact/hooks";
import { characters, ExpressionField } from "../../parts/expression_field.js";
import { GraphPicture } from "../../parts/graph_picture.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider, sixDigits } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Graph, GraphInput, GraphParameters } from "../types.js";

/** As _drawing.py writes numbers; edges need less, their labels may stand over a little. */
const ROOM = 8;
const EDGE_ROOM = 6;
/** The reader has stopped moving an input after this many milliseconds. */
const REST = 1000;

const EXAMPLES = [
  { name: "used twice", expression: "a = 2; b = 3; c = a + b; d = c * a" },
  { name: "longer product", expression: "a = 2; b = -3; c = 4; d = a * b * c" },
  { name: "relu at its corner", expression: "x = 0; y = relu(x); z = 3 * y + x" },
  { name: "softplus", expression: "x = 1; y = log(1 + exp(x))" },
  { name: "squared error", expression: "x = 3; w = 0.5; b = 1; loss = (w * x + b - 4) ** 2" },
  { name: "two paths that cancel", expression: "a = 2; b = a * a; c = b - 4 * a" },
];

/** The text with other numbers in the places of its inputs. */
function withNumbers(text: string, inputs: GraphInput[], moved: Map<number, number>): string {
  const all = characters(text);
  // From the last to the first, so that the places before stay where they are.
  for (const [index, value] of [...moved].sort(([a], [b]) => b - a)) {
    const [start, end] = inputs[index]?.place ?? [0, 0];
    const before = all.slice(0, start).join("").trimEnd().at(-1) ?? "";
    const after = all.slice(end).join("").trimStart().at(0) ?? "";
    // A minus sign would otherwise be taken for what it stands beside: -2 ** 2 is -4.
    const alone = "=(".includes(before) && ";)".includes(after);
    const number = sixDigits(value);
    all.splice(start, end - start, value < 0 && !alone ? `(${number})` : number);
  }
  return all.join("");
}

export default function GraphSandbox(given: Given<GraphParameters, Graph>) {
  const python = usePython<GraphParameters, Graph>("graph", given);
  const text = python.asked.expression;
  const { nodes, edges, says, inputs, summary } = python.result;
  const [passed, setPassed] = useState<number | null>(null);
  const [picked, setPicked] = useState<number | null>(null);
  // What the reader has moved since the text was typed; and the ranges of then.
  const [moved, setMoved] = useState<Map<number, number>>(new Map());
  const ranges = useRef(inputs);
  if (moved.size === 0 || ranges.current.length !== inputs.length) ranges.current = inputs;
  const [said, say] = useState("");

  const current = text === python.parameters.expression;
  const typed = moved.size === 0 && !current;
  const { refusal } = python;
  const refused = refusal?.parameters.expression === text ? refusal : null;

  useEffect(() => {
    if (python.result === given.result) return;
    const timer = setTimeout(() => say(summary), REST);
    return () => clearTimeout(timer);
  }, [python.result]);

  const type = (expression: string, wait: boolean): void => {
    setMoved(new Map());
    python.ask({ expression }, wait);
  };
  const move = (index: number, value: number): void => {
    const next = new Map(moved).set(index, value);
    setMoved(next);
    python.ask({ expression: withNumbers(python.parameters.expression, inputs, next) });
  };

  const pointed = passed ?? picked;
  const shown = pointed !== null && pointed < nodes.length ? pointed : (inputs[0]?.node ?? 0);
  const touches = (edge: Graph["edges"][number]): boolean => edge.source === shown || edge.target === shown;
  return (
    <>
      <ExpressionField
        id="graph-expression"
        text={text}
        onText={type}
        examples={EXAMPLES}
        refusal={refused}
        here={current && pointed !== null ? (nodes[shown]?.place ?? null) : null}
      />
      <div class="sandbox">
        <div
          class={current ? "canvas" : "canvas stale"}
          tabIndex={0}
          role="group"
          aria-label={`Graph of ${python.parameters.expression}`}
        >
          <GraphPicture
            label={summary}
            nodes={nodes.map((node, index) => ({
              id: String(index),
              title: node.title,
              note: node.operation,
              rows: [
                { label: "data", value: node.data, kind: "data" },
                { label: "grad", value: node.grad, kind: "gradient" },
              ],
              room: ROOM,
              kind: `${node.input ? "input" : ""} ${index === nodes.length - 1 ? "result" : ""}`,
              says: (says[index] ?? []).join(" "),
            }))}
            edges={edges.map((edge) => ({
              from: String(edge.source),
              to: String(edge.target),
              label: edge.local_grad,
              room: EDGE_ROOM,
              kind: touches(edge) ? "strong" : "",
            }))}
            picked={String(shown)}
            onPick={(id, stay) => {
              const node = id === null ? null : Number(id);
              // A finger never leaves a node: what it has picked is not passed over.
              setPassed(stay ? null : node);
              if (stay) setPicked(node);
            }}
          />
        </div>
        <div class="panel">
          <div class="inputs controls" role="group" aria-label="Inputs to move">
            {inputs.map((input, index) => {
              const { low, high, step } = ranges.current[index] ?? input;
              const pick = (): void => setPicked(input.node);
              return (
                <div onPointerDown={pick} onFocusCapture={pick}>
                  <Slider
                    label={input.name}
                    value={moved.get(index) ?? input.value}
                    min={low}
                    max={high}
                    step={step}
                    onInput={(value) => move(index, value)}
                    disabled={typed}
                  />
                </div>
              );
            })}
          </div>
          <div class="words">
            {(says[shown] ?? []).map((sentence) => (
              <p>{sentence}</p>
            ))}
          </div>
        </div>
      </div>
      <PythonStatus python={python} />
      <p class="as-text">
        Without JavaScript this picture stands still. It shows <code>{given.parameters.expression}</code>.
      </p>
      <span class="sr-only" role="status">
        {said}
      </span>
    </>
  );
}
