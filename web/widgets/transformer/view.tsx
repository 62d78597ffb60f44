/** The whole GPT: a token goes through its boxes to the probabilities of the next one, and every box opens. */

import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { gptFromMatrices, type LayerActivations } from "../../engine/gpt.js";
import { encodeName, TOKEN_LABELS } from "../../engine/network.js";
import { rankTokens } from "../../engine/sampling.js";
import type { Vector } from "../../engine/vectors.js";
import { colorStyle, type NumberKind } from "../../parts/colors.js";
import { formatFixed, formatPercent } from "../../parts/format.js";
import { useLastValidName } from "../../parts/name_field.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { Status } from "../../parts/status.js";
import { StepPlayer } from "../../parts/step_player.js";
import { TextField } from "../../parts/text_field.js";
import { StateLink, useUrlState } from "../../parts/url_state.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import { VectorStrip } from "../../parts/vector_strip.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { TransformerParameters, TransformerWeightsAndState } from "../types.js";
import { type Box, computeBoxes } from "./boxes.js";

const LIKELIEST_COUNT = 5;
const boxNumberKind = ({ id }: Box): NumberKind => (id === "wte" || id === "wpe" ? "parameter" : "activation");

/** A vector as rows of cells: the stronger, the further from 0; negative ones are grey with a dash. */
function VectorCells({ box, rows }: { box: Box; rows: number }) {
  const columns = box.values.length / rows;
  const cellPosition = (i: number): [x: number, y: number] => [i % columns, Math.floor(i / columns)];
  const negativeCells = box.values.flatMap((value, i) => (value < 0 ? [cellPosition(i)] : []));
  const opacity = (value: number): string => Math.max(0.08, Math.min(1, Math.abs(value) / box.maxMagnitude)).toFixed(2);
  const style = { ...colorStyle(boxNumberKind(box)), "--rows": String(rows) };
  return (
    <svg class="cells" style={style} viewBox={`0 0 ${columns} ${rows}`} preserveAspectRatio="none" aria-hidden="true">
      {box.values.map((value, i) => {
        const [x, y] = cellPosition(i);
        const className = value < 0 ? "negative" : undefined;
        return (
          <rect class={className} x={x} y={y} width="1" height="1" fill-opacity={value === 0 ? 0 : opacity(value)} />
        );
      })}
      <path class="dash" d={negativeCells.map(([x, y]) => `M${x + 0.3} ${y + 0.5}h.4`).join("")} />
    </svg>
  );
}

/** All numbers of a box. */
function BoxNumbers({ box }: { box: Box }) {
  const { id, values, maxMagnitude } = box;
  const [selected, setSelected] = useState(0);
  const hasTokenLabels = values.length === TOKEN_LABELS.length;
  const texts = values.map((value, i) => (hasTokenLabels ? `${TOKEN_LABELS[i]} ` : "") + formatFixed(value, 2));
  return (
    <VectorStrip
      id={`transformer-${id}`}
      {...{ values, maxMagnitude }}
      selected={selected}
      kind={boxNumberKind(box)}
      label={`Its ${values.length} numbers`}
      cellLabels={texts}
      columns={hasTokenLabels ? 5 : Math.min(8, values.length)}
      onSelect={setSelected}
      describeCell={(i) => `number ${i}: ${texts[i]}`}
    />
  );
}

