/** A temperature: how sure the network is of a first letter, and the names that follow. */

import { useState } from "preact/hooks";
import { Random } from "../../engine/random.js";
import { softmax } from "../../engine/trace.js";
import { Bars } from "../../parts/bars.js";
import { percent } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";

const NAMES = 6;
const LONGEST = 16;

function invented(logits: number[][], tokens: string[], temperature: number, seed: number): string {
  const bos = tokens.length - 1;
  const random = new Random(seed);
  let [token, name] = [bos, ""];
  while (name.length < LONGEST) {
    const p = softmax((logits[token] as number[]).map((logit) => logit / temperature));
    let left = random.random();
    token = p.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    if (token === bos || token < 0) break;
    name += tokens[token];
  }
  return name || "(empty)";
}

export function Temperature({ logits, tokens }: { logits: number[][]; tokens: string[] }) {
  const [temperature, setTemperature] = useState(1);
  const [round, setRound] = useState(0);
  const bos = tokens.length - 1;
  const p = softmax((logits[bos] as number[]).map((logit) => logit / temperature));
  const names = Array.from({ length: NAMES }, (_, i) => invented(logits, tokens, temperature, 42 + i + NAMES * round));
  return (
    <>
      <div class="controls">
        <Slider
          label="temperature"
          value={temperature}
          min={0.1}
          max={3}
          step={0.1}
          format={(t) => t.toFixed(1)}
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
