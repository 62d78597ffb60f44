/** A name that is invented letter by letter: what could come next, a die, and what changes its odds. */

import { sum } from "d3-array";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { type NameOrigin, nameOrigin } from "../../engine/names.js";
import { TOKEN_LABELS } from "../../engine/network.js";
import { rankTokens, rngAfterDraws, samplingProbabilities } from "../../engine/sampling.js";
import { CONTEXT } from "../../engine/training_setup.js";
import { BarChart } from "../../parts/bar_chart.js";
import { Choices } from "../../parts/choices.js";
import { colorStyle } from "../../parts/colors.js";
import { formatCount, formatPercent, groupThousands } from "../../parts/format.js";
import { nameError } from "../../parts/name_validation.js";
import { DiscreteSlider, Slider } from "../../parts/slider.js";
import { TextField } from "../../parts/text_field.js";
import { CopyLinkButton, readUrlState, urlWithState, useSyncUrl } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Sampler, SamplerParameters } from "../types.js";
import { type Asked, modelOf, taught, useOwn } from "./asked.js";
import { Line } from "./line.js";
import { TenNames } from "./names.js";
import { beginning, COLDEST, HOTTEST, type Part, SMALLEST, SMOOTHINGS, type Standing, sound } from "./standing.js";

/** What an address calls the reader’s own run. */
const OWN = "yours";
/** A bar is never the whole width for less than this. */
const FULL = 0.2;
/** What can come next, by what readers call it. */
const NEXT = [...TOKEN_LABELS.slice(0, -1), "end"];
const BOS = NEXT.length - 1;
const FATES = {
  new: "It’s new: it isn’t in the dataset.",
  learnt: "It’s in the dataset, and the model has learnt from it.",
  "held out": "It’s in the dataset, but was held out: the model has never seen it.",
};

const read = (text: string): number[] => [BOS, ...[...text].map((letter) => NEXT.indexOf(letter))];
const refused = (text: string): string => text && nameError(text);

/** A name that a token has joined. */
function joined(to: Standing, token: number): Standing {
  const name = token === BOS ? to.name : to.name + NEXT[token];
  return { ...to, name, over: token === BOS || name.length === CONTEXT };
}

/** Letters that were not drawn, from which the die goes on. */
const restarted = (to: Standing, name: string): Standing => ({ ...to, name, chosen: name.length, over: false });

