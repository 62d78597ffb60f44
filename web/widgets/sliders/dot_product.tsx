/** A dot product, number by number: sliders for two vectors, and the products that add up. */

import { useState } from "preact/hooks";
import type { Vector } from "../../engine/vectors.js";
import { formatFixed } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { Slider } from "../../parts/slider.js";
import { Status } from "../../parts/status.js";

/** What the page's three numbers say of a letter. */
const FEATURES = ["vowel", "begins", "ends"];
const INITIAL_VECTORS = { w: [1.5, 0.5, -0.5], x: [1, 1, 2] };
/** Sliders go from the negative of this value to it. */
const MAX_SLIDER_VALUE = 2;

/** A bar from one partial sum to the next, on a scale with 0 in the middle. */
function SumBar({ from, to, maxMagnitude }: { from: number; to: number; maxMagnitude: number }) {
  const toPercent = (value: number): string => `${((50 * value) / maxMagnitude).toFixed(2)}%`;
  const style = { left: toPercent(maxMagnitude + Math.min(from, to)), width: toPercent(Math.abs(to - from)) };
  return (
    <span class="track" aria-hidden="true">
      <span class={to < from ? "fill decrease" : "fill"} style={style} />
    </span>
  );
}

/** Describe in a sentence how many signs agree, and what the dot product says of it. */
function describeSignAgreement(products: Vector, sum: number): string {
  if (Math.abs(sum) < 1e-9) return "What agrees and what disagrees cancels: the dot product is 0.";
  const countSigns = (sign: number): number => products.filter((product) => Math.sign(product) === sign).length;
  const result = sum > 0 ? "positive: more agreement" : "negative: less agreement";
  return `The signs agree in ${countSigns(1)} of ${products.length} products, and differ in ${countSigns(-1)}. The sum is ${result} than disagreement.`;
}

export function DotProduct() {
  const [vectors, setVectors] = useState(INITIAL_VECTORS);
  const { w, x } = vectors;
  const products = w.map((each, i) => each * (x[i] as number));
  const partialSums = products.map((_, i) => products.slice(0, i + 1).reduce((sum, each) => sum + each, 0));
  const sum = partialSums.at(-1) as number;
  const maxMagnitude = Math.max(1, ...partialSums.map(Math.abs));
  const format = (value = 0): string => formatFixed(value, 2);
  return (
    <div class="dot-panel">
      <div class="columns vectors controls">
        {(["w", "x"] as const).map((which) => (
          <div role="group" aria-label={which === "w" ? "The weights" : "The letter"}>
            {vectors[which].map((value, index) => (
              <Slider
                label={`${which}: ${FEATURES[index]}`}
                value={value}
                min={-MAX_SLIDER_VALUE}
                max={MAX_SLIDER_VALUE}
                step={0.1}
                decimals={2}
                onInput={(to) => setVectors({ ...vectors, [which]: vectors[which].with(index, to) })}
              />
            ))}
          </div>
        ))}
      </div>
      <NumberTable
        columnTitles={["", "w", "x", "w × x", "sum", ""]}
        rows={products.map((product, i) => [
          FEATURES[i],
          format(w[i]),
          format(x[i]),
          format(product),
          format(partialSums[i]),
          <SumBar from={partialSums[i - 1] ?? 0} to={partialSums[i] as number} maxMagnitude={maxMagnitude} />,
        ])}
        footer={["score", "", "", "", format(sum), <SumBar from={0} to={sum} maxMagnitude={maxMagnitude} />]}
      />
      <Status class="verdict">{describeSignAgreement(products, sum)}</Status>
    </div>
  );
}
