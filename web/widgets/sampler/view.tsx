/** A name or a sentence, sampled letter by letter: what could come next, a die that chooses, and settings that change the probabilities. */

import { sum } from "d3-array";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { type NameOrigin, nameOrigin } from "../../engine/names.js";
import { rankTokens, rngAfterDraws, samplingProbabilities } from "../../engine/sampling.js";
import { type Bar, BarChart } from "../../parts/bar_chart.js";
import { colorStyle } from "../../parts/colors.js";
import { formatCount, formatPercent, groupThousands } from "../../parts/format.js";
import { nameError } from "../../parts/name_validation.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { DiscreteSlider, Slider } from "../../parts/slider.js";
import { Status } from "../../parts/status.js";
import { TextField } from "../../parts/text_field.js";
import { readUrlState, StateLink } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { SamplerModels, SamplerParameters } from "../types.js";
import { createLogitsFunction, modelFromPage, type SampledModel, useReaderModel } from "./models.js";
import { NameSlots } from "./name_slots.js";
import type { PanelName, SamplerState } from "./state.js";
import {
  initialState,
  MAX_TEMPERATURE,
  MIN_TEMPERATURE,
  MIN_TOP_P,
  SMOOTHING_CHOICES,
  stateFromAddress,
  toAddressState,
} from "./state.js";
import { TenNames } from "./ten_names.js";

/** The name of the reader’s own model in addresses. */
const READER_MODEL = "yours";
/** The probability of a full bar is at least this. */
const MIN_FULL_BAR_PROBABILITY = 0.2;
const NAME_ORIGIN_SENTENCES: Record<NameOrigin, string> = {
  new: "It’s new: it isn’t in the dataset.",
  learnt: "It’s in the dataset, and the model has learnt from it.",
  "held out": "It’s in the dataset, but was held out: the model has never seen it.",
};

const prefixError = (text: string): string => text && nameError(text);
/** Return a letter in a form that readers can see. */
const visibleLetter = (letter: string): string => (letter === " " ? "␣" : letter);

/** Return the state with a name of chosen letters, from which the die goes on. */
const stateWithPrefix = (state: SamplerState, name: string): SamplerState => {
  return { ...state, name, chosenCount: name.length, hasEnded: false };
};

