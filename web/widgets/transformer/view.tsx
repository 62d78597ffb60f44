/** The whole GPT: one token flows from its letter to the chances of the next, and every box on its way opens. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { gptOf, type Layer } from "../../engine/gpt.js";
import { documentOf, TOKENS } from "../../engine/network.js";
import type { Vector } from "../../engine/vectors.js";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { useReadable } from "../../parts/name_field.js";
import { percent } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { read as readName, refusal } from "../../parts/refusal.js";
import { TextField } from "../../parts/text_field.js";
import { useAlive } from "../../parts/use_alive.js";
import type { Given } from "../../runtime/widget.js";
import type { Transformer, TransformerParameters } from "../types.js";
import { type Box, boxes } from "./boxes.js";
import { Cells } from "./cells.js";
import { Detail } from "./detail.js";

const LIKELIEST = 5;
/** Boxes that are computed together are one stage. */
const TOGETHER: Record<string, string> = { wpe: "wte", key: "query", value: "query" };
const stageOf = (id: string): string => TOGETHER[id] ?? (/^head\d/.test(id) ? "head" : id);

export default function TransformerWidget({ result: given }: Given<TransformerParameters, Transformer>) {
  const alive = useAlive();
  const usual = { name: given.name, position: given.position, box: given.box };
  const [asked, setAsked] = useState(usual);
  const change = (changed: Partial<typeof usual>): void => setAsked((before) => ({ ...before, ...changed }));
  useLayoutEffect(() => setAsked(standing("transformer", usual)), []);
  const [picked, pick] = useState(0);
  /** The stage of a token on its way; null where all is there. */
  const [stage, setStage] = useState<number | null>(null);
  const [said, say] = useState("");
  const root = useRef<HTMLDivElement>(null);

  const typed = readName(asked.name);
  // BOS takes the first position.
  const longest = (given.matrices["wpe"] as Vector[]).length - 1;
  const refuse = (text: string): string => refusal(text, TOKENS, longest);
  const { name, reason } = useReadable(typed, given.name, refuse);
  const read = useMemo(() => documentOf(name).slice(0, -1), [name]);
  const gpt = useMemo(() => gptOf(given.heads, given.matrices), []);
  const reading = useMemo(() => gpt.read(read), [read]);
  const layer = reading.layers[0] as Layer;
  const position = Math.min(read[asked.position] !== undefined ? asked.position : given.position, name.length);
  const all = useMemo(() => boxes(given, read, reading, position), [reading, position]);
  const stages = [...new Set(all.map(({ id }) => stageOf(id)))];
  const boxOf = (id: string): Box | undefined => all.find((each) => each.id === id);
  const box = boxOf(asked.box);
  const open = box?.id ?? "";
  const index = Math.min(picked, (box?.values.length ?? 1) - 1);
  const letter = (place: number): string => TOKENS[read[place] as number] as string;
  const stands = { name, position, box: open };
  useAddress("transformer", usual, stands);

  function go(position: number): void {
    change({ position });
    setStage(null);
  }
  const type = (text: string): void => {
    change({ name: text });
    if (!refuse(text)) go(text.length);
  };
  const toggle = (id: string): void => {
    const next = id === open ? undefined : boxOf(id);
    change({ box: next?.id ?? "" });
    // Begin with what stands out: the likeliest token, or the first number.
    pick(id === "softmax" ? (next?.values.indexOf(Math.max(...next.values)) ?? 0) : 0);
    say(next ? `${next.title}. ${next.says}` : "Closed");
  };

  function close(): void {
    toggle(open);
    root.current?.querySelector<HTMLElement>(`.at-${open}`)?.focus();
  }

  useEffect(() => root.current?.querySelector(".now")?.scrollIntoView({ block: "nearest" }), [stage, position]);
  const told = (to: number): string => {
    const now = all.find(({ id }) => stageOf(id) === stages[to]);
    return now ? `${now.title}. ${now.says}` : "All its boxes are there";
  };

  const show = (id: string, inside?: ComponentChildren, rows = 1) => {
    const of = boxOf(id) as Box;
    const at = stages.indexOf(stageOf(id));
    const state = stage === null || at < stage ? "" : at === stage ? " now" : " coming";
    const contents = (
      <>
        <span class="head">
          <code>{of.name}</code> <span class="size">{of.size}</span>
        </span>
        {inside ?? <Cells of={of} rows={rows} />}
      </>
    );
    const classes = `box at-${id}${inside || /^(wte|wpe|query|key|value)$/.test(id) ? "" : " flat"}${id === open ? " open" : ""}${state}`;
    if (!alive) return <div class={`button ${classes}`}>{contents}</div>;
    return (
      <button
        type="button"
        class={classes}
        aria-label={[of.name, `${of.size} numbers`, of.gist].filter(Boolean).join(", ")}
        aria-expanded={id === open}
        aria-controls={id === open ? "transformer-panel" : undefined}
        onClick={() => toggle(id)}
      >
        {contents}
      </button>
    );
  };
  const detail = (...ids: string[]) =>
    box && ids.includes(box.id) ? <Detail given={given} box={box} index={index} pick={pick} close={close} /> : null;
  const row = (id: string, kind = "") => (
    <>
      <div class={`step ${kind}`}>
        {kind === "stream" && (
          <i class="plus" aria-hidden="true">
            +
          </i>
        )}
        {show(id, undefined, id === "fc1" || id === "relu" ? 2 : 1)}
      </div>
      {detail(id)}
    </>
  );
  const heads = Array.from({ length: given.heads }, (_, head) => `head${head}`);
  const ahead = stage !== null && stage < stages.indexOf("cache");
  const cached = [layer.key, layer.value];
  const most = (vectors: Vector[]): number => Math.max(...vectors.flat().map(Math.abs));
  const kept = (at: number, vectors: Vector[]) =>
    at > position || (at === position && ahead) ? (
      <i class="none" />
    ) : (
      <Cells of={{ values: vectors[at] as Vector, limit: most(vectors), kind: "activation" }} />
    );
  const chances = all.at(-1)?.values as Vector;
  const likeliest = [...chances.keys()].sort((i, j) => (chances[j] as number) - (chances[i] as number));

  const soFar = ["BOS", ...name.slice(0, position)].join(" ");
  const next = position < name.length ? `In this name, ${letter(position + 1)} comes next.` : "This name ends here.";

  return (
    <div
      class="gpt"
      role="group"
      aria-label="The whole GPT"
      ref={root}
      onKeyDown={({ key }) => key === "Escape" && box && close()}
    >
      <TextField
        id="transformer"
        label="A name for the model to read"
        value={typed}
        onInput={type}
        onEnter={type}
        refusal={reason ? { reason } : null}
      />
      <div class="letters controls">
        <Choices
          label="The token that is read"
          choices={read.map((_, place) => [place, letter(place)] as const)}
          value={position}
          onChoose={go}
          class="wrap"
        />
        <Player
          last={stages.length}
          at={stage ?? stages.length}
          onMove={(to) => setStage(to < stages.length ? to : null)}
          label="From the letter to the chances of the next"
          describe={told}
        />
        {stage !== null && <p class="words">{told(stage)}</p>}
      </div>
      <div class="flow">
        <div class="step pair">
          {show("wte")}
          {show("wpe")}
        </div>
        {detail("wte", "wpe")}
        {row("sum", "joins")}
        {row("rmsnorm", "thin")}
        <div class="part">
          <p class="name">
            <b>Attention</b> looks back
          </p>
          {row("attention_rmsnorm", "out")}
          <div class="step three">
            {show("query")}
            {show("key")}
            {show("value")}
          </div>
          {detail("query", "key", "value")}
          <div class="step three">
            <i class="passes" />
            {show(
              "cache",
              <span class="kept">
                {read.map((_, at) => (
                  <>
                    <span class={at > position ? "whose later" : "whose"}>{letter(at).slice(0, 1)}</span>
                    {cached.map((vectors) => kept(at, vectors))}
                  </>
                ))}
              </span>,
            )}
          </div>
          {detail("cache")}
          <div class={read.length > 8 ? "step heads crowded" : "step heads"}>
            {heads.map((id, head) => {
              const weights = layer.weights[head]?.[position] ?? [];
              const bars = read.map((_, at) => (
                <span>
                  <i style={{ "--share": (weights[at] ?? 0).toFixed(3) }} />
                  <b>{letter(at).slice(0, 1)}</b>
                </span>
              ));
              return show(
                id,
                <>
                  <span class="looks">{bars}</span>
                  <Cells of={boxOf(id) as Box} />
                </>,
              );
            })}
          </div>
          {detail(...heads)}
          {row("attn_wo", "back")}
        </div>
        {row("attention", "stream")}
        <div class="part">
          <p class="name">
            <b>MLP</b> works on what was found
          </p>
          {row("mlp_rmsnorm", "out")}
          {row("fc1")}
          {row("relu")}
          {row("fc2", "back")}
        </div>
        {row("mlp", "stream")}
        {row("lm_head", "ends")}
        <div class="step thin">
          {show(
            "softmax",
            <span class="chances">
              {likeliest.slice(0, LIKELIEST).map((token) => (
                <>
                  <b>{TOKENS[token]}</b>
                  <span class="track">
                    <i
                      class="fill activation"
                      style={{
                        width: `${((100 * (chances[token] as number)) / (chances[likeliest[0] as number] as number)).toFixed(1)}%`,
                      }}
                    />
                  </span>
                  <span>{percent(chances[token] as number)}</span>
                </>
              ))}
            </span>,
          )}
        </div>
        {detail("softmax")}
        {stage === null && (
          <div class={box ? "hint opened" : "hint"}>
            <div class="inner">
              <p role="status">
                The model has read <b>{soFar}</b> and expects <b>{TOKENS[likeliest[0] as number]}</b>. {next}
              </p>
              <p>Open any box to see its numbers, and how one of them is made.</p>
              <p class="note" aria-hidden="true">
                Each cell is a number: the stronger its colour, the further from 0, and grey with a dash if it’s below.
                The thick line is the residual stream.
              </p>
            </div>
          </div>
        )}
      </div>
      <p class="link controls">
        <CopyLink address={() => addressOf("transformer", usual, stands)} of="picture" />
      </p>
      <span class="sr-only" role="status">
        {said}
      </span>
    </div>
  );
}
