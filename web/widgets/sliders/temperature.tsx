/** A temperature: how sure the network is of a first letter, and the names that follow. */

import { useState } from "preact/hooks";
import { Random } from "../../engine/random.js";
import { Bars } from "../../parts/bars.js";
import { percent } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import { chances, finished } from "../sampler/chances.js";

const NAMES = 6;

export function Temperature({ logits, tokens }: { logits: number[][]; tokens: string[] }) {
  const [temperature, setTemperature] = useState(1);
  const [round, setRound] = useState(0);
  const bos = tokens.length - 1;
  const settings = { temperature, k: tokens.length, p: 1 };
  const model = (read: readonly number[]): number[] => logits[read.at(-1) as number] as number[];
  const p = chances(model([bos]), settings);
  const names = Array.from({ length: NAMES }, (_, i) => {
    const [, ...letters] = finished(model, settings, [bos], new Random(42 + i + NAMES * round));
    return letters.map((token) => tokens[token]).join("") || "(empty)";
  });
  return (
    <>
      <div class="controls">
        <Slider
          label="temperature"
          value={temperature}
          min={0.1}
          max={3}
          step={0.1}
          digits={1}
          onInput={setTemperature}
        />
        <button type="button" onClick={() => setRound(round + 1)}>
          Roll again
        </button>
      </div>
      <Bars
        items={p.map((value, token) => ({ name: tokens[token] as string, value }))}
        max={Math.max(0.2, ...p)}
        kind="activation"
        format={percent}
        room={7}
        label="The chance of each token to begin a name"
      />
      <p class="invented" role="status">
        {names.join("\u00a0· ")}
      </p>
    </>
  );
}
