/** A dot product, number by number. */

import { useState } from "preact/hooks";
import { decimals, fixed } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { DotProduct, DotProductParameters, NamedVector } from "../types.js";

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

export default function DotProductWidget(given: Given<DotProductParameters, DotProduct>) {
  const python = usePython<DotProductParameters, DotProduct>("dot_product", given);
  const { products, running, sum, says, embeddings } = python.result;
  const { asked, ask } = python;
  /** The tokens of the two embeddings; null when the numbers are the reader's. */
  const [pair, setPair] = useState<[number, number] | null>(null);
  const letter = (name: string): number => embeddings.findIndex((each) => each.name === name);
  const own = (parameters: DotProductParameters): void => {
    setPair(null);
    ask(parameters);
  };
  const compare = (tokens: [number, number]): void => {
    setPair(tokens);
    const [w, x] = tokens.map((token) => embeddings[token]?.vector ?? []) as [number[], number[]];
    ask({ w, x });
  };
  const { w } = given.parameters;
  const examples: [name: string, parameters: DotProductParameters][] = [
    ["as at first", given.parameters],
    ["the same twice", { w, x: w }],
    ["opposite", { w, x: w.map((value) => -value) }],
    ["cancelling", { w, x: [1, 2, -0.5, 2] }],
  ];
  const same = (parameters: DotProductParameters): boolean => JSON.stringify(parameters) === JSON.stringify(asked);
  const shown = python.parameters;
  // Embeddings are longer than the reader's own vectors, and have three decimals.
  const number = (value: number): string => fixed(value, shown.w.length > w.length ? 3 : 2);
  const furthest = Math.max(...running.map(Math.abs));
  const half = SCALES.find((scale) => scale >= furthest) ?? furthest;
  const change = (which: "w" | "x", index: number, value: number): void =>
    own({ ...asked, [which]: asked[which].map((old, i) => (i === index ? value : old)) });
  const first = pair && (embeddings[pair[0]] as NamedVector);
  const others = (tokens: number[]): string => tokens.map((token) => embeddings[token]?.name).join(", ");
  return (
    <>
      <div class="examples controls" role="group" aria-label="Vectors to try">
        {examples.map(([name, parameters]) => (
          <button type="button" aria-pressed={pair === null && same(parameters)} onClick={() => own(parameters)}>
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
        {first &&
          ` Of all embeddings, those of ${others(first.like.slice(0, NAMED))} agree most with that of ${first.name}; ` +
            `those of ${others(first.like.slice(-NAMED))} agree least.`}
      </p>
    </>
  );
}
