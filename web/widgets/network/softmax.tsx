/** Logits to move, and the probabilities that softmax makes of them. */

import { Choices } from "../../parts/choices.js";
import { grouped, type Numeral, scientific, signed } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import type { Given } from "../../runtime/widget.js";
import type { Network, NetworkParameters } from "../types.js";
import { usePanel } from "./use_panel.js";

const LARGEST = 5;
const FARTHEST = 1000;
const ADDED = [0, 700, 1000, -740, -1000];

const plain = (value: number): string => signed(String(value));
const plus = (value: number): string => (value > 0 ? `+${grouped(value)}` : grouped(value));

/** A number of any size, in few characters. */
function exponential(value: Numeral | null): string {
  if (value === null) return "too large";
  if (typeof value === "string" || value === 0) return "0";
  return value >= 1e-4 && value < 1e5 ? value.toPrecision(5).replace(/\.0+$/, "") : scientific(value, 2);
}

export function SoftmaxPanel({ given }: { given: Given<NetworkParameters, Network> }) {
  const { python, shown, ask } = usePanel(given, "softmax", "softmax");
  if (shown === null) return <PythonStatus python={python} />;
  const { rows, total, says, fails, subtract } = shown;
  const { asked } = python;
  const logits = asked.logits ?? shown.logits;
  const added = asked.added ?? shown.added;
  return (
    <div class="softmax-panel">
      <div class="settings controls">
        <div role="group" aria-label="Logits">
          {logits.map((logit, index) => (
            <Slider
              label={rows[index]?.name ?? ""}
              value={logit}
              min={-LARGEST}
              max={LARGEST}
              step={0.5}
              format={plain}
              onInput={(value) => ask({ logits: logits.map((old, i) => (i === index ? value : old)) })}
            />
          ))}
        </div>
        <div class="all">
          <Slider
            label="added to all"
            value={added}
            min={-FARTHEST}
            max={FARTHEST}
            step={1}
            format={plus}
            onInput={(to) => ask({ added: to })}
          />
          <Choices
            label="Numbers to add"
            choices={ADDED.map((each) => [each, plus(each)])}
            value={added}
            onChoose={(to) => ask({ added: to })}
            class="examples"
          />
          <label class="check">
            <input
              type="checkbox"
              checked={asked.subtract ?? subtract}
              onInput={(event) => ask({ subtract: event.currentTarget.checked })}
            />
            subtract the largest
          </label>
        </div>
      </div>
      <PythonStatus python={python} />
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
      <table class={python.stale ? "readout stale" : "readout"}>
        <thead>
          <tr>
            <td />
            <th scope="col">logit</th>
            <th scope="col">exponent</th>
            <th scope="col">exp</th>
            <th scope="col">probability</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, logit, exponent, exp, p }) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{grouped(logit)}</td>
              <td>{grouped(exponent)}</td>
              <td class={exp === null ? "none" : ""}>{exponential(exp)}</td>
              <td class="p">
                {p === null ? "–" : p.toFixed(4)}
                <span class="track" aria-hidden="true">
                  <span class="fill" style={{ width: `${Math.round(1000 * (p ?? 0)) / 10}%` }} />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">sum</th>
            <td />
            <td />
            <td class={total === null ? "none" : ""}>{exponential(total)}</td>
            <td />
          </tr>
        </tfoot>
      </table>
      <p class={fails === "" ? "verdict" : "verdict fails"} role="status">
        {fails === "" ? "" : "No probabilities. "}
        {says}
        <span class="sr-only"> {subtract ? "With" : "Without"} the subtraction.</span>
      </p>
    </div>
  );
}
