/** A prediction of the trained model, as the temperature is raised and lowered. */

import { useState } from "preact/hooks";
import { Bars } from "../../parts/bars.js";
import { Choices } from "../../parts/choices.js";
import { percent } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Temperature, TemperatureLook, TemperatureParameters } from "../types.js";

const EXAMPLES = ["", "mar", "q", "jo"];
/** What a full bar may stand for. */
const SCALES = [0.1, 0.25, 0.5, 1];

export default function TemperatureWidget(given: Given<TemperatureParameters, Temperature>) {
  const python = usePython<TemperatureParameters, Temperature>("temperature", given);
  const { tokens, logits, looks } = python.result;
  const { asked, ask } = python;
  const [at, setAt] = useState(given.result.start);
  const [said, say] = useState("");
  const look = looks[at] as TemperatureLook;
  const { prefix } = python.parameters;
  const largest = Math.max(...look.probabilities);
  const full = SCALES.find((scale) => scale >= largest) ?? 1;
  const best = look.probabilities.map((_, token) => token).toSorted((a, b) => (logits[b] ?? 0) - (logits[a] ?? 0));
  const read = prefix.trim() === "" ? "BOS alone" : `“${prefix.trim()}”`;
  const unsure = (one: TemperatureLook): string =>
    `Entropy ${one.entropy.toFixed(3)} nats: as unsure as a fair choice among ${one.choice.toFixed(2)} letters.`;
  return (
    <>
      <TextField
        id="temperature"
        label="How the name begins"
        value={asked.prefix}
        onInput={(to) => ask({ ...asked, prefix: to }, true)}
        onEnter={(to) => ask({ ...asked, prefix: to })}
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <Choices
        label="Beginnings to type"
        choices={EXAMPLES.map((each) => [each, each === "" ? "nothing" : each])}
        value={asked.prefix}
        onChoose={(each) => ask({ ...asked, prefix: each })}
        class="examples controls"
      />
      <div class="controls">
        <Slider
          label="temperature"
          value={at}
          min={0}
          max={looks.length - 1}
          step={1}
          format={(index) => String(looks[index]?.temperature)}
          onInput={(index) => {
            setAt(index);
            say(unsure(looks[index] as TemperatureLook));
          }}
        />
        <span class="sr-only" role="status">
          {said}
        </span>
      </div>
      <div class={python.stale ? "stale" : ""}>
        <p class="title">
          After {read}, at temperature {look.temperature}
        </p>
        <p class="says">{unsure(look)}</p>
        <Bars
          items={tokens.map((name, token) => ({
            name: name.length > 1 ? "end" : name,
            value: look.probabilities[token] ?? 0,
            mark: token === best[0],
          }))}
          max={full}
          kind="activation"
          format={percent}
          room={7}
          label={`What comes after ${read} at temperature ${look.temperature}`}
        />
        <p class="note">A full bar is {100 * full}%. The likeliest is framed.</p>
        <p class="drawn">
          <span>Drawn at this temperature:</span>{" "}
          {look.samples.length === 0 ? (
            <i>not yet</i>
          ) : (
            look.samples.map((name) => <code>{name === "" ? "(no letter)" : name}</code>)
          )}
        </p>
      </div>
    </>
  );
}
