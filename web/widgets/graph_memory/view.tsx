/** What a graph holds in memory until `backward` has run, beside two things of known size. */

import { grouped } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { GraphMemory, GraphMemoryParameters } from "../types.js";

const SLIDERS: [key: keyof GraphMemoryParameters, name: string, from: number, to: number, step: number][] = [
  ["letters", "letters", 1, 9, 1],
  ["n_layer", "layers", 1, 2, 1],
  ["n_embd", "width", 4, 16, 4],
];
const ENGINES: Record<string, string> = {
  value: "a node for each step",
  dot: "a node for each dot product",
  lists: "a node for each matrix",
};

/** Bytes as a text of three digits or so. */
export function bytes(count: number): string {
  const [size, unit] = count < 1e6 ? [count / 1e3, "kB"] : [count / 1e6, "MB"];
  return `${size.toFixed(size < 10 ? 2 : size < 100 ? 1 : 0)} ${unit}`;
}

export default function GraphMemoryWidget(given: Given<GraphMemoryParameters, GraphMemory>) {
  const python = usePython<GraphMemoryParameters, GraphMemory>("graph_memory", given);
  const { asked, ask, result } = python;
  const { engines, name, first, parameters, weights, names } = result;
  const { letters, n_layer, n_embd } = given.parameters;
  // What the page was built with was measured by another Python; a browser measures it, too.
  const moved = JSON.stringify(python.parameters) !== JSON.stringify(given.parameters);
  const before = `in steps, for ${letters} letters, ${n_layer === 1 ? "1 layer" : `${n_layer} layers`}, width ${n_embd}`;
  const rows: [title: string, note: string, size: number, kind: string][] = [
    ...engines.map((one): [string, string, number, string] => [
      one.engine,
      `${ENGINES[one.engine] ?? ""}: ${grouped(one.nodes)} nodes, ${grouped(one.edges)} edges`,
      one.bytes,
      "graph",
    ]),
    ...(moved ? [["at first", before, first, "known"] as [string, string, number, string]] : []),
    ["the model", `its ${grouped(parameters)} parameters, 8 bytes each`, weights, "known"],
    ["all names", "the file that the model learns from", names, "known"],
  ];
  const most = Math.max(...rows.map(([, , size]) => size));
  const [value, dot] = engines;
  const ratio = value && dot ? (value.bytes / dot.bytes).toFixed(1) : "";
  return (
    <>
      <div class="sizes controls">
        {SLIDERS.map(([key, label, from, to, step]) => (
          <Slider
            label={label}
            value={asked[key]}
            min={from}
            max={to}
            step={step}
            onInput={(number) => ask({ ...asked, [key]: number }, true)}
          />
        ))}
      </div>
      <PythonStatus python={python} />
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
      <div class={python.stale ? "stale" : undefined}>
        <p class="title">
          The graph of the loss of “{name}”, before <code>backward</code>
        </p>
        <ul class="memory">
          {rows.map(([title, note, size, kind]) => (
            <li class={kind}>
              <span class="what">{kind === "graph" ? <code>{title}</code> : title}</span>
              <span class="size">{bytes(size)}</span>
              <span class="track" aria-hidden="true">
                <span class="fill" style={{ width: `${((100 * size) / most).toFixed(2)}%` }} />
              </span>
              <span class="note">{note}</span>
            </li>
          ))}
        </ul>
        <p class="verdict" role="status">
          In single steps it holds {ratio} times as much as with one node for each dot product.
        </p>
        <p class="note">
          Measured with Python {result.python}, where a reference takes {result.pointer} bytes.{" "}
          {result.pointer === 8
            ? "In your browser it takes 4, so what you measure by moving a slider is less."
            : "A desktop's Python takes 8, and holds almost twice as much."}
        </p>
      </div>
    </>
  );
}
