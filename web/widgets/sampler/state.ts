/** The state of the sampler, all of which the address keeps: its keys are those of the query. */

import { DEFAULT_SEED } from "../../engine/random.js";
import { CONTEXT_LENGTH } from "../../engine/training_setup.js";
import type { SamplerParameters } from "../types.js";

/** A part of the sampler that a page can show. */
export type PanelName = NonNullable<SamplerParameters["show"]>[number];
const DEFAULT_PANELS: PanelName[] = ["letters", "die", "temperature"];
export const SMOOTHING_CHOICES = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1000];
export const MIN_TEMPERATURE = 0.1;
export const MAX_TEMPERATURE = 3;
export const MIN_TOP_P = 0.05;

/** What the reader has set and drawn so far. */
export type SamplerState = {
  /** The name of the model that is sampled. */
  model: string;
  /** How the name begins, as the reader has typed it. */
  begin: string;
  /** The letters so far. */
  name: string;
  /** How many of them the reader has chosen; the others were drawn. */
  chosen: number;
  /** Whether the name has ended. */
  over: boolean;
  seed: number;
  /** The seed of the ten names. */
  ten: number;
  temperature: number;
  /** Top-k and top-p. */
  k: number;
  p: number;
  smoothing: number;
  /** The panels that are shown, separated by spaces. */
  open: string;
};

/** Return the state in which a page opens the sampler. */
export function initialState(parameters: SamplerParameters, vocabSize: number): SamplerState {
  const { model, begin = "", temperature = 1, show } = parameters;
  const settings = { temperature, k: vocabSize, p: 1, smoothing: 1, open: (show ?? DEFAULT_PANELS).join(" ") };
  const name = { begin, name: begin, chosen: begin.length, over: false };
  return { model, ...name, seed: DEFAULT_SEED, ten: DEFAULT_SEED, ...settings };
}

/** Return a state from the address, with defaults in place of values that make no sense. */
export function validState(state: SamplerState, defaults: SamplerState, models: string[]): SamplerState {
  const { model, begin, name, temperature, smoothing, over } = state;
  const wholeNumber = (key: "seed" | "ten" | "k" | "chosen", min: number, max: number): number =>
    Number.isInteger(state[key]) && state[key] >= min && state[key] <= max ? state[key] : defaults[key];
  const isPossibleTemperature = temperature === 0 || (temperature >= MIN_TEMPERATURE && temperature <= MAX_TEMPERATURE);
  const letters = /^[a-z]{0,16}$/.test(name) ? name : defaults.name;
  return {
    ...state,
    model: models.includes(model) ? model : defaults.model,
    begin: /^[a-z]{1,15}$/.test(begin) ? begin : defaults.begin,
    name: letters,
    chosen: Math.min(wholeNumber("chosen", 0, CONTEXT_LENGTH), letters.length),
    over: over || letters.length === CONTEXT_LENGTH,
    seed: wholeNumber("seed", 0, Number.MAX_SAFE_INTEGER),
    ten: wholeNumber("ten", 0, Number.MAX_SAFE_INTEGER),
    k: wholeNumber("k", 1, defaults.k),
    temperature: isPossibleTemperature ? temperature : defaults.temperature,
    p: state.p >= MIN_TOP_P && state.p <= 1 ? state.p : defaults.p,
    smoothing: SMOOTHING_CHOICES.includes(smoothing) ? smoothing : defaults.smoothing,
  };
}
