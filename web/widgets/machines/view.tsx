/** Compute and network in a step of training, and the memory of a card, as machines are added. */

import { useState } from "preact/hooks";
import { Bars } from "../../parts/bars.js";
import { Choices } from "../../parts/choices.js";
import { grouped } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import type { Given } from "../../runtime/widget.js";
import type { Machines, MachinesModel, MachinesParameters } from "../types.js";

/** Three significant digits, never as a power of ten. */
const three = (value: number): string =>
  value.toLocaleString("en", { maximumSignificantDigits: 3, minimumSignificantDigits: value === 0 ? 1 : 3 });
const seconds = (value: number): string => `${three(value)} s`;
const gigabytes = (value: number): string => `${three(value)} GB`;
const pick = (list: number[] | undefined, index: number): number => list?.[index] ?? Number.NaN;

export default function MachinesWidget({ result }: Given<MachinesParameters, Machines>) {
  const [which, setWhich] = useState(result.start[0] ?? 0);
  const [tokens, setTokens] = useState(result.start[1] ?? 0);
  const [count, setCount] = useState(result.start[2] ?? 0);
  const [link, setLink] = useState(result.start[3] ?? 0);
  const [isCut, setCut] = useState(false);
  const model = result.models[which] as MachinesModel;
  const way = isCut ? model.cut : model.copied;
  const compute = pick(model.compute[tokens], count);
  const send = pick(way.send[link], count);
  const memory = pick(way.memory, count);
  const number = pick(result.machines, count);
  const fits = memory <= result.card;
  const verdict = fits ? "The card has room for it." : "The card is too small.";
  const share = send > compute ? "Sending takes longer than computing." : "Computing takes longer than sending.";
  return (
    <>
      <Choices
        label="Model"
        choices={result.models.map(({ name }, index) => [index, name])}
        value={which}
        onChoose={setWhich}
        class="examples controls"
      />
      <div class="controls">
        <Slider
          label="machines, a card each"
          value={count}
          max={result.machines.length - 1}
          format={(index) => String(result.machines[index])}
          onInput={setCount}
        />
        <Slider
          label="network, Gbit/s"
          value={link}
          max={result.links.length - 1}
          format={(index) => String(result.links[index])}
          onInput={setLink}
        />
        <Slider
          label="tokens in a step"
          value={tokens}
          max={result.tokens.length - 1}
          format={(index) => grouped(result.tokens[index] ?? 0)}
          onInput={setTokens}
        />
        <label class="check">
          <input type="checkbox" checked={isCut} onInput={(event) => setCut(event.currentTarget.checked)} />
          cut the model: each card keeps a part
        </label>
      </div>
      <p class="title">
        {model.name}, {grouped(model.parameters)} parameters, {isCut ? "cut" : "copied"} to {number}{" "}
        {number === 1 ? "card" : "cards"}
      </p>
      <p class="says" role="status">
        {number === 1 ? "There is nobody to send to." : share} {verdict}
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
          { name: "has", value: result.card },
        ]}
        max={Math.max(memory, result.card)}
        kind="cost"
        format={gigabytes}
        room={9}
        label="Memory of a card"
      />
      <p class="note">
        Above, seconds of a step; below, memory of a card: weights, gradients and Adam's means, without what the layers
        remember for the way back. Sending and computing overlap in part. We assume {result.reached}% of the FLOPs per
        second that the data sheet states.
      </p>
    </>
  );
}
