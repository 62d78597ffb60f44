/** The naive walk beside the one in topological order, one edge at a time. */

import { useState } from "preact/hooks";
import { ExpressionField } from "../../parts/expression_field.js";
import { GraphPicture } from "../../parts/graph_picture.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Order, OrderParameters } from "../types.js";

type Walk = "naive" | "ordered";

const WALKS: [walk: Walk, title: string][] = [
  ["naive", "naive recursion"],
  ["ordered", "topological order"],
];

const EXAMPLES = [
  { name: "two doublings", expression: "a = 1; b = a + a; c = b + b" },
  { name: "three doublings", expression: "a = 1; b = a + a; c = b + b; d = c + c" },
  { name: "used twice", expression: "a = 2; b = 3; c = a + b; d = c * a" },
  { name: "used late", expression: "a = 2; b = a * a; c = b + a; d = b * c" },
];

const longest = (texts: string[]): number => Math.max(0, ...texts.map((text) => text.length));

/** The gradients after so many steps; a walk that is over stays as it is. */
function grads(order: Order, walk: Walk, at: number): string[] {
  const steps = order[walk];
  return steps[Math.min(at, steps.length) - 1]?.grads ?? order.start;
}

/** The graph after so many steps of a walk, the edge of the last one drawn strong. */
function Picture({ order, walk, at, over }: { order: Order; walk: Walk; at: number; over: boolean }) {
  const step = order[walk][at - 1];
  const now = grads(order, walk, at);
  const rooms = order.nodes.map((_, index) =>
    longest([...order.naive, ...order.ordered].map((one) => one.grads[index] as string)),
  );
  return (
    <GraphPicture
      label={`${walk === "naive" ? "Naive recursion" : "Topological order"}.`}
      nodes={order.nodes.map((node, index) => {
        const wrong = walk === "naive" && over && order.wrong.includes(index);
        const touched = step !== undefined && order.edges[step.edge]?.source === index;
        return {
          id: String(index),
          title: node.title,
          rows: [{ label: "grad", value: now[index] as string, kind: "gradient" }],
          room: rooms[index] as number,
          badge: wrong ? "!" : "",
          kind: `${node.input ? "input" : ""} ${touched ? "strong" : ""}`,
          says: "",
        };
      })}
      edges={order.edges.map((edge, index) => ({
        from: String(edge.source),
        to: String(edge.target),
        label: edge.local_grad,
        room: 3,
        kind: step?.edge === index ? "strong gradient" : "",
        back: step?.edge === index,
      }))}
    />
  );
}

/** What a walk has done in a step, or that it is over. */
function says(order: Order, walk: Walk, at: number): string {
  const steps = order[walk];
  if (at === 0) return "Nothing has been passed on yet.";
  if (at > steps.length) return `It was complete after ${steps.length} steps.`;
  return steps[at - 1]?.says ?? "";
}

/** The longest thing that a walk says: it keeps the room that the others need. */
function lengthiest(order: Order, walk: Walk): string {
  const all = order[walk].map((_, index) => says(order, walk, index + 1));
  return all.reduce((a, b) => (b.length > a.length ? b : a), says(order, walk, 0));
}

function Row({ order, index, at }: { order: Order; index: number; at: number }) {
  const state = index >= at ? "to-come" : index === at - 1 ? "now" : "";
  return (
    <tr class={state} aria-hidden={index >= at}>
      <th scope="row">{index + 1}</th>
      {WALKS.map(([walk]) => {
        const step = order[walk][index];
        return (
          <td class={step?.astray ? "astray" : ""}>
            {step && (
              <>
                <span class="formula">{step.formula}</span> <span class="sum">{step.sum}</span>
              </>
            )}
            {index === order[walk].length && <span class="sum">complete</span>}
          </td>
        );
      })}
    </tr>
  );
}

export default function NaiveOrder(given: Given<OrderParameters, Order>) {
  const python = usePython<OrderParameters, Order>("order", given);
  const text = python.asked.expression;
  const order = python.result;
  const last = Math.max(order.naive.length, order.ordered.length);
  const first = python.parameters.expression === given.parameters.expression;
  // The page tells how its own graph ends; any other is walked from the start.
  const [place, setPlace] = useState({ of: given.result, at: last });
  const [guess, setGuess] = useState<{ of: Order; right: boolean } | null>(null);
  const at = place.of === order ? place.at : 0;
  const over = at === last;
  const { refusal } = python;
  const refused = refusal?.parameters.expression === text ? refusal : null;
  const guessed = guess?.of === order ? guess.right : null;
  const naive = order.wrong.length === 0;
  const outcome =
    guessed === null
      ? order.verdict
      : `${order.verdict} ${guessed === naive ? "You were right." : "You guessed otherwise."}`;
  const describe = (step: number): string => {
    const told = WALKS.map(([walk, title]) => {
      const done = order[walk][step - 1];
      return `${title}: ${done ? `${done.formula}. ` : ""}${says(order, walk, step)}`;
    });
    return `${told.join(" ")}${step === last ? ` ${outcome}` : ""}`;
  };
  return (
    <>
      <ExpressionField
        id="order-expression"
        text={text}
        onText={(expression, wait) => python.ask({ expression }, wait)}
        examples={EXAMPLES}
        refusal={refused}
      />
      <div class={text === python.parameters.expression ? "both" : "both stale"}>
        {WALKS.map(([walk, title]) => (
          <section>
            <p class="title">{title}</p>
            <div class="canvas" tabIndex={0} role="group" aria-label={title}>
              <Picture order={order} walk={walk} at={at} over={over} />
            </div>
            <p class={order[walk][at - 1]?.astray ? "words astray" : "words"}>
              <span>{says(order, walk, at)}</span>
              <span class="to-come" aria-hidden="true">
                {lengthiest(order, walk)}
              </span>
            </p>
          </section>
        ))}
      </div>
      {!first && (
        <div class="predict controls" role="group" aria-label="Your guess">
          <span>
            {at === 0
              ? "Before you play it: will the naive walk be right?"
              : guessed === null
                ? "You have not guessed."
                : `Your guess: it will be ${guessed ? "right" : "wrong"}.`}
          </span>
          {[true, false].map((right) => (
            <button
              type="button"
              aria-pressed={guessed === right}
              aria-disabled={at > 0 && guessed !== right}
              onClick={() => at > 0 || setGuess({ of: order, right })}
            >
              {right ? "right" : "wrong"}
            </button>
          ))}
        </div>
      )}
      <Player
        last={last}
        at={at}
        onMove={(to) => setPlace({ of: order, at: to })}
        label="Both walks, edge by edge"
        describe={describe}
      />
      <p class={over ? "verdict" : "verdict to-come"} aria-hidden={!over}>
        {outcome}
      </p>
      <table class="steps">
        <caption class="sr-only">What each step adds</caption>
        <thead>
          <tr>
            <td />
            {WALKS.map(([, title]) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {Array.from({ length: last }, (_, index) => (
            <>
              {index === order.parting && (
                <tr class={index >= at ? "parting to-come" : "parting"} aria-hidden={index >= at}>
                  <td />
                  <td colSpan={2}>from here on they differ</td>
                </tr>
              )}
              <Row order={order} index={index} at={at} />
            </>
          ))}
        </tbody>
      </table>
      <PythonStatus python={python} />
    </>
  );
}
