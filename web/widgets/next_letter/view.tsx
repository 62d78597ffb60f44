/** What comes after a token: probabilities from counts and smoothing. */

import { useState } from "preact/hooks";
import { Bars } from "../../parts/bars.js";
import { grouped, percent } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { TokenPicker } from "../../parts/token_picker.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { NextLetter, NextLetterParameters } from "../types.js";

const SMOOTHINGS = [0, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 1000];
const NAMES = [0, 1, 3, 10, 30, 100, 300, 1000, 3000];
/** What a full bar may stand for. */
const SCALES = [0.25, 0.5, 1];

export default function NextLetterWidget(given: Given<NextLetterParameters, NextLetter>) {
  const python = usePython<NextLetterParameters, NextLetter>("next_letter", given);
  const { tokens, total, counts, sums, unseen, rows } = python.result;
  const { smoothing, names } = python.parameters;
  const { asked, ask } = python;
  const [token, setToken] = useState(tokens.indexOf("q"));
  const [target, setTarget] = useState(tokens.indexOf("u"));
  const sizes = [...NAMES, total];
  const row = rows[token] as number[];
  const defined = row.length > 0;
  const largest = defined ? Math.max(...row) : 0;
  const full = SCALES.find((scale) => scale >= largest) ?? 1;
  const name = tokens[token];
  const p = row[target] ?? Number.NaN;
  const here = counts[token]?.[target] ?? 0;
  const sum = sums[token] ?? 0;
  const never = unseen[token] ?? 0;
  const came = sum === 0 ? "never come" : sum === 1 ? "come once" : `come ${grouped(sum)} times`;
  const seen = `After ${grouped(names)} ${names === 1 ? "name" : "names"}, ${name} has ${came}.`;
  const verdict = !defined
    ? "Nothing is counted and nothing is added: 0 divided by 0 is no probability."
    : never === 0
      ? "Each token has followed it."
      : smoothing === 0
        ? `${never} of the ${tokens.length} tokens never followed it, and so are impossible.`
        : `${never} of the ${tokens.length} tokens never followed it; each of them gets ${percent(Math.min(...row))}.`;
  return (
    <>
      <TokenPicker tokens={tokens} picked={token} onPick={setToken} label="Current token" />
      <div class="settings controls">
        <Slider
          label="smoothing"
          value={SMOOTHINGS.indexOf(asked.smoothing)}
          min={0}
          max={SMOOTHINGS.length - 1}
          step={1}
          format={(index) => grouped(SMOOTHINGS[index] ?? 0)}
          onInput={(index) => ask({ ...asked, smoothing: SMOOTHINGS[index] ?? 0 })}
        />
        <Slider
          label="names"
          value={sizes.indexOf(asked.names)}
          min={0}
          max={sizes.length - 1}
          step={1}
          format={(index) => grouped(sizes[index] ?? 0)}
          onInput={(index) => ask({ ...asked, names: sizes[index] ?? 0 })}
        />
      </div>
      <p class="says" role="status">
        {seen} {verdict}
      </p>
      <Bars
        items={tokens.map((name, index) => ({ name, value: row[index] ?? Number.NaN }))}
        max={full}
        kind="data"
        format={percent}
        room={6}
        picked={target}
        onPick={setTarget}
        label={`What comes after ${name}`}
      />
      <p class="note">A full bar is {100 * full}%. A crossed-out token can never come next.</p>
      <p class="formula">
        {name}, then {tokens[target]}: ({grouped(here)} + {grouped(smoothing)}) / ({grouped(sum)} + {tokens.length} ×{" "}
        {grouped(smoothing)}) = {Number.isNaN(p) ? "0 / 0" : p === 0 ? "0" : p.toPrecision(3)}
      </p>
      <PythonStatus python={python} />
    </>
  );
}
