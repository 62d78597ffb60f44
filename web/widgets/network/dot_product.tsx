/** One dot product, number by number: numbers to drag, or the embeddings of two tokens. */

import { useRef, useState } from "preact/hooks";
import { decimals, fixed } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import type { Given } from "../../runtime/widget.js";
import type { Network, NetworkParameters } from "../types.js";
import { usePanel } from "./use_panel.js";

/** The numbers that a reader may choose lie between this and its negative. */
const LARGEST = 2;
/** What half the width of the sum's scale may stand for. */
const SCALES = [1, 2, 4, 8, 16];
/** So many of the embeddings that agree most, and least, are named. */
const NAMED = 4;

interface StretchProps {
  from: number;
  to: number;
  half: number;
}

/** From one sum to the next, on a scale with 0 in the middle. */
function Stretch({ from, to, half }: StretchProps) {
  const place = (value: number): number => 50 + (50 * value) / half;
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  return (
    <span class="scale" aria-hidden="true">
      <span
        class={to < from ? "stretch back" : "stretch"}
        style={{ left: `${place(left).toFixed(2)}%`, width: `${(place(right) - place(left)).toFixed(2)}%` }}
      />
    </span>
  );
}

interface Vectors {
  w: number[];
  x: number[];
}

export function DotProductPanel({ given }: { given: Given<NetworkParameters, Network> }) {
  const { python, shown, ask } = usePanel(given, "dot_product", "dot product");
  /** What "reset" goes back to. */
  const first = useRef(shown);
  first.current ??= shown;
  /** The tokens of the two embeddings; null when the numbers are the reader's. */
  const [pair, setPair] = useState<[number, number] | null>(null);
  if (shown === null || first.current === null) return <PythonStatus python={python} />;
  const { products, running, sum, says, embeddings } = shown;
  const asked: Vectors = { w: python.asked.w ?? shown.w, x: python.asked.x ?? shown.x };
  const letter = (name: string): number => embeddings.findIndex((each) => each.name === name);
  const own = (vectors: Vectors): void => {
    setPair(null);
    ask(vectors);
  };
  const compare = (tokens: [number, number]): void => {
    setPair(tokens);
    const [w, x] = tokens.map((token) => embeddings[token]?.vector ?? []) as [number[], number[]];
    ask({ w, x });
  };
  const { w, x } = first.current;
  const examples: [name: string, vectors: Vectors][] = [
    ["reset", { w, x }],
    ["the same twice", { w, x: w }],
    ["opposite", { w, x: w.map((value) => -value) }],
    ["cancelling", { w, x: [1, 2, -0.5, 2] }],
  ];
  const same = (vectors: Vectors): boolean => JSON.stringify(vectors) === JSON.stringify(asked);
  // Embeddings are longer than the reader's own vectors, and have three decimals.
  const number = (value: number): string => fixed(value, shown.w.length > w.length ? 3 : 2);
  const furthest = Math.max(...running.map(Math.abs));
  const half = SCALES.find((scale) => scale >= furthest) ?? furthest;
  const change = (which: "w" | "x", index: number, value: number): void =>
    own({ ...asked, [which]: asked[which].map((old, i) => (i === index ? value : old)) });
  const looked = pair && embeddings[pair[0]];
  const others = (tokens: number[]): string => tokens.map((token) => embeddings[token]?.name).join(", ");
  return (
    <div class="dot-panel">
      <div class="examples controls" role="group" aria-label="Vectors to try">
        {examples.map(([name, vectors]) => (
          <button type="button" aria-pressed={pair === null && same(vectors)} onClick={() => own(vectors)}>
            {name}
          </button>
        ))}
        <button type="button" aria-pressed={pair !== null} onClick={() => compare(pair ?? [letter("a"), letter("o")])}>
          two embeddings
        </button>
      </div>
      {pair === null ? (
        <div class="vectors controls">
          {(["w", "x"] as const).map((which) => (
            <div role="group" aria-label={`The vector ${which}`}>
              {asked[which].map((value, index) => (
                <Slider
                  label={`${which}[${index}]`}
                  value={value}
                  min={-LARGEST}
                  max={LARGEST}
                  step={0.1}
                  format={(value) => fixed(value, 2)}
                  onInput={(to) => change(which, index, to)}
                />
              ))}
            </div>
          ))}
        </div>
      ) : (
        <div class="letters controls">
          {pair.map((token, which) => (
            <label class="choice">
              <code>{which === 0 ? "w" : "x"}</code> is the embedding of{" "}
              <select
                value={token}
                onInput={(event) => {
                  const next = Number(event.currentTarget.value);
                  compare(which === 0 ? [next, pair[1]] : [pair[0], next]);
                }}
              >
                {embeddings.map(({ name }, index) => (
                  <option value={index}>{name}</option>
                ))}
              </select>
            </label>
          ))}
        </div>
      )}
      <PythonStatus python={python} />
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
      <table class={python.stale ? "readout stale" : "readout"}>
        <thead>
          <tr>
            <th scope="col">w</th>
            <th scope="col">x</th>
            <th scope="col">w × x</th>
            <th scope="col">sum</th>
            <td class="wide" />
          </tr>
        </thead>
        <tbody>
          {products.map((product, index) => (
            <tr>
              <td>{number(shown.w[index] ?? 0)}</td>
              <td>{number(shown.x[index] ?? 0)}</td>
              <td class={product < 0 ? "product back" : "product"}>{number(product)}</td>
              <td>{number(running[index] ?? 0)}</td>
              <td class="wide">
                <Stretch from={running[index - 1] ?? 0} to={running[index] ?? 0} half={half} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              dot product
            </th>
            <td>{number(sum)}</td>
            <td class="wide whole">
              <Stretch from={0} to={sum} half={half} />
            </td>
          </tr>
        </tfoot>
      </table>
      <p class="note scale-note">
        The scale runs from {decimals(-half, 0)} to {decimals(half, 0)}, with 0 in the middle.
      </p>
      <p class="verdict" role="status">
        {says}
        {looked &&
          ` Of all embeddings, those of ${others(looked.like.slice(0, NAMED))} agree most with that of ${looked.name}; ` +
            `those of ${others(looked.like.slice(-NAMED))} agree least.`}
      </p>
    </div>
  );
}
