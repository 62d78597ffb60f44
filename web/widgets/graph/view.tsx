/** A graph of `Value`s, step by step: values forward, then gradients backward; the reader can change the expression. */

import { useEffect, useRef, useState } from "preact/hooks";
import { SingleChoice } from "../../parts/single_choice.js";
import { Status } from "../../parts/status.js";
import { StepPlayer } from "../../parts/step_player.js";
import { TextField } from "../../parts/text_field.js";
import { StateLink, useUrlState } from "../../parts/url_state.js";
import { PythonStatus, usePythonModel } from "../../parts/use_python.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Graph, GraphParameters, GraphStep } from "../types.js";
import { GraphPicture } from "./graph_picture.js";
import { EXAMPLE_EXPRESSIONS, InputSliders } from "./input_sliders.js";

/** A new result is read aloud after this long, when the reader has stopped moving a slider. */
const ANNOUNCE_DELAY_MS = 1000;
const PANEL_TITLES = [
  ["numbers", "Change the numbers"],
  ["expression", "Another expression"],
] as const;

const centerX = ({ left, right }: DOMRect): number => (left + right) / 2;

export default function GraphWidget(props: WidgetProps<GraphParameters, Graph>) {
  const defaults = {
    expression: props.parameters.expression,
    open: props.parameters.open_panel ?? "",
    at: String(props.parameters.shown_step ?? "end"),
  };
  const [state, update] = useUrlState("graph", defaults);
  const { expression, open: openPanel, at: stepName } = state;
  const python = usePythonModel<GraphParameters, Graph>("graph", props, { expression });
  const { result, error } = python;
  const { steps } = result;
  const [selectedNode, setSelectedNode] = useState<number | null>(null);
  // The first picture does not scroll by itself.
  const [hasMoved, setHasMoved] = useState(false);
  const [announcement, announce] = useState("");
  const canvas = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (result === props.result) return;
    const timer = setTimeout(() => announce(steps.at(-1)?.caption ?? ""), ANNOUNCE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [result]);

  const lastStep = steps.length - 1;
  const namedSteps = { start: 0, values: result.last_forward_step, end: lastStep }[stepName];
  const wantedStep = Number(namedSteps ?? stepName);
  const stepIndex = Number.isInteger(wantedStep) ? Math.max(0, Math.min(lastStep, wantedStep)) : lastStep;
  const step = steps[stepIndex] as GraphStep;
  const node = selectedNode === null ? undefined : result.nodes[selectedNode];
  // The gradient is explained once it is complete.
  const explanation = node?.sentences.slice(0, step.grads[selectedNode ?? 0] === node.grad ? 2 : 1);

  // In a graph that is wider than its frame, scroll to the node of the step.
  useEffect(() => {
    const frame = canvas.current;
    const box = frame?.querySelector(`[data-id="${step.node}"]`)?.getBoundingClientRect();
    if (hasMoved && frame && box) frame.scrollBy({ left: centerX(box) - centerX(frame.getBoundingClientRect()) });
  }, [step, hasMoved]);

  const goToStep = (to: number): void => {
    setHasMoved(true);
    setSelectedNode(null);
    update({ at: to === lastStep ? "end" : String(to) });
  };
  const togglePanel = (panel: typeof openPanel): void => update({ open: panel === openPanel ? "" : panel });
  const setExpression = (text: string): void => {
    setSelectedNode(null);
    setHasMoved(false);
    update({ expression: text, at: "end" });
  };
  const reason = error?.parameters.expression === expression ? error.reason : "";
  return (
    <>
      <div
        ref={canvas}
        class={expression === python.parameters.expression ? "canvas" : "canvas stale"}
        tabIndex={0}
        role="group"
        aria-label={`Graph of ${python.parameters.expression}`}
      >
        <GraphPicture graph={result} stepIndex={stepIndex} selectedNode={selectedNode} onSelectNode={setSelectedNode} />
      </div>
      <p class="caption">{step.caption}</p>
      {explanation && (
        <div class="explanation">
          {explanation.map((sentence) => (
            <p>{sentence}</p>
          ))}
        </div>
      )}
      <StepPlayer
        lastStep={lastStep}
        step={stepIndex}
        onChange={goToStep}
        label="The graph, step by step"
        describeStep={(to) => steps[to]?.caption ?? ""}
      />
      <div class="wrapping-row panel-buttons controls">
        {PANEL_TITLES.map(([panel, title]) => (
          <button type="button" aria-expanded={panel === openPanel} onClick={() => togglePanel(panel)}>
            {title}
          </button>
        ))}
        <StateLink widget="graph" defaults={defaults} state={state} subject="graph" />
      </div>
      {openPanel === "numbers" && (
        <InputSliders
          key={result.inputs.length}
          expression={python.parameters.expression}
          inputs={result.inputs}
          onChange={(text) => update({ expression: text })}
        />
      )}
      {openPanel === "expression" && (
        <>
          <SingleChoice
            label="Examples"
            class="examples controls"
            choices={EXAMPLE_EXPRESSIONS.map(([name, text]) => [text, name])}
            value={expression}
            onChange={setExpression}
          />
          <TextField id="graph" label="Expression" value={expression} onInput={setExpression} error={reason} />
        </>
      )}
      {openPanel !== "expression" && reason && <Status class="error-message">{reason}</Status>}
      <div class="wrapping-row last-row controls">
        <PythonStatus {...python.status} />
      </div>
      <Status class="sr-only">{announcement}</Status>
    </>
  );
}
