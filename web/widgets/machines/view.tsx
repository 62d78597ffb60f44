/** Compute and network in a step of training, and the memory of a card, as machines are added. */

import { useState } from "preact/hooks";
import { Bars } from "../../parts/bars.js";
import { Choices } from "../../parts/choices.js";
import { grouped, plural } from "../../parts/numerals.js";
import { Stops } from "../../parts/slider.js";
import type { Given } from "../../runtime/widget.js";
import type { Machines, MachinesModel, MachinesParameters } from "../types.js";

const MACHINES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const GIGABITS = [10, 25, 100, 400, 1600];
const TOKENS = [2 ** 19, 2 ** 20, 2 ** 21, 2 ** 22];

/** Of an H100 (SXM): dense products in bfloat16 per second, of which so much is reached. */
const [PEAK, REACHED] = [989e12, 0.4];
/** Numbers that a card holds for a parameter: the weight, its gradient and Adam's two means. */
const HELD = 4;

/** Three significant digits, never as a power of ten. */
const three = (value: number): string =>
  value.toLocaleString("en", { maximumSignificantDigits: 3, minimumSignificantDigits: value === 0 ? 1 : 3 });
const seconds = (value: number): string => `${three(value)} s`;
const gigabytes = (value: number): string => `${three(value)} GB`;

export default function MachinesWidget({ result }: Given<MachinesParameters, Machines>) {
  const { models, card, number } = result;
  const [name, setName] = useState("GPT-2");
  const [tokens, setTokens] = useState(2 ** 19);
  const [machines, setMachines] = useState(8);
  const [gigabits, setGigabits] = useState(100);
  const [isCut, setCut] = useState(false);
  const model = models.find((each) => each.name === name) as MachinesModel;
  const compute = (tokens * model.operations) / (PEAK * REACHED) / machines;
  // Each round of a ring sends all numbers but the machine's own part.
  const sent = ((isCut ? 3 : 2) * number * model.parameters * (machines - 1)) / machines;
  const send = (8 * sent) / (gigabits * 1e9);
  const memory = (HELD * number * model.parameters) / 1e9 / (isCut ? machines : 1);
  const fits = memory <= card;
  const verdict = fits ? "The card has room for it." : "The card is too small.";
  const share = send > compute ? "Sending takes longer than computing." : "Computing takes longer than sending.";
  return (
    <>
      <Choices
        label="Model"
        choices={models.map(({ name }) => name)}
        value={name}
        onChoose={setName}
        class="examples controls"
      />
      <div class="controls">
        <Stops label="machines, a card each" stops={MACHINES} value={machines} onInput={setMachines} />
        <Stops label="network, Gbit/s" stops={GIGABITS} value={gigabits} onInput={setGigabits} />
        <Stops label="tokens in a step" stops={TOKENS} value={tokens} onInput={setTokens} />
        <label class="check">
          <input type="checkbox" checked={isCut} onInput={(event) => setCut(event.currentTarget.checked)} />
          cut the model: each card keeps a part
        </label>
      </div>
      <p class="title">
        {name}, {grouped(model.parameters)} parameters, {isCut ? "cut" : "copied"} to {plural(machines, "card")}
      </p>
      <p class="says" role="status">
        {machines === 1 ? "There is nobody to send to." : share} {verdict}
      </p>
      <Bars
        items={[
          { name: "compute", value: compute },
          { name: "send", value: send, mark: send > compute },
        ]}
        max={Math.max(compute, send)}
        kind="cost"
        format={seconds}
        room={9}
        label="Seconds of a step"
      />
      <Bars
        items={[
          { name: "needs", value: memory, mark: !fits },
          { name: "has", value: card },
        ]}
        max={Math.max(memory, card)}
        kind="cost"
        format={gigabytes}
        room={9}
        label="Memory of a card"
      />
      <p class="note">
        Above, seconds of a step; below, memory of a card: weights, gradients and Adam's means, without what the layers
        remember for the way back. Sending and computing overlap in part. We assume {100 * REACHED}% of the FLOPs per
        second that the data sheet states.
      </p>
    </>
  );
}
