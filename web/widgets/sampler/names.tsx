/** Ten names with the same settings, and whether the dataset has them. */

import type { NameOrigin } from "../../engine/names.js";
import { Random } from "../../engine/random.js";
import {
  type LogitsFunction,
  type SamplingSettings,
  sampleTokens,
  samplingProbabilities,
} from "../../engine/sampling.js";

const NAMES = 10;

interface Props {
  model: LogitsFunction;
  settings: SamplingSettings;
  /** The tokens that each name begins with. */
  begin: number[];
  seed: number;
  fate(name: string): NameOrigin;
  spell(tokens: number[]): string;
  more(): void;
}

export function TenNames({ model, settings, begin, seed, fate, spell, more }: Props) {
  const random = new Random(seed);
  const odds = (tokens: readonly number[]): number[] => samplingProbabilities(model(tokens), settings);
  const names = Array.from({ length: NAMES }, () => spell(sampleTokens(begin, odds, random).slice(1)));
  const kinds = names.map(fate);
  const had = (kind: string): number => kinds.filter((each) => each === kind).length;
  return (
    <>
      <ol class="columns ten" aria-label="Ten names">
        {names.map((name, index) => (
          <li class={kinds[index] === "new" ? "" : "known"}>
            <b>{name || "(no letter)"}</b> <span>{kinds[index]}</span>
          </li>
        ))}
      </ol>
      <p class="note tally" role="status">
        {had("new")} new, {had("learnt")} learnt, {had("held out")} held out.
      </p>
      <p class="controls">
        <button type="button" onClick={more}>
          Ten others
        </button>
      </p>
    </>
  );
}
