/** A name that is invented letter by letter: what could come next, a die, and what changes its odds. */

import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { type Fate, fateOf } from "../../engine/names.js";
import { TOKENS } from "../../engine/network.js";
import { chances, dieAfter, ranked } from "../../engine/sampling.js";
import { CONTEXT } from "../../engine/setup.js";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Bars } from "../../parts/bars.js";
import { Choices } from "../../parts/choices.js";
import { roleOf } from "../../parts/kinds.js";
import { grouped, percent, plural } from "../../parts/numerals.js";
import { refusal } from "../../parts/refusal.js";
import { Slider, Stops } from "../../parts/slider.js";
import { TextField } from "../../parts/text_field.js";
import type { Given } from "../../runtime/widget.js";
import type { Sampler, SamplerParameters } from "../types.js";
import { type Asked, modelOf, taught, useOwn } from "./asked.js";
import { Line } from "./line.js";
import { TenNames } from "./names.js";
import { beginning, COLDEST, HOTTEST, type Part, SMALLEST, SMOOTHINGS, type Standing, sound } from "./standing.js";

/** What can be opened, in the order in which it stands. */
const TITLES: Partial<Record<Part, string>> = {
  letters: "Letter by letter",
  die: "A die",
  temperature: "Temperature",
  cuts: "Top-k and top-p",
  smoothing: "Smoothing",
  begin: "Begin a name",
  names: "Ten names",
};
/** What an address calls the reader’s own run. */
const OWN = "yours";
/** What each slider sets. */
const SETS = {
  temperature: (temperature: number) => ({ temperature }),
  "top-k": (k: number) => ({ k }),
  "top-p": (p: number) => ({ p }),
};
/** How long the die lies before its letter joins the name, in milliseconds. */
const PAUSE = 450;
/** A bar is never the whole width for less than this. */
const FULL = 0.2;
/** What can come next, by what readers call it. */
const NEXT = [...TOKENS.slice(0, -1), "end"];
const BOS = NEXT.length - 1;
const FATES = {
  new: "It’s new: no name of the dataset.",
  learnt: "It’s in the dataset, and the model has learnt from it.",
  "held out": "It’s in the dataset, but was held out: the model has never seen it.",
};

