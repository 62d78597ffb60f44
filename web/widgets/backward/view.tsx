/** `Value.backward`, one line at a time, on the graph of an expression. */

import { useState } from "preact/hooks";
import { ExpressionField } from "../../parts/expression_field.js";
import { GraphPicture, type PictureEdge, type PictureNode } from "../../parts/graph_picture.js";
import { Listing } from "../../parts/listing.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Backward, BackwardParameters, BackwardStep } from "../types.js";

const EXAMPLES = [
  { name: "used twice", expression: "a = 2; b = 3; c = a + b; d = c * a" },
  { name: "a square", expression: "x = 3; y = x * x" },
  { name: "doubled, doubled", expression: "a = 1; b = a + a; c = b + b" },
  { name: "a closed relu", expression: "a = 2; b = -5; c = relu(a + b); d = c * a" },
  { name: "squared error", expression: "x = 3; w = 0.5; loss = (w * x - 4) ** 2" },
];

const longest = (texts: string[]): number => Math.max(0, ...texts.map((text) => text.length));

/** The nodes that the walk has visited by now: it comes to each once. */
function visited({ steps }: Backward, at: number): Set<number> {
  const nodes = steps
    .slice(0, at + 1)
    .flatMap((step) => (step.waiting.length === 0 && "node" in step.nodes ? [step.nodes["node"]] : []));
  return new Set(nodes as number[]);
}

/** What the boxes show at a step; their size is the same at all of them. */
function boxes(walk: Backward, at: number): PictureNode[] {
  const { nodes, steps } = walk;
  const step = steps[at] as BackwardStep;
  const next = steps[at + 1] ?? step;
  const { seen, path = [], order } = step.lists;
  const inside = step.waiting.length > 0;
  const done = visited(walk, at);
  const badges = inside ? (order ?? []) : at < (walk.phases[1]?.at ?? 0) ? [] : nodes.map((_, i) => i);
  return nodes.map((node, index) => {
    const change = step.change?.node === index ? step.change : null;
    const grad = step.grads[index] as string;
    const kinds = [
      node.input && "input",
      step.nodes["node"] === index && "strong",
      step.nodes["node"] !== index && next.nodes["node"] === index && "coming",
      path.includes(index) && "on-path",
      inside && seen !== undefined && !seen.includes(index) && "weak",
      !inside && done.has(index) && "done",
    ];
    return {
      id: String(index),
      title: node.title,
      note: node.operation,
      rows: [
        { label: "data", value: node.data, kind: "data" },
        { label: "grad", value: grad, kind: "gradient", ...(change && { coming: change.addend }) },
      ],
      room: longest([
        node.data,
        ...steps.map(({ grads, change: other }) =>
          other?.node === index ? `${grads[index]} ${other.addend}` : (grads[index] as string),
        ),
      ]),
      badge: badges.includes(index) ? String(badges.indexOf(index) + 1) : "",
      kind: kinds.filter(Boolean).join(" "),
      says: "",
    };
  });
}

function arrows({ edges, steps }: Backward, at: number): PictureEdge[] {
  const step = steps[at] as BackwardStep;
  const inside = step.waiting.length > 0;
  const path = step.lists["path"] ?? [];
  return edges.map(({ source, target, local_grad }, index) => {
    const labels = steps.flatMap(({ edge, change }) => (edge === index && change ? [change.product] : []));
    const now = step.edge === index;
    const walked = path.includes(target) && path[path.indexOf(target) + 1] === source;
    const kinds = [
      now && "strong",
      step.next_edge === index && "coming",
      walked && !now && "on-path",
      !inside && "gradient",
    ];
    return {
      from: String(source),
      to: String(target),
      label: (now && step.change?.product) || local_grad,
      room: longest([local_grad, ...labels]),
      kind: kinds.filter(Boolean).join(" "),
      back: !inside && (now || step.next_edge === index),
    };
  });
}

