/** The whole GPT: one token flows from its letter to the chances of the next, and every box on its way opens. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { gptFromMatrices, type LayerActivations } from "../../engine/gpt.js";
import { encodeName, TOKEN_LABELS } from "../../engine/network.js";
import type { Vector } from "../../engine/vectors.js";
import { Choices } from "../../parts/choices.js";
import { colorStyle } from "../../parts/colors.js";
import { formatFixed, formatPercent } from "../../parts/format.js";
import { useLastValidName } from "../../parts/name_field.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { StepPlayer } from "../../parts/step_player.js";
import { TextField } from "../../parts/text_field.js";
import { CopyLinkButton, readUrlState, urlWithState, useSyncUrl } from "../../parts/url_state.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import { VectorStrip } from "../../parts/vector_strip.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Transformer, TransformerParameters } from "../types.js";
import { type Box, boxes } from "./boxes.js";

const LIKELIEST = 5;
const kindOf = ({ id }: Box) => (id === "wte" || id === "wpe" ? "parameter" : "activation");

/** A vector as rows of cells: the stronger, the further from 0; grey with a dash below it. */
function Cells({ of, rows }: { of: Box; rows: number }) {
  const columns = of.values.length / rows;
  const at = (i: number): [x: number, y: number] => [i % columns, Math.floor(i / columns)];
  const below = of.values.flatMap((value, i) => (value < 0 ? [at(i)] : []));
  return (
    <svg
      class="cells"
      style={{ ...colorStyle(kindOf(of)), "--rows": String(rows) }}
      viewBox={`0 0 ${columns} ${rows}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {of.values.map((value, i) => (
        <rect
          class={value < 0 ? "negative" : undefined}
          x={at(i)[0]}
          y={at(i)[1]}
          width="1"
          height="1"
          fill-opacity={value === 0 ? 0 : Math.max(0.08, Math.min(1, Math.abs(value) / of.limit)).toFixed(2)}
        />
      ))}
      <path class="dash" d={below.map(([x, y]) => `M${x + 0.3} ${y + 0.5}h.4`).join("")} />
    </svg>
  );
}

/** All numbers of a box. */
function Numbers({ of: { id, values, limit }, kind }: { of: Box; kind: ReturnType<typeof kindOf> }) {
  const [picked, pick] = useState(0);
  const named = values.length === TOKEN_LABELS.length;
  const texts = values.map((value, i) => (named ? `${TOKEN_LABELS[i]} ` : "") + formatFixed(value, 2));
  return (
    <VectorStrip
      id={`transformer-${id}`}
      values={values}
      kind={kind}
      maxMagnitude={limit}
      label={`Its ${values.length} numbers`}
      cellLabels={texts}
      columns={named ? 5 : Math.min(8, values.length)}
      selected={picked}
      onSelect={pick}
      describeCell={(i) => `number ${i}: ${texts[i]}`}
    />
  );
}

export default function TransformerWidget({ result: given }: WidgetProps<TransformerParameters, Transformer>) {
  const alive = useHydrated();
  const usual = { name: given.name, position: given.position, box: given.box };
  const [asked, setAsked] = useState(usual);
  const change = (changed: Partial<typeof usual>): void => setAsked((before) => ({ ...before, ...changed }));
  useLayoutEffect(() => setAsked(readUrlState("transformer", usual)), []);
  /** The box that a token on its way has come to; null where all is there. */
  const [stage, setStage] = useState<number | null>(null);
  const [said, say] = useState("");
  const flow = useRef<HTMLDivElement>(null);

  const typed = normalizeName(asked.name);
  // BOS takes the first position.
  const longest = (given.matrices["wpe"] as Vector[]).length - 1;
  const refuse = (text: string): string => nameError(text, TOKEN_LABELS, longest);
  const { validName, error } = useLastValidName(typed, given.name, refuse);
  const read = useMemo(() => encodeName(validName).slice(0, -1), [validName]);
  const gpt = useMemo(() => gptFromMatrices(given.heads, given.matrices), []);
  const reading = useMemo(() => gpt.computeActivations(read), [read]);
  const { attentionWeights } = reading.layers[0] as LayerActivations;
  const position = Math.min(read[asked.position] !== undefined ? asked.position : given.position, validName.length);
  const all = useMemo(() => boxes(given, read, reading, position), [reading, position]);
  const box = all.find(({ id }) => id === asked.box);
  const letter = (place: number): string => TOKEN_LABELS[read[place] as number] as string;
  const stands = { name: validName, position, box: box?.id ?? "" };
  useSyncUrl("transformer", usual, stands);
  useEffect(() => {
    if (stage !== null) flow.current?.querySelector(".open")?.scrollIntoView({ block: "nearest" });
  }, [stage]);

  const told = (of: Box | undefined): string => (of ? `${of.name}. ${of.says}` : "All its boxes are there");
  const open = (next: Box | undefined): void => {
    setStage(null);
    change({ box: next?.id ?? "" });
    say(next ? told(next) : "Closed");
  };
  function go(position: number): void {
    setStage(null);
    change({ position });
  }
  const type = (text: string): void => {
    change({ name: text });
    if (!refuse(text)) go(text.length);
  };
  function close({ key }: KeyboardEvent): void {
    if (key !== "Escape" || !box) return;
    flow.current?.querySelector<HTMLElement>(".open")?.focus();
    open(undefined);
  }
  function play(to: number): void {
    setStage(to < all.length ? to : null);
    change({ box: all[to]?.id ?? "" });
  }

  const show = (id: string, rows = 1, inside: ComponentChildren = null) => {
    const of = all.find((each) => each.id === id) as Box;
    const flat = !inside && !/^(wte|wpe|query|key|value)$/.test(id);
    const coming = stage !== null && all.indexOf(of) > stage;
    const classes = ["box", `at-${id}`, flat && "flat", of === box && "open", coming && "coming"];
    const contents = (
      <>
        <span class="head">
          <code>{of.name}</code> <span class="size">{of.values.length}</span>
        </span>
        {inside}
        {id !== "softmax" && <Cells of={of} rows={rows} />}
      </>
    );
    if (!alive) return <div class={`button ${classes.filter(Boolean).join(" ")}`}>{contents}</div>;
    return (
      <button
        type="button"
        class={classes.filter(Boolean).join(" ")}
        aria-label={`${of.name}, ${of.values.length} numbers`}
        aria-expanded={of === box}
        aria-controls="transformer-panel"
        onClick={() => open(of === box ? undefined : of)}
      >
        {contents}
      </button>
    );
  };
  const row = (id: string, kind = "", rows = 1) => <div class={`step ${kind}`}>{show(id, rows)}</div>;
  const looks = (head: number) => (
    <span class="attention-bars">
      {attentionWeights[head]?.[position]?.map((weight, at) => (
        <span>
          <i style={{ "--share": weight.toFixed(3) }} />
          <b>{letter(at).slice(0, 1)}</b>
        </span>
      ))}
    </span>
  );
  const chances = all.at(-1)?.values as Vector;
  const likeliest = [...chances.keys()].sort((i, j) => (chances[j] as number) - (chances[i] as number));
  const largest = chances[likeliest[0] as number] as number;

  return (
    <div role="group" aria-label="The whole GPT" onKeyDown={close}>
      <TextField
        id="transformer"
        label="A name for the model to read"
        value={typed}
        onInput={type}
        onSubmit={type}
        error={error}
      />
      <div class="letters controls">
        <Choices
          label="The token that is read"
          choices={read.map((_, place) => [place, letter(place)] as const)}
          value={position}
          onChange={go}
          class="wrap"
        />
        <StepPlayer
          lastStep={all.length}
          step={stage ?? all.length}
          onChange={play}
          label="From the letter to the chances of the next"
          describeStep={(to) => told(all[to])}
        />
      </div>
      <div class="gpt">
        <div class="flow" ref={flow}>
          <div class="step">
            {show("wte")}
            {show("wpe")}
          </div>
          {row("sum")}
          {row("rmsnorm")}
          <div class="part">
            <p class="name">
              <b>Attention</b> looks back
            </p>
            {row("attention_rmsnorm", "out")}
            <div class="step">{["query", "key", "value"].map((id) => show(id))}</div>
            {row("cache", "", 2 * (position + 1))}
            <div class={read.length > 8 ? "step crowded" : "step"}>
              {attentionWeights.map((_, head) => show(`head${head}`, 1, looks(head)))}
            </div>
            {row("attn_wo", "back")}
          </div>
          {row("attention", "stream")}
          <div class="part">
            <p class="name">
              <b>MLP</b> works on what was found
            </p>
            {row("mlp_rmsnorm", "out")}
            {row("fc1", "", 2)}
            {row("relu", "", 2)}
            {row("fc2", "back")}
          </div>
          {row("mlp", "stream")}
          {row("lm_head")}
          <div class="step">
            {show(
              "softmax",
              1,
              <span class="chances">
                {likeliest.slice(0, LIKELIEST).map((token) => (
                  <>
                    <b>{TOKEN_LABELS[token]}</b>
                    <span class="track">
                      <i
                        class="fill activation"
                        style={{ width: `${((100 * (chances[token] as number)) / largest).toFixed(1)}%` }}
                      />
                    </span>
                    <span>{formatPercent(chances[token] as number)}</span>
                  </>
                ))}
              </span>,
            )}
          </div>
        </div>
        <div class="panel" id="transformer-panel" role="group" aria-label={box?.name ?? "What the model expects"}>
          {box ? (
            <>
              <p class="title">{box.name}</p>
              <p class="says">{box.says}</p>
              <Numbers key={box.id} of={box} kind={kindOf(box)} />
            </>
          ) : (
            <>
              <p role="status">
                The model has read <b>{["BOS", ...validName.slice(0, position)].join(" ")}</b> and expects{" "}
                <b>{TOKEN_LABELS[likeliest[0] as number]}</b>.{" "}
                {position < validName.length
                  ? `In this name, ${letter(position + 1)} comes next.`
                  : "This name ends here."}
              </p>
              <p>Open any box to see its numbers.</p>
              <p class="note" aria-hidden="true">
                Each cell is a number: the stronger its colour, the further from 0, and grey with a dash if it’s below.
                The thick line is the residual stream.
              </p>
            </>
          )}
        </div>
      </div>
      <p class="link controls">
        <CopyLinkButton getUrl={() => urlWithState("transformer", usual, stands)} subject="picture" />
      </p>
      <span class="sr-only" role="status">
        {said}
      </span>
    </div>
  );
}
