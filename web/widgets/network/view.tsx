/** The network of Step 1: a pair of a name flows through it, and the slopes of its loss come back. */

import { useEffect, useRef, useState } from "preact/hooks";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { Listing } from "../../parts/listing.js";
import { decimals, grouped, significant } from "../../parts/numerals.js";
import { IconButton, Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { useAlive } from "../../parts/use_alive.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Flow, FlowPair, LitLine, NetworkParameters, Network as Result } from "../types.js";
import { type Cell, detail, LISTED, type Parameter, type VectorName, vector } from "./detail.js";
import { DotProductPanel } from "./dot_product.js";
import { MapsPanel } from "./maps.js";
import { NudgePanel } from "./nudge.js";
import { letter, Picture, stage } from "./picture.js";
import { SoftmaxPanel } from "./softmax.js";

type Panel = Result["open"];
type State = Flow["weights"];

const STATES: State[] = ["untrained", "trained"];
const EXAMPLES = ["emma", "anna", "zoe", "maximilian"];
const PANELS: [panel: Panel, title: string][] = [
  ["name", "Another name, other weights"],
  ["dot product", "One dot product"],
  ["softmax", "Softmax"],
  ["nudge", "Nudge a parameter"],
  ["parameters", "All parameters"],
  ["lines", "Line by line"],
];

/** The cell to look at when a stage has come: the strongest of its vector, or the token that comes next. */
function telling(flow: Flow, pair: FlowPair, at: number): Cell {
  const name = flow.stages[at] as string;
  if (at === 0) return ["x", 0];
  if (name === "loss") return ["logits", pair.target];
  if (name === "probabilities" || name === "d_logits") return [name, pair.target];
  const of = (name === "end" ? "d_x" : name) as VectorName;
  const sizes = vector(pair, of).map(Math.abs);
  return [of, sizes.indexOf(Math.max(...sizes))];
}

interface NameProps {
  flow: Flow;
  picked: number;
  pick(pair: number): void;
}

/** The name as letters, and between two of them an arrow that lets this pair flow. */
function Name({ flow, picked, pick }: NameProps) {
  const alive = useAlive();
  const { pairs, tokens } = flow;
  const at = (place: number, token: number) => (
    <span class={["letter goes", "letter comes"][place - picked] ?? "letter"}>{letter(flow, token)}</span>
  );
  return (
    <div class="name-of-pairs" role="group" aria-label="The pairs of the name">
      {at(0, (pairs[0] as FlowPair).token)}
      {pairs.map((pair, index) => {
        const loss = decimals(pair.loss, 2);
        const contents = (
          <>
            <span aria-hidden="true">→</span>
            <span class="loss-of-pair">{loss}</span>
          </>
        );
        return (
          <>
            {alive ? (
              <button
                type="button"
                class="pair"
                aria-pressed={index === picked}
                aria-label={`${tokens[pair.token]} → ${tokens[pair.target]}, loss ${loss}`}
                onClick={() => pick(index)}
              >
                {contents}
              </button>
            ) : (
              <span class={index === picked ? "pair picked" : "pair"}>{contents}</span>
            )}
            {at(index + 1, pair.target)}
          </>
        );
      })}
      <span class="mean">
        mean loss <b>{decimals(flow.mean, 2)}</b>, a blind guess {decimals(flow.blind, 2)}
      </span>
    </div>
  );
}

interface DetailProps {
  flow: Flow;
  pair: FlowPair;
  cell: Cell;
  known: boolean;
  pick(cell: Cell): void;
}

/** Where a number comes from: its largest terms, each of which leads to its cell. */
function Detail({ flow, pair, cell, known, pick }: DetailProps) {
  const alive = useAlive();
  const shown = detail(flow, pair, cell);
  const [name, index] = cell;
  const widest = Math.max(...shown.terms.map(({ size }) => Math.abs(size)));
  return (
    <>
      <div class="head">
        <p class="title">{known ? shown.title : "Nothing is computed yet"}</p>
        <span class="controls">
          <IconButton icon="back" says="One cell back" off={index === 0} press={() => pick([name, index - 1])} />
          <IconButton
            icon="on"
            says="One cell on"
            off={index === vector(pair, name).length - 1}
            press={() => pick([name, index + 1])}
          />
        </span>
      </div>
      <p class="says" role="status">
        {known ? shown.says : "Press play. Then pick any number, and this tells where it comes from."}
      </p>
      <ul class={name.startsWith("d_") ? "contributions gradient" : "contributions"}>
        {Array.from({ length: LISTED }, (_, place) => {
          const term = known && shown.terms[place];
          if (!term) return <li class="empty" aria-hidden="true" />;
          const share = `${Math.round((1000 * Math.abs(term.size)) / widest) / 20}%`;
          const contents = (
            <>
              <span class="name">{term.name}</span>
              <span class="text">{term.text}</span>
              <span class="track" aria-hidden="true">
                <span class="bar-of-product" style={{ width: share }} />
              </span>
            </>
          );
          return (
            <li class={term.size < 0 ? "below" : ""}>
              {alive ? (
                <button type="button" onClick={() => pick(term.cell)}>
                  {contents}
                </button>
              ) : (
                <span class="as-button">{contents}</span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** The loss, and at the end what the parameters feel of it. */
function Ends({ flow, pair, at }: { flow: Flow; pair: FlowPair; at: number }) {
  const known = at >= stage(flow, "loss");
  const end = at >= stage(flow, "end");
  return (
    <>
      <p class={`loss-row${known ? "" : " coming"}${at === stage(flow, "loss") ? " now" : ""}`}>
        <code>loss</code> of {letter(flow, pair.target)}:{" "}
        <b>{known ? `−ln ${significant(pair.p, 3)} = ${significant(pair.loss, 3)}` : "–"}</b>
      </p>
      <dl class={`felt${end ? " now" : " coming"}`} aria-label="What the parameters feel">
        {pair.felt.map(({ matrix, felt, of, row, column, slope }) => (
          <div>
            <dt>{matrix}</dt>
            <dd>
              {end
                ? `${grouped(felt)} of ${grouped(of)} have a slope, most [${row}][${column}]: ${significant(slope, 2)}`
                : "–"}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Instrument({ given, begin }: { given: Given<NetworkParameters, Result>; begin: Flow }) {
  const python = usePython<NetworkParameters, Result>("network", given);
  const flow = python.result.flow ?? begin;
  // Another name begins with its first pair.
  const [place, setPlace] = useState({ of: begin.name, pair: begin.pair - 1 });
  const [at, setAt] = useState(stage(begin, begin.at));
  const [open, setOpen] = useState<Panel>(given.result.open);
  /** The reader's own choice; without one, the picture chooses as it goes. */
  const [chosen, setChosen] = useState<Cell | null>(null);
  // Nothing moves before the reader does something: then a stage fills, or a whole pair pours down, each time anew.
  const [motion, setMotion] = useState("");
  const [poured, setPoured] = useState(0);
  const usualPair = flow.name === begin.name ? begin.pair - 1 : 0;
  const index = Math.min(place.of === flow.name ? place.pair : usualPair, flow.pairs.length - 1);
  const pair = flow.pairs[index] as FlowPair;
  const cell = chosen && at >= stage(flow, chosen[0]) ? chosen : telling(flow, pair, at);
  const known = at > 0;
  const also = known ? detail(flow, pair, cell) : { terms: [], parameter: undefined };
  const name = python.asked.name ?? begin.name;
  const weights = python.asked.weights ?? begin.weights;
  const ask = (changed: Partial<NetworkParameters>, wait = false): void =>
    python.ask({ ...python.asked, name, weights, ...changed, pair: 1, only: "flow" }, wait);

  const usual = {
    name: begin.name,
    pair: begin.pair,
    weights: begin.weights as string,
    at: begin.at as string,
    open: given.result.open as string,
  };
  const now = { name, pair: index + 1, weights, at: begin.stages[at] as string, open };
  useEffect(() => {
    const asked = standing("network", usual);
    const named = asked.name.trim();
    const state = STATES.find((known) => known === asked.weights) ?? begin.weights;
    if (named !== usual.name || state !== usual.weights) ask({ name: named, weights: state });
    if (Number.isInteger(asked.pair) && asked.pair >= 1) setPlace({ of: named, pair: asked.pair - 1 });
    if (begin.stages.includes(asked.at)) setAt(stage(begin, asked.at));
    setOpen(PANELS.find(([panel]) => panel === asked.open)?.[0] ?? (asked.open === "" ? "" : given.result.open));
  }, []);
  useAddress("network", usual, now);
  // A name from the address that is none is refused where another can be typed.
  const refused = python.refusal !== null;
  useEffect(() => {
    if (refused) setOpen("name");
  }, [refused]);

  const move = (to: number): void => {
    setMotion("fills");
    setAt(to);
  };
  const pick = (index: number): void => {
    setPlace({ of: flow.name, pair: index });
    setChosen(null);
    setMotion("pours");
    setPoured(poured + 1);
    if (at === 0) setAt(stage(flow, "loss"));
  };
  const lit = flow.lit[at] as LitLine;
  // The lines open where they can be seen beside the sentence and the strips.
  const lines = useRef<HTMLDivElement>(null);
  const show = (panel: Panel): void => {
    setOpen(panel);
    if (panel === "lines") setTimeout(() => lines.current?.scrollIntoView({ block: "center" }));
  };
  return (
    <>
      <Name flow={flow} picked={index} pick={pick} />
      <Player
        last={flow.stages.length - 1}
        at={at}
        onMove={move}
        label="Through the network and back"
        describe={(to) => pair.says[to] as string}
      />
      {open !== "name" && (python.busy || python.retry) && <PythonStatus python={python} />}
      <p class="words">{pair.says[at]}</p>
      <div class="lines" id="network-lines" ref={lines} hidden={open !== "lines"}>
        {open === "lines" && (
          <Listing file={flow.file} functions={flow.functions} line={lit.line} waiting={lit.waiting} />
        )}
      </div>
      <div class={`flow ${motion}${python.stale ? " stale" : ""}`} key={poured}>
        <Picture
          flow={flow}
          pair={pair}
          at={at}
          picked={cell}
          also={also.terms.map((term) => term.cell)}
          onPick={setChosen}
        />
        <Ends flow={flow} pair={pair} at={at} />
      </div>
      <Detail flow={flow} pair={pair} cell={cell} known={known} pick={setChosen} />
      <div class="disclosures controls" role="group" aria-label="More to do">
        {PANELS.map(([panel, title]) => (
          <button
            type="button"
            aria-expanded={panel === open}
            aria-controls={panel === "lines" ? "network-lines" : "network-panel"}
            onClick={() => show(panel === open ? "" : panel)}
          >
            {title}
          </button>
        ))}
      </div>
      <div class="panel" id="network-panel" hidden={open === "" || open === "lines"}>
        {open === "name" && (
          <TextField
            id="network"
            label="A name"
            value={name}
            onInput={(typed) => ask({ name: typed }, true)}
            onEnter={(typed) => ask({ name: typed })}
            refusal={python.refusal}
          >
            <Choices
              label="Weights"
              choices={STATES}
              value={weights}
              onChoose={(chosen) => ask({ weights: chosen })}
              class="states"
            />
            <PythonStatus python={python} />
          </TextField>
        )}
        {open === "name" && (
          <Choices
            label="Names to type"
            choices={EXAMPLES}
            value={name}
            onChoose={(chosen) => ask({ name: chosen })}
            class="examples"
          />
        )}
        <Shown panel={open} given={given} flow={flow} parameter={also.parameter} />
      </div>
      <p class="link controls">
        <CopyLink address={() => addressOf("network", usual, now)} of="picture" />
      </p>
    </>
  );
}

interface ShownProps {
  panel: Panel | NonNullable<NetworkParameters["only"]>;
  given: Given<NetworkParameters, Result>;
  flow?: Flow | undefined;
  parameter?: Parameter | undefined;
}

/** A panel that has numbers of its own: those of the page, or those that Python gives when it is opened. */
function Shown({ panel, given, flow, parameter }: ShownProps) {
  if (panel === "dot product") return <DotProductPanel given={given} />;
  if (panel === "softmax") return <SoftmaxPanel given={given} />;
  if (panel === "parameters") return <MapsPanel given={given} />;
  if (panel === "nudge") return <NudgePanel given={given} flow={flow} parameter={parameter} />;
  return null;
}

export default function NetworkWidget(given: Given<NetworkParameters, Result>) {
  const { flow, open } = given.result;
  if (flow) return <Instrument given={given} begin={flow} />;
  return <Shown panel={given.parameters.only ?? open} given={given} />;
}
