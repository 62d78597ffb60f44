/** A vector, made longer and shorter, and what RMSNorm makes of it. */

import { useState } from "preact/hooks";
import { significant, superscript } from "../../parts/numerals.js";
import { IconButton } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { NormedVector, RMSNorm, RmsnormParameters } from "../types.js";

const LARGEST = 4;
const EXAMPLES: [name: string, numbers: number[]][] = [
  ["as at first", [3, -1, 2, 0]],
  ["all equal", [1, 1, 1, 1]],
  ["one number", [0, 0, -3, 0]],
  ["zeros", [0, 0, 0, 0]],
];
/** What the end of a bar stands for, before and after. */
const HALF = 4;
const HALF_OF_RESULT = 2;

const four = (value: number): string => significant(value, 4);

/** A scale as readers say it: 0.001, 1, 100. */
function scaleText(scale: number): string {
  const power = Math.log10(scale);
  const whole = Math.round(power);
  return Math.abs(power - whole) < 1e-3 && Math.abs(whole) > 3 ? `10${superscript(whole)}` : significant(scale, 3);
}

/** A bar from 0 to a number, which runs out of its track if it has to. */
function Bar({ value, half, kind }: { value: number; half: number; kind: string }) {
  const share = Math.min(1, Math.abs(value) / half) * 50;
  const past = Math.abs(value) > half;
  return (
    <span class={`scale ${kind}${value < 0 ? " below" : ""}${past ? " past" : ""}`} aria-hidden="true">
      <span class="fill" style={{ left: `${value < 0 ? 50 - share : 50}%`, width: `${share}%` }} />
    </span>
  );
}

export default function RmsnormWidget(given: Given<RmsnormParameters, RMSNorm>) {
  const python = usePython<RmsnormParameters, RMSNorm>("rmsnorm", given);
  const { asked, ask } = python;
  const { epsilon, scales, says } = python.result;
  const [at, setAt] = useState(given.result.at);
  // Said when the reader makes a step; a scale that is dragged speaks for itself.
  const [said, say] = useState("");
  const shown = scales[at] as NormedVector;
  const describe = (index: number): string => {
    const { scale, size, result_size } = scales[index] as NormedVector;
    return `scale ${scaleText(scale)}: root mean square ${four(size)} before, ${four(result_size)} after`;
  };
  const go = (to: number): void => {
    setAt(to);
    say(describe(to));
  };
  const rows: [head: string, value: string][] = [
    ["mean of the squares", four(shown.mean_square)],
    ["ε", scaleText(epsilon)],
    ["scale: 1 over the root of their sum", four(shown.factor)],
    ["root mean square before", four(shown.size)],
    ["root mean square after", four(shown.result_size)],
  ];
  return (
    <>
      <div class="examples controls" role="group" aria-label="Vectors to try">
        {EXAMPLES.map(([name, numbers]) => (
          <button
            type="button"
            aria-pressed={JSON.stringify(numbers) === JSON.stringify(asked.numbers)}
            onClick={() => ask({ numbers })}
          >
            {name}
          </button>
        ))}
      </div>
      <div class="vector controls" role="group" aria-label="The vector">
        {asked.numbers.map((value, index) => (
          <Slider
            label={`[${index}]`}
            value={value}
            min={-LARGEST}
            max={LARGEST}
            step={0.25}
            format={(number) => significant(number, 3)}
            onInput={(to) => ask({ numbers: asked.numbers.map((old, i) => (i === index ? to : old)) })}
          />
        ))}
      </div>
      <div class="size controls" role="group" aria-label="Scale">
        <span class="name">times</span>
        <IconButton icon="back" says="Shorter" off={at === 0} press={() => go(at - 1)} />
        <input
          type="range"
          min={0}
          max={scales.length - 1}
          value={at}
          aria-label="Scale"
          aria-valuetext={describe(at)}
          onInput={(event) => {
            setAt(event.currentTarget.valueAsNumber);
            say("");
          }}
        />
        <IconButton icon="on" says="Longer" off={at === scales.length - 1} press={() => go(at + 1)} />
        <span class="value">{scaleText(shown.scale)}</span>
        <span class="sr-only" role="status">
          {said}
        </span>
      </div>
      <PythonStatus python={python} />
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
      <div class={python.stale ? "stale" : ""}>
        <table class="readout both-vectors">
          <thead>
            <tr>
              <td />
              <th scope="col">x</th>
              <td class="wide" />
              <th scope="col">rmsnorm(x)</th>
              <td class="wide" />
            </tr>
          </thead>
          <tbody>
            {shown.x.map((value, index) => {
              const result = shown.result[index] as number;
              return (
                <tr>
                  <th scope="row">[{index}]</th>
                  <td>{four(value)}</td>
                  <td class="wide">
                    <Bar value={value} half={HALF} kind="before" />
                  </td>
                  <td>{four(result)}</td>
                  <td class="wide">
                    <Bar value={result} half={HALF_OF_RESULT} kind="after" />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <table class="readout sizes">
          <tbody>
            {rows.map(([head, value]) => (
              <tr>
                <th scope="row">{head}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="verdict" role="status">
          {says}
        </p>
      </div>
      <p class="note">
        Bars of x end at {HALF}, those of the result at {HALF_OF_RESULT}; an arrow says that a number lies beyond.
      </p>
    </>
  );
}
