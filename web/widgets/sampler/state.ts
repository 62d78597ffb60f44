/** The state of the sampler, all of which the address keeps. */

import { DEFAULT_SEED } from "../../engine/random.js";
import type { SamplerModels, SamplerParameters } from "../types.js";

/** A part of the sampler that a page can show. */
export type PanelName = NonNullable<SamplerParameters["shown_panels"]>[number];
const DEFAULT_PANELS: PanelName[] = ["letters", "die", "temperature"];
export const SMOOTHING_CHOICES = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1000];
export const [MIN_TEMPERATURE, MAX_TEMPERATURE, MIN_TOP_P] = [0.1, 3, 0.05];

/** What the reader has set and drawn so far. */
export type SamplerState = {
  /** The name of the model that is sampled. */
  model: string;
  /** How the name begins, as the reader has typed it. */
  prompt: string;
  /** The letters so far. */
  name: string;
  /** How many of them the reader has chosen; the others were drawn. */
  chosenCount: number;
  /** Whether the name has ended. */
  hasEnded: boolean;
  seed: number;
  tenNamesSeed: number;
  temperature: number;
  topK: number;
  topP: number;
  smoothing: number;
  /** The names of the panels that are shown, separated by spaces. */
  shownPanels: string;
};

/** Return the state under the keys that readers' addresses have. */
export function toAddressState(state: SamplerState) {
  const { prompt, topK, topP, chosenCount, hasEnded, tenNamesSeed, shownPanels, ...others } = state;
  const renamed = { begin: prompt, k: topK, p: topP, chosen: chosenCount, over: hasEnded };
  return { ...others, ...renamed, ten: tenNamesSeed, open: shownPanels };
}
export type AddressState = ReturnType<typeof toAddressState>;

/** Return the state in which a page opens the sampler. */
export function initialState(parameters: SamplerParameters, vocabSize: number): SamplerState {
  const { model, begin = "", temperature = 1 } = parameters;
  const shownPanels = (parameters.shown_panels ?? DEFAULT_PANELS).join(" ");
  const settings = { temperature, topK: vocabSize, topP: 1, smoothing: 1, shownPanels };
  const name = { prompt: begin, name: begin, chosenCount: begin.length, hasEnded: false };
  return { model, ...name, seed: DEFAULT_SEED, tenNamesSeed: DEFAULT_SEED, ...settings };
}

/** Return the state that an address has, with defaults in place of invalid values. */
export function stateFromAddress(
  state: AddressState,
  defaults: AddressState,
  models: string[],
  { characters, context_length: contextLength }: SamplerModels,
): SamplerState {
  const { model, begin, name, temperature, smoothing, over } = state;
  const wholeNumber = (key: "seed" | "ten" | "k" | "chosen", min: number, max: number): number =>
    Number.isInteger(state[key]) && state[key] >= min && state[key] <= max ? state[key] : defaults[key];
  const isPossibleTemperature = temperature === 0 || (temperature >= MIN_TEMPERATURE && temperature <= MAX_TEMPERATURE);
  const isText = (text: string, maxLength: number): boolean =>
    text.length <= maxLength && [...text].every((letter) => characters.includes(letter));
  const letters = isText(name, contextLength) ? name : defaults.name;
  return {
    model: models.includes(model) ? model : defaults.model,
    prompt: begin && isText(begin, contextLength - 1) ? begin : defaults.begin,
    name: letters,
    chosenCount: Math.min(wholeNumber("chosen", 0, contextLength), letters.length),
    hasEnded: over || letters.length === contextLength,
    seed: wholeNumber("seed", 0, Number.MAX_SAFE_INTEGER),
    tenNamesSeed: wholeNumber("ten", 0, Number.MAX_SAFE_INTEGER),
    topK: wholeNumber("k", 1, defaults.k),
    temperature: isPossibleTemperature ? temperature : defaults.temperature,
    topP: state.p >= MIN_TOP_P && state.p <= 1 ? state.p : defaults.p,
    smoothing: SMOOTHING_CHOICES.includes(smoothing) ? smoothing : defaults.smoothing,
    shownPanels: state.open,
  };
}