export default function TransformerWidget({ result }: WidgetProps<TransformerParameters, TransformerWeightsAndState>) {
  const isHydrated = useHydrated();
  const defaults = { name: result.name, position: result.position, box: result.open_box };
  const [state, update] = useUrlState("transformer", defaults);
  /** The index of the box that the player has reached; null when all boxes are shown. */
  const [playedStage, setPlayedStage] = useState<number | null>(null);
  const [announcement, announce] = useState("");
  const flow = useRef<HTMLDivElement>(null);

  const typed = normalizeName(state.name);
  // BOS takes the first position.
  const maxLength = (result.matrices["wpe"] as Vector[]).length - 1;
  const validate = (text: string): string => nameError(text, undefined, maxLength);
  const { validName, error } = useLastValidName(typed, result.name, validate);
  const tokens = useMemo(() => encodeName(validName).slice(0, -1), [validName]);
  const gpt = useMemo(() => gptFromMatrices(result.heads, result.matrices), []);
  const activations = useMemo(() => gpt.computeActivations(tokens), [tokens]);
  const { attentionWeights } = activations.layers[0] as LayerActivations;
  const position = Math.min(tokens[state.position] !== undefined ? state.position : result.position, validName.length);
  const boxes = useMemo(() => computeBoxes(result, tokens, activations, position), [activations, position]);
  const openBox = boxes.find(({ id }) => id === state.box);
  const tokenLabel = (index: number): string => TOKEN_LABELS[tokens[index] as number] as string;
  const shownState = { name: validName, position, box: openBox?.id ?? "" };
  useEffect(() => {
    if (playedStage !== null) flow.current?.querySelector(".open")?.scrollIntoView({ block: "nearest" });
  }, [playedStage]);

  const describeBox = (box: Box | undefined): string =>
    box ? `${box.name}. ${box.description}` : "All its boxes are there";
  const openOrClose = (next: Box | undefined): void => {
    setPlayedStage(null);
    update({ box: next?.id ?? "" });
    announce(next ? describeBox(next) : "Closed");
  };
  function selectPosition(position: number): void {
    setPlayedStage(null);
    update({ position });
  }
  const setName = (text: string): void => {
    update({ name: text });
    if (!validate(text)) selectPosition(text.length);
  };
  function closeOnEscape({ key }: KeyboardEvent): void {
    if (key !== "Escape" || !openBox) return;
    flow.current?.querySelector<HTMLElement>(".open")?.focus();
    openOrClose(undefined);
  }
  function goToStage(stage: number): void {
    setPlayedStage(stage < boxes.length ? stage : null);
    update({ box: boxes[stage]?.id ?? "" });
  }

  const renderBox = (id: string, rows = 1, inside: ComponentChildren = null) => {
    const box = boxes.find((each) => each.id === id) as Box;
    const isFlat = !inside && !/^(wte|wpe|query|key|value)$/.test(id);
    const isPending = playedStage !== null && boxes.indexOf(box) > playedStage;
    const classes = ["box", `at-${id}`, isFlat && "flat", box === openBox && "open", isPending && "pending"];
    const className = classes.filter(Boolean).join(" ");
    const contents = (
      <>
        <span class="head">
          <code>{box.name}</code> <span class="size">{box.values.length}</span>
        </span>
        {inside}
        {id !== "softmax" && <VectorCells box={box} rows={rows} />}
      </>
    );
    if (!isHydrated) return <div class={`button ${className}`}>{contents}</div>;
    return (
      <button
        type="button"
        class={className}
        aria-label={`${box.name}, ${box.values.length} numbers`}
        aria-expanded={box === openBox}
        aria-controls="transformer-panel"
        onClick={() => openOrClose(box === openBox ? undefined : box)}
      >
        {contents}
      </button>
    );
  };
  const renderRow = (id: string, kind = "", rows = 1) => <div class={`step ${kind}`}>{renderBox(id, rows)}</div>;
  const renderAttentionBars = (head: number) => (
    <span class="attention-bars">
      {attentionWeights[head]?.[position]?.map((weight, at) => (
        <span>
          <i style={{ "--share": weight.toFixed(3) }} />
          <b>{tokenLabel(at).slice(0, 1)}</b>
        </span>
      ))}
    </span>
  );
  const probabilities = boxes.at(-1)?.values as Vector;
  const likeliest = rankTokens(probabilities);
  const largest = probabilities[likeliest[0] as number] as number;
  const barWidth = (token: number): string => `${((100 * (probabilities[token] as number)) / largest).toFixed(1)}%`;

  return (
    <div role="group" aria-label="The whole GPT" onKeyDown={closeOnEscape}>
      <TextField id="transformer" label="A name for the model to read" value={typed} onInput={setName} error={error} />
      <div class="letters controls">
        <SingleChoice
          label="The token that is read"
          choices={tokens.map((_, index) => [index, tokenLabel(index)] as const)}
          value={position}
          onChange={selectPosition}
          class="wrapping-row"
        />
        <StepPlayer
          lastStep={boxes.length}
          step={playedStage ?? boxes.length}
          onChange={goToStage}
          label="From the letter to the chances of the next"
          describeStep={(stage) => describeBox(boxes[stage])}
        />
      </div>
      <div class="gpt">
        <div class="flow" ref={flow}>
          <div class="step">
            {renderBox("wte")}
            {renderBox("wpe")}
          </div>
          {renderRow("sum")}
          {renderRow("rmsnorm")}
          <div class="block">
            <p class="name">
              <b>Attention</b> looks back
            </p>
            {renderRow("attention_rmsnorm", "branch")}
            <div class="step">{["query", "key", "value"].map((id) => renderBox(id))}</div>
            {renderRow("cache", "", 2 * (position + 1))}
            <div class={tokens.length > 8 ? "step crowded" : "step"}>
              {attentionWeights.map((_, head) => renderBox(`head${head}`, 1, renderAttentionBars(head)))}
            </div>
            {renderRow("attn_wo", "merge")}
          </div>
          {renderRow("attention", "stream")}
          <div class="block">
            <p class="name">
              <b>MLP</b> works on what was found
            </p>
            {renderRow("mlp_rmsnorm", "branch")}
            {renderRow("fc1", "", 2)}
            {renderRow("relu", "", 2)}
            {renderRow("fc2", "merge")}
          </div>
          {renderRow("mlp", "stream")}
          {renderRow("lm_head")}
          <div class="step">
            {renderBox(
              "softmax",
              1,
              <span class="likeliest">
                {likeliest.slice(0, LIKELIEST_COUNT).map((token) => (
                  <>
                    <b>{TOKEN_LABELS[token]}</b>
                    <span class="track">
                      <i class="fill activation" style={{ width: barWidth(token) }} />
                    </span>
                    <span>{formatPercent(probabilities[token] as number)}</span>
                  </>
                ))}
              </span>,
            )}
          </div>
        </div>
        <div class="panel" id="transformer-panel" role="group" aria-label={openBox?.name ?? "What the model expects"}>
          {openBox ? (
            <>
              <p class="title">{openBox.name}</p>
              <p class="caption">{openBox.description}</p>
              <BoxNumbers key={openBox.id} box={openBox} />
            </>
          ) : (
            <>
              <p role="status">
                The model has read <b>{["BOS", ...validName.slice(0, position)].join(" ")}</b> and expects{" "}
                <b>{TOKEN_LABELS[likeliest[0] as number]}</b>.{" "}
                {position < validName.length
                  ? `In this name, ${tokenLabel(position + 1)} comes next.`
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
      <p class="link-row controls">
        <StateLink widget="transformer" defaults={defaults} state={shownState} subject="picture" />
      </p>
      <Status class="sr-only">{announcement}</Status>
    </div>
  );
}
