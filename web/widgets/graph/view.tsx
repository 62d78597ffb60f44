/** A graph of `Value`s that plays: values forward, then gradients back. What can be changed opens below it. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { Player } from "../../parts/player.js";
import { TextField } from "../../parts/text_field.js";
import { PythonStatus, usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Graph, GraphParameters, GraphStep } from "../types.js";
import { EXAMPLES, Numbers } from "./change.js";
import { Picture } from "./picture.js";

/** The reader has stopped moving a number after this many milliseconds. */
const REST = 1000;
const PANELS = [
  ["numbers", "Change the numbers"],
  ["expression", "Another expression"],
] as const;

const middle = ({ left, right }: DOMRect): number => (left + right) / 2;

export default function GraphInstrument(given: Given<GraphParameters, Graph>) {
  const python = usePython<GraphParameters, Graph>("graph", given);
  const { result, refusal } = python;
  const { steps } = result;
  const text = python.asked.expression;
  const usual = {
    expression: given.parameters.expression,
    open: given.parameters.open ?? "",
    at: String(given.parameters.at ?? "end"),
  };
  const [open, setOpen] = useState<string>(usual.open);
  const [place, setPlace] = useState(usual.at);
  const [picked, pick] = useState<number | null>(null);
  // What the page came with stands still.
  const [touched, setTouched] = useState(false);
  const [said, say] = useState("");
  const canvas = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const asked = standing("graph", usual);
    setOpen(asked.open);
    setPlace(asked.at);
    if (asked.expression !== usual.expression) python.ask({ expression: asked.expression });
  }, []);
  const now = { expression: text, open, at: place };
  useAddress("graph", usual, now);
  useEffect(() => {
    if (result === given.result) return;
    const timer = setTimeout(() => say(steps.at(-1)?.says ?? ""), REST);
    return () => clearTimeout(timer);
  }, [result]);

  const last = steps.length - 1;
  const words = { start: 0, values: result.forward, end: last }[place];
  const wanted = Number(words ?? place);
  const at = Number.isInteger(wanted) ? Math.max(0, Math.min(last, wanted)) : last;
  const step = steps[at] as GraphStep;
  const node = picked === null ? undefined : result.nodes[picked];
  // What a node is; once its gradient is there, also what that foretells
  const story = node?.says.slice(0, step.grads[picked ?? 0] === node.grad ? 2 : 1);

  // In a graph that is wider than its frame, what happens is to be seen.
  useEffect(() => {
    const frame = canvas.current;
    const box = frame?.querySelector(`[data-id="${step.node}"]`)?.getBoundingClientRect();
    if (touched && frame && box) frame.scrollBy({ left: middle(box) - middle(frame.getBoundingClientRect()) });
  }, [step, touched]);

  const go = (to: number): void => {
    setTouched(true);
    pick(null);
    setPlace(to === last ? "end" : String(to));
  };
  const type = (expression: string): void => {
    pick(null);
    setTouched(false);
    setPlace("end");
    python.ask({ expression });
  };
  const refused = refusal?.parameters.expression === text ? refusal : null;
  return (
    <>
      <div
        ref={canvas}
        class={text === python.parameters.expression ? "canvas" : "canvas stale"}
        tabIndex={0}
        role="group"
        aria-label={`Graph of ${python.parameters.expression}`}
      >
        <Picture graph={result} at={at} picked={picked} onPick={pick} />
      </div>
      <p class="says">{step.says}</p>
      {story && (
        <div class="story">
          {story.map((sentence) => (
            <p>{sentence}</p>
          ))}
        </div>
      )}
      <Player
        last={last}
        at={at}
        onMove={go}
        label="The graph, step by step"
        describe={(to) => steps[to]?.says ?? ""}
      />
      <div class="wrap more controls">
        {PANELS.map(([panel, title]) => (
          <button type="button" aria-expanded={panel === open} onClick={() => setOpen(panel === open ? "" : panel)}>
            {title}
          </button>
        ))}
      </div>
      {open === "numbers" && (
        <Numbers
          key={result.inputs.length}
          text={python.parameters.expression}
          inputs={result.inputs}
          onText={(expression) => python.ask({ expression })}
        />
      )}
      {open === "expression" && (
        <>
          <Choices
            label="Examples"
            class="examples controls"
            choices={EXAMPLES.map(([name, expression]) => [expression, name])}
            value={text}
            onChoose={(expression) => type(expression)}
          />
          <TextField
            id="graph"
            label="Expression"
            value={text}
            onInput={type}
            onEnter={(expression) => type(expression)}
            refusal={refused}
          />
        </>
      )}
      {open !== "expression" && refused && (
        <p class="refusal" role="status">
          {refused.reason}
        </p>
      )}
      <div class="wrap foot controls">
        <CopyLink address={() => addressOf("graph", usual, now)} of="graph" />
        <PythonStatus {...python.waiting} />
      </div>
      <span class="sr-only" role="status">
        {said}
      </span>
    </>
  );
}
