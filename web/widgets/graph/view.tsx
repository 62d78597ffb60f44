/** A graph of `Value`s that plays: values forward, then gradients back. What it can do besides opens below it. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { plural } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Graph, GraphParameters, GraphPlay, GraphWalk } from "../types.js";
import { ExpressionField } from "./expression.js";
import { Numbers, withNumbers } from "./panels.js";
import { Picture } from "./picture.js";
import { ended, PLACE, sceneOf } from "./play.js";

type Panel = NonNullable<GraphParameters["open"]>;
type Way = GraphWalk["name"];

/** The reader has stopped moving a number after this many milliseconds. */
const REST = 1000;
/** As much is seen around a node that the frame was scrolled to, in pixels. */
const MARGIN = 24;

const PANELS: [panel: Panel, name: string][] = [
  ["numbers", "Change the numbers"],
  ["expression", "Another expression"],
  ["walks", "Without an order"],
  ["dots", "One node per product"],
];
const WALKS: Record<Way, string> = {
  "in order": "Each node waits until everything that uses it has paid in. Then it passes its gradient on, once.",
  "edge by edge": "Each edge passes on at once, and the walk goes on from the child.",
  "node by node": "A node passes on along all its edges, then calls each child: one that's used twice is called twice.",
};
const sizeOf = ({ nodes, edges }: GraphPlay): string =>
  `${plural(nodes.length, "node")} and ${plural(edges.length, "edge")}`;

/** The longest sentence of a play, on any way back, keeps the room that the others need. */
const lengthiest = ({ walks }: GraphPlay): string =>
  walks
    .flatMap(({ steps }) => steps)
    .reduce((longest, { says }) => (says.length > longest.length ? says : longest), "");

