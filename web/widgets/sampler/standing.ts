/** How the sampler stands: all of it can be linked to. */

import { DEFAULT_SEED } from "../../engine/random.js";
import { CONTEXT } from "../../engine/training_setup.js";
import type { SamplerParameters } from "../types.js";

export type Part = NonNullable<SamplerParameters["show"]>[number];
const SHOWN: Part[] = ["letters", "die", "temperature"];
export const SMOOTHINGS = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1000];
export const COLDEST = 0.1;
export const HOTTEST = 3;
export const SMALLEST = 0.05;

export type Standing = {
  /** Which model is asked. */
  model: string;
  /** What the reader has typed. */
  begin: string;
  /** The letters so far, of which the first `chosen` were not drawn. */
  name: string;
  chosen: number;
  over: boolean;
  seed: number;
  /** The seed of the ten names. */
  ten: number;
  temperature: number;
  k: number;
  p: number;
  smoothing: number;
  /** The parts that are shown, with blanks between them. */
  open: string;
};

/** How it stands at first. */
export function beginning(given: SamplerParameters, tokens: number): Standing {
  const { model, begin = "", temperature = 1, show } = given;
  return {
    ...{
      model,
      begin,
      name: begin,
      chosen: begin.length,
      over: false,
      seed: DEFAULT_SEED,
      ten: DEFAULT_SEED,
      temperature,
    },
    ...{ k: tokens, p: 1, smoothing: 1, open: (show ?? SHOWN).join(" ") },
  };
}

/** What an address asks for, as far as it can be had. */
export function sound(asked: Standing, usual: Standing, models: string[]): Standing {
  const { model, begin, name, temperature, smoothing, over } = asked;
  const whole = (key: "seed" | "ten" | "k" | "chosen", least: number, most: number): number =>
    Number.isInteger(asked[key]) && asked[key] >= least && asked[key] <= most ? asked[key] : usual[key];
  const letters = /^[a-z]{0,16}$/.test(name) ? name : usual.name;
  return {
    ...asked,
    model: models.includes(model) ? model : usual.model,
    begin: /^[a-z]{1,15}$/.test(begin) ? begin : usual.begin,
    name: letters,
    chosen: Math.min(whole("chosen", 0, CONTEXT), letters.length),
    over: over || letters.length === CONTEXT,
    seed: whole("seed", 0, Number.MAX_SAFE_INTEGER),
    ten: whole("ten", 0, Number.MAX_SAFE_INTEGER),
    k: whole("k", 1, usual.k),
    temperature:
      temperature === 0 || (temperature >= COLDEST && temperature <= HOTTEST) ? temperature : usual.temperature,
    p: asked.p >= SMALLEST && asked.p <= 1 ? asked.p : usual.p,
    smoothing: SMOOTHINGS.includes(smoothing) ? smoothing : usual.smoothing,
  };
}
