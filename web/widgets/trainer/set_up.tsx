/** All that can be changed of a run, folded away until it is wanted. */

import { useEffect, useId, useRef } from "preact/hooks";
import { describeSetup, type TrainingSetup } from "../../engine/training_setup.js";
import { Choices } from "../../parts/choices.js";

const FIELDS: [key: "rate" | "batch" | "width" | "layers" | "heads" | "seed", name: string][] = [
  ["rate", "learning rate"],
  ["batch", "batch"],
  ["width", "width"],
  ["layers", "layers"],
  ["heads", "heads"],
  ["seed", "seed"],
];

/** A number as the reader typed it; NaN if it is none, which is refused. */
function read(text: string): number {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  return plain === "" ? Number.NaN : Number(plain);
}

/** The table learns without numbers to set; the network of Steps 1 and 2 has no parts of a GPT. */
const fieldsOf = (model: TrainingSetup["model"]): typeof FIELDS =>
  FIELDS.filter(([key]) => key === "seed" || model === "gpt" || (model === "network" && !/^(layers|heads)$/.test(key)));

interface Props {
  setup: TrainingSetup;
  change(changed: Partial<TrainingSetup>): void;
  /** The reader's own names, one on each line. */
  names: string;
  setNames(names: string): void;
  /** Why a set-up was refused, and what to call when the reader types on. */
  refusal: string;
  forget(): void;
  train(setup: TrainingSetup): void;
}

export function SetUp({ setup, change, names, setNames, refusal, forget, train }: Props) {
  const id = useId();
  const fields = fieldsOf(setup.model);
  const form = useRef<HTMLFormElement>(null);
  // What was typed stays as it is typed, until other numbers take its place.
  useEffect(() => form.current?.reset(), [JSON.stringify(setup)]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const typed = new FormData(form.current as HTMLFormElement);
    train({ ...setup, ...Object.fromEntries(fields.map(([key]) => [key, read(String(typed.get(key)))])) });
  };
  return (
    <details class="set-up controls">
      <summary>Change the set-up: {describeSetup(setup)}</summary>
      {setup.model !== "counts" && (
        <Choices
          label="Optimizer"
          prefix="Steps by"
          class="choices"
          choices={["SGD", "Adam"] as const}
          value={setup.optimizer}
          onChange={(optimizer) => change({ optimizer })}
        />
      )}
      <form class="numbers controls" ref={form} onSubmit={submit} onInput={forget}>
        {fields.map(([key, name]) => (
          <label>
            {name}
            <input
              type="text"
              inputMode="decimal"
              autocomplete="off"
              name={key}
              defaultValue={String(setup[key])}
              aria-invalid={refusal.startsWith(name)}
              aria-describedby={`${id}-error`}
            />
          </label>
        ))}
        <button type="submit">Train with these</button>
        <p class="error-message" id={`${id}-error`}>
          {refusal}
        </p>
      </form>
      <label class="note own" for={`${id}-names`}>
        Your own names, one on each line; nothing is sent anywhere
      </label>
      <textarea
        id={`${id}-names`}
        rows={4}
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
        placeholder="empty: the guide’s names"
        value={names}
        onInput={(event) => setNames(event.currentTarget.value)}
      />
    </details>
  );
}