/** A list as it grows: a place for each node, the empty ones outlined. */
function Order({ walk, at }: { walk: Backward; at: number }) {
  const step = walk.steps[at] as BackwardStep;
  const inside = step.waiting.length > 0;
  const before = at < (walk.phases[1]?.at ?? 0);
  const all = walk.nodes.map((_, index) => index);
  const order = inside || before ? (step.lists["order"] ?? []) : all;
  const next = inside ? (walk.steps[at + 1]?.lists["order"] ?? order) : order;
  const done = visited(walk, at);
  return (
    <div class="row">
      <span class="label">order</span>
      <span class="chips">
        {all.map((place) => {
          const node = order[place] ?? next[place];
          const now = !inside && node !== undefined && node === step.nodes["node"];
          const kind =
            node === undefined
              ? "empty"
              : place >= order.length
                ? "coming"
                : now
                  ? "now"
                  : !inside && done.has(node)
                    ? "done"
                    : "";
          return <span class={`chip ${kind}`}>{node === undefined ? "" : walk.names[node]}</span>;
        })}
      </span>
    </div>
  );
}

export default function BackwardSteps(given: Given<BackwardParameters, Backward>) {
  const python = usePython<BackwardParameters, Backward>("backward", given);
  const text = python.asked.expression;
  const walk = python.result;
  // It begins with the chain rule; the order that this needs has a page of its own.
  const [{ of, at: moved }, setPlace] = useState({
    of: given.result,
    at: given.result.phases[1]?.at ?? 0,
  });
  // Another expression is walked from the beginning of the part that is being looked at.
  const second = walk.phases[1]?.at ?? 0;
  const at = of === walk ? moved : moved >= (of.phases[1]?.at ?? 0) ? second : 0;
  const move = (to: number): void => setPlace({ of: walk, at: to });
  const step = walk.steps[at] as BackwardStep;
  const { refusal } = python;
  const refused = refusal?.parameters.expression === text ? refusal : null;
  const path = step.lists["path"] ?? [];
  const next = walk.steps[at + 1]?.lists["path"] ?? path;
  const longer = next.length > path.length ? next : path;
  const inside = step.waiting.length > 0;
  return (
    <>
      <ExpressionField
        id="backward-expression"
        text={text}
        onText={(expression, wait) => python.ask({ expression }, wait)}
        examples={EXAMPLES}
        refusal={refused}
      />
      <div class="phases controls" role="group" aria-label="Parts of the walk">
        {walk.phases.map(({ name, at: from }, index) => {
          const to = walk.phases[index + 1]?.at ?? walk.steps.length;
          return (
            <button type="button" aria-current={at >= from && at < to ? "step" : undefined} onClick={() => move(from)}>
              {index + 1} · {name}
            </button>
          );
        })}
      </div>
      <div class={text === python.parameters.expression ? "walk" : "walk stale"}>
        <div class="canvas" tabIndex={0} role="group" aria-label={`Graph of ${python.parameters.expression}`}>
          <GraphPicture label="" nodes={boxes(walk, at)} edges={arrows(walk, at)} />
        </div>
        <Listing file={walk.file} functions={walk.functions} line={step.line} waiting={step.waiting} />
      </div>
      <div class="happening">
        <Order walk={walk} at={at} />
        <div class="row">
          <span class="label">{inside ? "path" : step.change ? "now" : ""}</span>
          <span class="chips">
            {inside &&
              longer.map((node, index) => (
                <span class={index < path.length ? "chip" : "chip coming"}>{walk.names[node]}</span>
              ))}
            {!inside && step.change && <code>{step.change.formula}</code>}
          </span>
        </div>
        <p class="words">{step.says}</p>
      </div>
      <Player
        last={walk.steps.length - 1}
        at={at}
        onMove={move}
        label="backward, line by line"
        describe={(to) => (walk.steps[to] as BackwardStep).says}
      />
      <PythonStatus python={python} />
    </>
  );
}
