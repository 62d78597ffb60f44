/** Ten names sampled with the same settings, and whether each is in the dataset. */

import type { NameOrigin } from "../../engine/names.js";
import { Random } from "../../engine/random.js";
import type { LogitsFunction, SamplingSettings } from "../../engine/sampling.js";
import { sampleTokens, samplingProbabilities } from "../../engine/sampling.js";
import { Status } from "../../parts/status.js";

const NAME_COUNT = 10;

interface TenNamesProps {
  logits: LogitsFunction;
  settings: SamplingSettings;
  /** The tokens that each name begins with. */
  prefix: number[];
  seed: number;
  originOf(name: string): NameOrigin;
  decode(tokens: number[]): string;
  onMore(): void;
}

/** Lists ten names, and counts how many are new, learnt and held out. */
export function TenNames({ logits, settings, prefix, seed, originOf, decode, onMore }: TenNamesProps) {
  const rng = new Random(seed);
  const probabilities = (tokens: readonly number[]): number[] => samplingProbabilities(logits(tokens), settings);
  const names = Array.from({ length: NAME_COUNT }, () => decode(sampleTokens(prefix, probabilities, rng).slice(1)));
  const origins = names.map(originOf);
  const countOf = (kind: string): number => origins.filter((each) => each === kind).length;
  return (
    <>
      <ol class="columns ten-names" aria-label="Ten names">
        {names.map((name, index) => (
          <li class={origins[index] === "new" ? "" : "known"}>
            <b>{name || "(no letter)"}</b> <span>{origins[index]}</span>
          </li>
        ))}
      </ol>
      <Status class="note tally">
        {countOf("new")} new, {countOf("learnt")} learnt, {countOf("held out")} held out.
      </Status>
      <p class="controls">
        <button type="button" onClick={onMore}>
          Ten others
        </button>
      </p>
    </>
  );
}
