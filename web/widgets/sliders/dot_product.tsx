/** One dot product, number by number. */

import { useState } from "preact/hooks";
import type { Vector } from "../../engine/vectors.js";
import { formatFixed } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { Slider } from "../../parts/slider.js";

const FIRST = { w: [1, -0.5, 2, 0.5], x: [0.5, 1, 1, -1] };
/** The numbers that a reader may choose lie between this and its negative. */
const LARGEST = 2;

interface StretchProps {
  from: number;
  to: number;
  half: number;
}

/** From one sum to the next, on a scale with 0 in the middle. */
function Stretch({ from, to, half }: StretchProps) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const share = (value: number): string => `${((50 * value) / half).toFixed(2)}%`;
  return (
    <span class="track" aria-hidden="true">
      <span class={to < from ? "fill back" : "fill"} style={{ left: share(half + left), width: share(right - left) }} />
    </span>
  );
}

/** What a dot product tells, in a sentence. */
function verdict(products: Vector, sum: number): string {
  if (Math.abs(sum) < 1e-9) return "What agrees and what disagrees cancels: the dot product is 0.";
  const count = (sign: number): number => products.filter((product) => Math.sign(product) === sign).length;
  const said = sum > 0 ? "positive: more agreement" : "negative: less agreement";
  return `The signs agree in ${count(1)} of ${products.length} places, and differ in ${count(-1)}. The sum is ${said} than disagreement.`;
}

export function DotProduct() {
  const [vectors, setVectors] = useState(FIRST);
  const { w, x } = vectors;
  const products = w.map((each, i) => each * (x[i] as number));
  const running = products.map((_, i) => products.slice(0, i + 1).reduce((sum, each) => sum + each, 0));
  const sum = running.at(-1) as number;
  const half = Math.max(1, ...running.map(Math.abs));
  const two = (value: number | undefined): string => formatFixed(value ?? 0, 2);
  return (
    <div class="dot-panel">
      <div class="columns vectors controls">
        {(["w", "x"] as const).map((which) => (
          <div role="group" aria-label={`The vector ${which}`}>
            {vectors[which].map((value, index) => (
              <Slider
                label={`${which}[${index}]`}
                value={value}
                min={-LARGEST}
                max={LARGEST}
                step={0.1}
                decimals={2}
                onInput={(to) => setVectors({ ...vectors, [which]: vectors[which].with(index, to) })}
              />
            ))}
          </div>
        ))}
      </div>
      <NumberTable
        columnTitles={["w", "x", "w × x", "sum", ""]}
        rows={products.map((product, i) => [
          two(w[i]),
          two(x[i]),
          two(product),
          two(running[i]),
          <Stretch from={running[i - 1] ?? 0} to={running[i] as number} half={half} />,
        ])}
        footer={["dot product", "", "", two(sum), <Stretch from={0} to={sum} half={half} />]}
      />
      <p class="verdict" role="status">
        {verdict(products, sum)}
      </p>
    </div>
  );
}
