/** A graph of `Value`s that plays: values forward, then gradients back. What can be changed opens below it. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { StepPlayer } from "../../parts/step_player.js";
import { TextField } from "../../parts/text_field.js";
import { CopyLinkButton, readUrlState, urlWithState, useSyncUrl } from "../../parts/url_state.js";
import { PythonStatus, usePythonModel } from "../../parts/use_python.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Graph, GraphParameters, GraphStep } from "../types.js";
import { Picture } from "./graph_picture.js";
import { EXAMPLES, Numbers } from "./input_sliders.js";

/** The reader has stopped moving a number after this many milliseconds. */
const REST = 1000;
const PANELS = [
  ["numbers", "Change the numbers"],
  ["expression", "Another expression"],
] as const;

const middle = ({ left, right }: DOMRect): number => (left + right) / 2;

export default function GraphInstrument(given: WidgetProps<GraphParameters, Graph>) {
  const python = usePythonModel<GraphParameters, Graph>("graph", given);
  const { result, error } = python;
  const { steps } = result;
  const text = python.requested.expression;
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
    const asked = readUrlState("graph", usual);
    setOpen(asked.open);
    setPlace(asked.at);
    if (asked.expression !== usual.expression) python.request({ expression: asked.expression });
  }, []);
  const now = { expression: text, open, at: place };
  useSyncUrl("graph", usual, now);
  useEffect(() => {
    if (result === given.result) return;
    const timer = setTimeout(() => say(steps.at(-1)?.caption ?? ""), REST);
    return () => clearTimeout(timer);
  }, [result]);

  const last = steps.length - 1;
  const words = { start: 0, values: result.last_forward_step, end: last }[place];
  const wanted = Number(words ?? place);
  const at = Number.isInteger(wanted) ? Math.max(0, Math.min(last, wanted)) : last;
  const step = steps[at] as GraphStep;
  const node = picked === null ? undefined : result.nodes[picked];
  // What a node is; once its gradient is there, also what that foretells
  const story = node?.sentences.slice(0, step.grads[picked ?? 0] === node.grad ? 2 : 1);

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
    python.request({ expression });
  };
  const refused = error?.parameters.expression === text ? error : null;
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
      <p class="says">{step.caption}</p>
      {story && (
        <div class="story">
          {story.map((sentence) => (
            <p>{sentence}</p>
          ))}
        </div>
      )}
      <StepPlayer
        lastStep={last}
        step={at}
        onChange={go}
        label="The graph, step by step"
        describeStep={(to) => steps[to]?.caption ?? ""}
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
          onText={(expression) => python.request({ expression })}
        />
      )}
      {open === "expression" && (
        <>
          <Choices
            label="Examples"
            class="examples controls"
            choices={EXAMPLES.map(([name, expression]) => [expression, name])}
            value={text}
            onChange={(expression) => type(expression)}
          />
          <TextField
            id="graph"
            label="Expression"
            value={text}
            onInput={type}
            onSubmit={(expression) => type(expression)}
            error={refused?.reason ?? ""}
          />
        </>
      )}
      {open !== "expression" && refused && (
        <p class="error-message" role="status">
          {refused.reason}
        </p>
      )}
      <div class="wrap foot controls">
        <CopyLinkButton getUrl={() => urlWithState("graph", usual, now)} subject="graph" />
        <PythonStatus {...python.status} />
      </div>
      <span class="sr-only" role="status">
        {said}
      </span>
    </>
  );
}