export default function SamplerWidget({ parameters, result }: WidgetProps<SamplerParameters, Sampler>) {
  const models = useMemo(
    () => Object.fromEntries(Object.entries(result.models).map(([name, each]) => [name, taught(name, each)])),
    [],
  );
  const usual = beginning(parameters, NEXT.length);
  const [now, setNow] = useState(usual);
  const [typed, type] = useState(usual.begin);
  useLayoutEffect(() => {
    const linked = sound(readUrlState("sampler", usual), usual, [...Object.keys(models), OWN]);
    setNow(linked);
    type(linked.begin);
  }, []);
  useSyncUrl("sampler", usual, now);

  const own = useOwn(NEXT.length);
  const all: Record<string, Asked> = own ? { ...models, [OWN]: own } : models;
  const named = now.model in all ? now.model : usual.model;
  const asked = all[named] as Asked;
  const { counts, learnt, seed } = asked;
  const several = Object.keys(all).length > 1;
  const fate = (name: string): NameOrigin => nameOrigin(name, learnt, seed);
  const model = useMemo(() => modelOf(asked, now.smoothing), [asked, now.smoothing]);
  const after = (text: string): number[] =>
    text.length < CONTEXT ? samplingProbabilities(model(read(text)), now) : [];

  const { name, over } = now;
  const draw = (all: boolean): void => {
    // After an end another name begins, which needs other numbers.
    let to = over ? { ...restarted(now, now.begin), seed: now.seed + 1 } : now;
    do to = joined(to, rngAfterDraws(to.seed, to.name.length - to.chosen).weightedIndex(after(to.name)));
    while (all && !to.over);
    setNow(to);
  };
  const take = (token: number): void => {
    const to = joined(now, token);
    setNow({ ...to, chosen: to.name.length });
  };
  const goBack = (place: number): void => setNow({ ...restarted(now, name.slice(0, place)), seed: now.seed + 1 });
  const set = (change: Partial<Standing>): void => setNow({ ...now, ...change });
  const start = (text: string): void => {
    type(text);
    if (!refused(text)) setNow({ ...restarted(now, text), begin: text });
  };

  const odds = after(name);
  const order = odds.length ? rankTokens(odds) : [...NEXT.keys()];
  const left = odds.filter((p) => p > 0);
  const fair = Math.exp(-sum(left, (p) => p * Math.log(p)));
  const slots = [...name, ...(name.length === CONTEXT ? [] : [over ? "end" : "?"])].map((letter, index) => ({
    letter,
    p: letter === "?" ? Number.NaN : (after(name.slice(0, index))[NEXT.indexOf(letter)] as number),
  }));
  const context = name === "" ? "At the beginning" : `After “${name}”`;
  const say = (): string => {
    if (!over) return name === "" ? "How does a name begin?" : `${context}: what comes next?`;
    const it = name === "" ? "A name without a letter" : `“${name}”`;
    return `${it}${name.length === CONTEXT ? ", cut short: no more letters fit" : ""}. ${FATES[fate(name)]}`;
  };

  const opened = (part: Part): boolean => now.open.split(" ").includes(part);
  const kind = counts ? "data" : "activation";
  const row = counts?.[read(name).at(-1) as number] ?? [];
  const counted =
    `${name.at(-1) ?? "BOS"} was followed ${formatCount(sum(row), "time")}, ` +
    `by ${row.filter((count) => count > 0).length} of the ${NEXT.length} tokens. `;
  return (
    <div style={colorStyle(kind)}>
      {several && (
        <Choices
          label="Model"
          prefix="Ask"
          choices={Object.entries(all).map(([key, each]) => [key, each.called])}
          value={named}
          onChange={(model) => set({ model })}
        />
      )}
      {own === null && now.model === OWN && (
        <p class="error-message">
          This browser has no run of yours that can be read, so you see {asked.called} instead: train one.
        </p>
      )}
      {opened("letters") && (
        <div class="told">
          <Line slots={slots} goBack={goBack} />
          <p class="says" role="status">
            {say()}
          </p>
        </div>
      )}
      {opened("letters") && opened("die") && (
        <div class="choices controls" role="group" aria-label="Draw">
          <button type="button" class="primary" onClick={() => draw(false)}>
            Roll the die
          </button>
          <button type="button" onClick={() => draw(true)}>
            {over ? "Another name" : "Finish the name"}
          </button>
        </div>
      )}
      {opened("temperature") && (
        <div class="wrap heat controls">
          <Slider
            label="temperature"
            value={now.temperature}
            min={COLDEST}
            max={HOTTEST}
            step={0.1}
            format={(t) => (t === 0 ? "→ 0" : t.toFixed(1))}
            onInput={(temperature) => set({ temperature })}
          />
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
        {opened("cuts") && (
          <>
            <Slider
              label="top-k"
              value={now.k}
              min={1}
              max={usual.k}
              format={(k) => (k === usual.k ? "off" : String(k))}
              onInput={(k) => set({ k })}
            />
            <Slider
              label="top-p"
              value={now.p}
              min={SMALLEST}
              max={1}
              step={0.05}
              format={(p) => (p === 1 ? "off" : p.toFixed(2))}
              onInput={(p) => set({ p })}
            />
          </>
        )}
        {counts && opened("smoothing") && (
          <DiscreteSlider
            label="smoothing"
            stops={SMOOTHINGS}
            value={now.smoothing}
            onInput={(smoothing) => set({ smoothing })}
          />
        )}
      </div>
      {opened("letters") && (
        <>
          <BarChart
            bars={order.map((token) => ({
              name: NEXT[token] as string,
              value: odds[token] ?? Number.NaN,
              mark: over && token === BOS,
            }))}
            max={Math.max(FULL, ...odds)}
            kind={kind}
            format={formatPercent}
            valueWidth={6}
            onSelect={(index) => take(order[index] as number)}
            label={`What could come. ${context}`}
          />
          <p class="note">
            {counts && opened("smoothing") && counted}
            {odds.length > 0 && `As unsure as a fair choice among ${fair.toFixed(1)}. `}
            {several && `It has learnt from ${groupThousands(learnt)} names. `}
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
          onSubmit={start}
          error={refused(typed)}
        />
      )}
      {opened("names") && (
        <TenNames
          {...{ model, fate }}
          settings={now}
          begin={read(now.begin)}
          seed={now.ten}
          spell={(of) => of.map((token) => NEXT[token]).join("")}
          more={() => set({ ten: now.ten + 1 })}
        />
      )}
      <div class="disclosures controls">
        <CopyLinkButton getUrl={() => urlWithState("sampler", usual, now)} subject="sampler" />
      </div>
    </div>
  );
}