export default function GraphInstrument(given: Given<GraphParameters, Graph>) {
  const python = usePython<GraphParameters, Graph>("graph", given);
  const { result, refusal } = python;
  const text = python.asked.expression;
  const usual = {
    expression: given.parameters.expression,
    open: given.parameters.open ?? "",
    walk: "edge by edge" as Way,
    at: String(given.parameters.at ?? "end"),
  };
  const [open, setOpen] = useState<Panel>(usual.open);
  const [way, setWay] = useState<Way>(usual.walk);
  // An expression that was typed is shown at its end, once Python has taken it.
  const [kept, setKept] = useState<{ place: string; typed: string | null }>({ place: usual.at, typed: null });
  const place = kept.typed === python.parameters.expression ? "end" : kept.place;
  const setPlace = (to: string, typed: string | null = null): void => setKept({ place: to, typed });
  const [picked, setPicked] = useState<number | null>(null);
  const [numbers, setNumbers] = useState<Map<number, number>>(new Map());
  // What the page came with stands still.
  const [touched, setTouched] = useState(false);
  const [said, say] = useState("");

  useLayoutEffect(() => {
    const asked = standing("graph", usual);
    if (PANELS.some(([panel]) => panel === asked.open) || asked.open === "") setOpen(asked.open);
    if (Object.hasOwn(WALKS, asked.walk)) setWay(asked.walk);
    if (PLACE.test(asked.at)) setPlace(asked.at);
    if (asked.expression !== usual.expression) python.ask({ expression: asked.expression });
  }, []);
  const canvas = useRef<HTMLDivElement>(null);
  const more = useRef<HTMLDivElement>(null);
  const now = { expression: text, open, walk: way, at: place };
  useAddress("graph", usual, now);
  useEffect(() => {
    if (result === given.result) return;
    const timer = setTimeout(() => say(result.steps.walks[0]?.steps.at(-1)?.says ?? ""), REST);
    return () => clearTimeout(timer);
  }, [result]);

  const panel = open === "dots" && result.dots === null ? "" : open;
  const play: GraphPlay = (panel === "dots" && result.dots) || result.steps;
  const walk = play.walks.find((each) => panel === "walks" && each.name === way) ?? (play.walks[0] as GraphWalk);
  const scene = sceneOf(play, walk, place);
  const { steps } = walk;
  const { at, step } = scene;
  const current = text === python.parameters.expression;
  const refused = refusal?.parameters.expression === text ? refusal : null;
  const moving = touched ? `${panel} ${walk.name} ${at}` : undefined;
  const shown = picked ?? (panel === "numbers" ? (result.inputs[0]?.node ?? null) : null);
  const storied = panel !== "dots" && shown !== null && shown < play.nodes.length;
  // What a node is; once its gradient is there, also what that foretells
  const told = storied && (panel === "numbers" || step.grads[shown] === play.nodes[shown]?.grad);
  const story = storied && (
    <div class="story">
      {result.says[shown]?.slice(0, told ? undefined : 1).map((sentence) => (
        <p>{sentence}</p>
      ))}
    </div>
  );

  // In a graph that is wider than its frame, what happens is to be seen.
  useEffect(() => {
    const frame = canvas.current;
    const node = frame?.querySelector(`[data-id="${step.node}"]`)?.getBoundingClientRect();
    if (!touched || !frame || !node) return;
    const { left, right } = frame.getBoundingClientRect();
    const beyond = Math.min(0, node.left - left - MARGIN) + Math.max(0, node.right - right + MARGIN);
    if (beyond) frame.scrollBy({ left: beyond });
  }, [step, touched]);

  const go = (to: number): void => {
    setTouched(true);
    setPicked(null);
    setPlace(to === steps.length - 1 ? "end" : String(to));
  };
  const toggle = (wanted: Panel): void => {
    const next = wanted === panel ? "" : wanted;
    const alike = [panel, next].every((each) => each !== "walks" && each !== "dots");
    if (!alike && at > play.forward) setPlace("end");
    setTouched(false);
    setPicked(null);
    setOpen(next);
    // At its end a walk without an order shows what is wrong with it.
    if (next === "walks") setPlace("end");
    // What opens beside the graph may be higher than it: the button stays under the pointer.
    const top = more.current?.getBoundingClientRect().top ?? 0;
    requestAnimationFrame(() => {
      const now = more.current?.getBoundingClientRect().top ?? top;
      scrollBy({ top: now - top, behavior: "instant" });
    });
  };
  const type = (expression: string, wait: boolean): void => {
    setNumbers(new Map());
    setPicked(null);
    setTouched(false);
    setPlace(place, expression);
    python.ask({ expression }, wait);
  };
  const move = (index: number, value: number): void => {
    const next = new Map(numbers).set(index, value);
    setNumbers(next);
    setPlace(place);
    python.ask({ expression: withNumbers(python.parameters.expression, result.inputs, next) });
  };
  return (
    <div class="instrument" data-open={panel}>
      <div
        ref={canvas}
        class={current ? "canvas" : "canvas stale"}
        tabIndex={0}
        role="group"
        aria-label={`Graph of ${python.parameters.expression}`}
      >
        <Picture
          scene={scene}
          moving={moving}
          picked={storied ? shown : null}
          onPick={panel === "dots" ? undefined : setPicked}
        />
      </div>
      <div class="happening">
        <p class={step.astray || (ended(scene) && Object.keys(walk.wrong).length > 0) ? "says astray" : "says"}>
          <span>{step.says}</span>
          <span class="room" aria-hidden="true">
            {lengthiest(play)}
          </span>
        </p>
        {panel !== "numbers" && story}
      </div>
      <Player
        last={steps.length - 1}
        at={at}
        onMove={go}
        label="The graph, step by step"
        describe={(to) => steps[to]?.says ?? ""}
      />
      <div class="wrap more controls" ref={more}>
        {PANELS.filter(([each]) => each !== "dots" || result.dots !== null).map(([each, title]) => (
          <button type="button" aria-expanded={each === panel} aria-controls="graph-panel" onClick={() => toggle(each)}>
            {title}
          </button>
        ))}
      </div>
      <div class="panel" id="graph-panel">
        {panel === "numbers" && (
          <div class="controls">
            <Numbers
              inputs={result.inputs}
              moved={numbers}
              disabled={numbers.size === 0 && !current}
              onMove={move}
              onPick={setPicked}
            />
            {story}
          </div>
        )}
        {panel === "expression" && (
          <ExpressionField
            id="graph-expression"
            text={text}
            onText={type}
            refusal={refused}
            here={current && picked !== null ? (play.nodes[picked]?.place ?? null) : null}
          />
        )}
        {panel === "walks" && (
          <>
            <Choices
              label="Walk"
              choices={Object.keys(WALKS) as Way[]}
              value={way}
              onChoose={(chosen) => {
                setWay(chosen);
                setTouched(false);
                setPlace("end");
              }}
            />
            <p class="about">{WALKS[way]}</p>
          </>
        )}
        {panel === "dots" && (
          <p>
            {sizeOf(result.steps)} become {sizeOf(play)}. The result and all gradients stay the same.
          </p>
        )}
      </div>
      {panel !== "expression" && refused && (
        <p class="refusal" role="status">
          {refused.reason}
        </p>
      )}
      <div class="wrap foot controls">
        <CopyLink address={() => addressOf("graph", usual, now)} of="graph" />
        <PythonStatus python={python} />
      </div>
      <span class="sr-only" role="status">
        {said}
      </span>
    </div>
  );
}