export default function SamplerWidget({ parameters, result }: Given<SamplerParameters, Sampler>) {
  const models = useMemo(
    () => Object.fromEntries(Object.entries(result.models).map(([name, each]) => [name, taught(name, each)])),
    [],
  );
  const usual = beginning(parameters, NEXT.length);
  const [now, setNow] = useState(usual);
  /** The place that the reader has gone back to; null for what comes next. */
  const [back, goBack] = useState<number | null>(null);
  /** What the die has just given, before it joins the name. */
  const [landed, land] = useState<number | null>(null);
  const [rolling, roll] = useState(false);
  const [typed, type] = useState(usual.begin);
  useLayoutEffect(() => {
    const linked = sound(standing("sampler", usual), usual, [...Object.keys(models), OWN]);
    setNow(linked);
    type(linked.begin);
  }, []);
  useAddress("sampler", usual, now);

  const found = useOwn(NEXT.length);
  const all: Record<string, Asked> = typeof found === "object" ? { ...models, [OWN]: found } : models;
  const named = now.model in all ? now.model : usual.model;
  const asked = all[named] as Asked;
  const { counts, learnt, seed } = asked;
  const several = Object.keys(all).length > 1;
  const fate = (name: string): Fate => fateOf(name, learnt, seed);
  const instead = now.model === OWN ? `, so you see ${models[usual.model]?.called} instead` : "";
  const trouble =
    found === "broken"
      ? `The run that is kept in this browser can’t be read${instead}: train it again.`
      : found === "none" &&
        instead &&
        `This address asks for a reader’s own run, which this browser doesn’t have${instead}.`;
  const model = useMemo(() => modelOf(asked, now.smoothing), [asked, now.smoothing]);
  const read = (text: string): number[] => [BOS, ...[...text].map((letter) => NEXT.indexOf(letter))];
  const after = (text: string): number[] => (text.length < CONTEXT ? chances(model(read(text)), now) : []);
  const joined = (to: Standing, token: number): Standing => {
    const name = token === BOS ? to.name : to.name + NEXT[token];
    return { ...to, name, over: token === BOS || name.length === CONTEXT };
  };
  const drawn = ({ name, chosen, seed }: Standing): number => dieAfter(seed, name.length - chosen).choice(after(name));
  const restarted = (to: Standing, name: string): Standing => ({ ...to, name, chosen: name.length, over: false });
  const settled = landed === null ? now : joined(now, landed);

  const { name, over } = now;
  const place = back ?? name.length;
  const before = name.slice(0, place);
  const show = (to: Standing, then: { landed?: number; rolling?: boolean } = {}): void => {
    setNow(to);
    goBack(null);
    land(then.landed ?? null);
    roll(then.rolling ?? false);
  };
  const draw = (all: boolean): void => {
    if (rolling) return show(settled);
    // After its end, or from an earlier letter, another way begins, which needs other numbers.
    const from = back !== null ? before : now.begin;
    const elsewhere = back !== null || (over && landed === null);
    let to = elsewhere ? { ...restarted(now, from), seed: now.seed + 1 } : settled;
    if (to.over) return show(to);
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) return show(to, { landed: drawn(to), rolling: all });
    do to = joined(to, drawn(to));
    while (all && !to.over);
    show(to);
  };
  useEffect(() => {
    if (landed === null) return;
    const timer = setTimeout(
      () => show(settled, rolling && !settled.over ? { landed: drawn(settled), rolling } : {}),
      PAUSE,
    );
    return () => clearTimeout(timer);
  }, [landed, now]);
  const take = (token: number): void => {
    if (place === CONTEXT) return;
    const to = joined({ ...settled, name: before }, token);
    show({ ...to, chosen: to.name.length });
  };
  const set = (change: Partial<Standing>): void => {
    setNow({ ...settled, ...change });
    land(null);
    roll(false);
  };
  const refused = (text: string): string => text && refusal(text);
  const start = (text: string): void => {
    type(text);
    if (!refused(text)) show({ ...restarted(now, text), begin: text });
  };

  const odds = after(before);
  const order = now.sorted ? odds.map((_, token) => token) : ranked(odds);
  const here = place < name.length ? NEXT.indexOf(name[place] as string) : over ? BOS : landed;
  const left = odds.filter((p) => p > 0);
  const fair = Math.exp(-left.reduce((sum, p) => sum + p * Math.log(p), 0));
  const slots = [...name, ...(name.length === CONTEXT ? [] : [over ? "end" : "?"])].map((letter, index) => ({
    letter,
    p: letter === "?" ? Number.NaN : (after(name.slice(0, index))[NEXT.indexOf(letter)] as number),
  }));
  const context = before === "" ? "At the beginning" : `After “${before}”`;
  const say = (): string => {
    if (landed !== null) {
      const had = `${NEXT[landed]}, which had ${percent(odds[landed] as number)}`;
      return now.temperature === 0 ? `The likeliest is ${had}.` : `The die says ${had}.`;
    }
    if (back !== null) return `${context} came ${NEXT[here as number]}. Take another, or go on from here.`;
    const it = name === "" ? "A name without a letter" : `“${name}”`;
    if (over) return `${it}${place === CONTEXT ? ", as no more letters fit" : ""}. ${FATES[fate(name)]}`;
    return before === "" ? "How does a name begin?" : `${context}: what comes next?`;
  };

  const open = now.open.split(" ");
  const opened = (part: Part): boolean => open.includes(part);
  const toggle = (part: Part): void =>
    set({ open: (opened(part) ? open.filter((each) => each !== part) : [...open, part]).join(" ") });
  const kind = counts ? "data" : "activation";
  const row = counts?.[read(before).at(-1) as number] ?? [];
  const counted =
    `${before.at(-1) ?? "BOS"} was followed ${plural(
      row.reduce((sum, count) => sum + count, 0),
      "time",
    )}, ` + `by ${row.filter((count) => count > 0).length} of the ${NEXT.length} tokens. `;
  const slider = (label: keyof typeof SETS, value: number, range: number[], format: (value: number) => string) => {
    const [min, max, step] = range as [number, number, number];
    const onInput = (to: number): void => set(SETS[label](to));
    return <Slider {...{ label, value, min, max, step, format, onInput }} />;
  };
  return (
    <div style={roleOf(kind)}>
      {several && (
        <Choices
          label="Model"
          word="Ask"
          choices={Object.entries(all).map(([key, each]) => [key, each.called])}
          value={named}
          onChoose={(model) => set({ model })}
        />
      )}
      {trouble && <p class="refusal">{trouble}</p>}
      {opened("letters") && (
        <div class="told">
          <Line
            slots={slots}
            here={place}
            pick={(index) => {
              show(settled);
              goBack(index < settled.name.length ? index : null);
            }}
          />
          <p class="says" role="status" aria-live={rolling ? "off" : "polite"}>
            {say()}
          </p>
        </div>
      )}
      {opened("letters") && opened("die") && (
        <div class="choices controls" role="group" aria-label="Draw">
          <button type="button" class="main" onClick={() => draw(false)}>
            Roll the die
          </button>
          <button type="button" onClick={() => draw(true)}>
            {rolling ? "Stop" : over && back === null ? "Another name" : "Finish the name"}
          </button>
        </div>
      )}
      {opened("temperature") && (
        <div class="wrap heat controls">
          {slider("temperature", now.temperature, [COLDEST, HOTTEST, 0.1], (t) => (t === 0 ? "→ 0" : t.toFixed(1)))}
          <button
            type="button"
            aria-pressed={now.temperature === 0}
            onClick={() => set({ temperature: now.temperature === 0 ? usual.temperature : 0 })}
          >
            Greedy
          </button>
        </div>
      )}
      <div class="controls">
        {opened("cuts") && slider("top-k", now.k, [1, usual.k, 1], (k) => (k === usual.k ? "off" : String(k)))}
        {opened("cuts") && slider("top-p", now.p, [SMALLEST, 1, 0.05], (p) => (p === 1 ? "off" : p.toFixed(2)))}
        {counts && opened("smoothing") && (
          <Stops
            label="smoothing"
            stops={SMOOTHINGS}
            value={now.smoothing}
            onInput={(smoothing) => set({ smoothing })}
          />
        )}
      </div>
      {opened("letters") && (
        <>
          <Bars
            items={(odds.length ? order : NEXT.map((_, token) => token)).map((token) => ({
              name: NEXT[token] as string,
              value: odds[token] ?? Number.NaN,
              mark: token === here,
            }))}
            max={Math.max(FULL, ...odds)}
            kind={kind}
            format={percent}
            room={6}
            onTake={(index) => take(order[index] as number)}
            label={`What could come. ${context}`}
          />
          <button type="button" class="controls" aria-pressed={now.sorted} onClick={() => set({ sorted: !now.sorted })}>
            Bars from a to z
          </button>
          <p class="note">
            {counts && opened("smoothing") && counted}
            {odds.length > 0 && `As unsure as a fair choice among ${fair.toFixed(1)}. `}
            {several && `It has learnt from ${grouped(learnt)} names. `}
            {left.length < odds.length && "What is crossed out can’t come; the others share its part."}
          </p>
        </>
      )}
      {opened("begin") && (
        <TextField
          id="sampler"
          label="How the name begins"
          value={typed}
          onInput={start}
          onEnter={start}
          refusal={refused(typed) ? { reason: refused(typed) } : null}
        />
      )}
      {opened("names") && (
        <TenNames
          model={model}
          settings={now}
          begin={read(now.begin)}
          seed={now.ten}
          fate={fate}
          spell={(of) => of.map((token) => NEXT[token]).join("")}
          more={() => set({ ten: now.ten + 1 })}
        />
      )}
      <div class="disclosures controls" role="group" aria-label="More to do">
        {(Object.entries(TITLES) as [Part, string][])
          .filter(([part]) => !usual.open.split(" ").includes(part))
          .filter(([part]) => (part !== "smoothing" || counts) && (part !== "die" || opened("letters")))
          .map(([part, title]) => (
            <button type="button" aria-expanded={opened(part)} onClick={() => toggle(part)}>
              {title}
            </button>
          ))}
        <CopyLink address={() => addressOf("sampler", usual, now)} of="sampler" />
      </div>
    </div>
  );
}