export default function SamplerWidget({ parameters, result }: WidgetProps<SamplerParameters, SamplerModels>) {
  const { characters, context_length: contextLength } = result;
  /** What readers call each token that can come next. */
  const nextTokens: string[] = [...characters, "end"];
  const bos = characters.length;
  const isOfNames = !characters.includes(" ");
  const textKind = isOfNames ? "name" : "sentence";
  const encodePrefix = (text: string): number[] => [bos, ...[...text].map((letter) => characters.indexOf(letter))];
  /** Return the state after one more token. */
  const stateWithToken = (before: SamplerState, token: number): SamplerState => {
    const text = token === bos ? before.name : before.name + nextTokens[token];
    return { ...before, name: text, hasEnded: token === bos || text.length === contextLength };
  };
  const models = useMemo(() => {
    const entries = Object.entries(result.models);
    return Object.fromEntries(entries.map(([name, data]) => [name, modelFromPage(name, data)]));
  }, []);
  const defaults = initialState(parameters, nextTokens.length);
  const addressDefaults = toAddressState(defaults);
  const [state, setState] = useState(defaults);
  const [typed, setTyped] = useState(defaults.prompt);
  useLayoutEffect(() => {
    const modelNames = [...Object.keys(models), READER_MODEL];
    const firstState = stateFromAddress(readUrlState("sampler", addressDefaults), addressDefaults, modelNames, result);
    setState(firstState);
    setTyped(firstState.prompt);
  }, []);

  const readerModel = useReaderModel(isOfNames ? nextTokens.length : null);
  const allModels: Record<string, SampledModel> = readerModel ? { ...models, [READER_MODEL]: readerModel } : models;
  const modelName = state.model in allModels ? state.model : defaults.model;
  const sampledModel = allModels[modelName] as SampledModel;
  const { counts, trainingNameCount, seed } = sampledModel;
  const hasSeveralModels = Object.keys(allModels).length > 1;
  const originOf = (name: string): NameOrigin => nameOrigin(name, trainingNameCount, seed);
  const logits = useMemo(() => createLogitsFunction(sampledModel, state.smoothing), [sampledModel, state.smoothing]);
  const probabilitiesAfter = (text: string): number[] =>
    text.length < contextLength ? samplingProbabilities(logits(encodePrefix(text)), state) : [];

  const { name, hasEnded } = state;
  const draw = (untilEnd: boolean): void => {
    // After the end of a name another one begins, with other random numbers.
    let next = hasEnded ? { ...stateWithPrefix(state, state.prompt), seed: state.seed + 1 } : state;
    do {
      const rng = rngAfterDraws(next.seed, next.name.length - next.chosenCount);
      next = stateWithToken(next, rng.drawIndex(probabilitiesAfter(next.name)));
    } while (untilEnd && !next.hasEnded);
    setState(next);
  };
  const chooseToken = (token: number): void => {
    const next = stateWithToken(state, token);
    setState({ ...next, chosenCount: next.name.length });
  };
  const goBackTo = (index: number): void =>
    setState({ ...stateWithPrefix(state, name.slice(0, index)), seed: state.seed + 1 });
  const update = (change: Partial<SamplerState>): void => setState({ ...state, ...change });
  const isGreedy = state.temperature === 0;
  const toggleGreedy = (): void => update({ temperature: isGreedy ? defaults.temperature : 0 });
  const setPrefix = (text: string): void => {
    setTyped(text);
    if (!prefixError(text)) setState({ ...stateWithPrefix(state, text), prompt: text });
  };

  const probabilities = probabilitiesAfter(name);
  const tokenOrder = probabilities.length ? rankTokens(probabilities) : [...nextTokens.keys()];
  const barOf = (token: number): Bar => ({
    name: visibleLetter(nextTokens[token] as string),
    value: probabilities[token] ?? Number.NaN,
    isMarked: hasEnded && token === bos,
  });
  const possible = probabilities.filter((p) => p > 0);
  const equallyLikely = Math.exp(-sum(possible, (p) => p * Math.log(p)));
  const nextLetters = name.length === contextLength ? [] : [hasEnded ? "end" : "?"];
  // A sentence has too many letters for a slot each: those that it begins with are text.
  const firstSlot = isOfNames ? 0 : state.prompt.length;
  const slots = [...name, ...nextLetters].map((letter, index) => ({
    letter: visibleLetter(letter),
    p: letter === "?" ? Number.NaN : (probabilitiesAfter(name.slice(0, index))[nextTokens.indexOf(letter)] as number),
  }));
  const context = name === "" ? "At the beginning" : `After “${name}”`;
  const describeName = (): string => {
    if (!hasEnded) return name === "" ? `How does a ${textKind} begin?` : `${context}: what comes next?`;
    const subject = name === "" ? `A ${textKind} without a letter` : `“${name}”`;
    return `${subject}${name.length === contextLength ? ", cut short: no more letters fit" : ""}. ${isOfNames ? NAME_ORIGIN_SENTENCES[originOf(name)] : ""}`.trim();
  };

  const error = prefixError(typed);
  const isOpen = (panel: PanelName): boolean => state.shownPanels.split(" ").includes(panel);
  const kind = counts ? "data" : "activation";
  const row = counts?.[encodePrefix(name).at(-1) as number] ?? [];
  const countsSentence =
    `${name.at(-1) ?? "BOS"} was followed ${formatCount(sum(row), "time")}, ` +
    `by ${row.filter((count) => count > 0).length} of the ${nextTokens.length} tokens. `;
  return (
    <div style={colorStyle(kind)}>
      {hasSeveralModels && (
        <SingleChoice
          label="Model"
          prefix="Ask"
          choices={Object.entries(allModels).map(([key, each]) => [key, each.label])}
          value={modelName}
          onChange={(model) => update({ model })}
        />
      )}
      {readerModel === null && state.model === READER_MODEL && (
        <p class="error-message">
          This browser has no run of yours that can be read, so you see {sampledModel.label} instead: train one.
        </p>
      )}
      {isOpen("letters") && (
        <div class="name-so-far">
          <NameSlots
            label={`The ${textKind} so far`}
            beginning={name.slice(0, firstSlot)}
            slots={slots.slice(firstSlot)}
            onGoBack={(index) => goBackTo(firstSlot + index)}
          />
          <Status class="caption">{describeName()}</Status>
        </div>
      )}
      {isOpen("letters") && isOpen("die") && (
        <div class="choices controls" role="group" aria-label="Draw">
          <button type="button" class="primary" onClick={() => draw(false)}>
            Roll the die
          </button>
          <button type="button" onClick={() => draw(true)}>
            {`${hasEnded ? "Another" : "Finish the"} ${textKind}`}
          </button>
        </div>
      )}
      {isOpen("temperature") && (
        <div class="wrapping-row temperature controls">
          <Slider
            label="temperature"
            value={state.temperature}
            min={MIN_TEMPERATURE}
            max={MAX_TEMPERATURE}
            step={0.1}
            format={(t) => (t === 0 ? "→ 0" : t.toFixed(1))}
            onInput={(temperature) => update({ temperature })}
          />
          <button type="button" aria-pressed={isGreedy} onClick={toggleGreedy}>
            Greedy
          </button>
        </div>
      )}
      <div class="controls">
        {isOpen("cuts") && (
          <>
            <Slider
              label="top-k"
              value={state.topK}
              min={1}
              max={defaults.topK}
              format={(topK) => (topK === defaults.topK ? "off" : String(topK))}
              onInput={(topK) => update({ topK })}
            />
            <Slider
              label="top-p"
              value={state.topP}
              min={MIN_TOP_P}
              max={1}
              step={0.05}
              format={(topP) => (topP === 1 ? "off" : topP.toFixed(2))}
              onInput={(topP) => update({ topP })}
            />
          </>
        )}
        {counts && isOpen("smoothing") && (
          <DiscreteSlider
            label="smoothing"
            stops={SMOOTHING_CHOICES}
            value={state.smoothing}
            onInput={(smoothing) => update({ smoothing })}
          />
        )}
      </div>
      {isOpen("letters") && (
        <>
          <BarChart
            bars={tokenOrder.map(barOf)}
            max={Math.max(MIN_FULL_BAR_PROBABILITY, ...probabilities)}
            kind={kind}
            format={formatPercent}
            valueWidth={6}
            onSelect={(index) => chooseToken(tokenOrder[index] as number)}
            label={`What could come. ${context}`}
          />
          <p class="note">
            {counts && isOpen("smoothing") && countsSentence}
            {probabilities.length > 0 && `As uncertain as a fair die with ${equallyLikely.toFixed(1)} sides. `}
            {hasSeveralModels && `It has learnt from ${groupThousands(trainingNameCount)} names. `}
            {possible.length < probabilities.length && "What is crossed out can’t come; the others share its part."}
          </p>
        </>
      )}
      {isOpen("begin") && (
        <TextField id="sampler" label="How the name begins" value={typed} onInput={setPrefix} error={error} />
      )}
      {isOpen("names") && (
        <TenNames
          {...{ logits, originOf }}
          settings={state}
          prefix={encodePrefix(state.prompt)}
          seed={state.tenNamesSeed}
          decode={(tokens) => tokens.map((token) => nextTokens[token]).join("")}
          onMore={() => update({ tenNamesSeed: state.tenNamesSeed + 1 })}
        />
      )}
      <div class="disclosures controls">
        <StateLink widget="sampler" defaults={addressDefaults} state={toAddressState(state)} subject="sampler" />
      </div>
    </div>
  );
}
