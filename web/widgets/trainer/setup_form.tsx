/** A form, closed at first, with every setting of a run. */

import { useEffect, useId, useRef } from "preact/hooks";
import { describeSetup, type ModelKind, type TrainingSetup } from "../../engine/training_setup.js";
import { SingleChoice } from "../../parts/single_choice.js";

const NUMBER_FIELD_LABELS = {
  learningRate: "learning rate",
  batchSize: "batch",
  width: "width",
  layers: "layers",
  heads: "heads",
  seed: "seed",
} as const;
type NumberField = keyof typeof NUMBER_FIELD_LABELS;

/** Return the number that the reader typed, or NaN, which `setupError` refuses. */
function parseNumber(text: string): number {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  return plain === "" ? Number.NaN : Number(plain);
}

/** Return the fields of a model: the table has a seed alone, and the network no layers or heads. */
const fieldsForModel = (modelKind: ModelKind): NumberField[] =>
  (Object.keys(NUMBER_FIELD_LABELS) as NumberField[]).filter(
    (field) => field === "seed" || modelKind === "gpt" || (modelKind === "network" && !/^(layers|heads)$/.test(field)),
  );

interface SetupFormProps {
  setup: TrainingSetup;
  /** Whether the reader may choose the optimizer. */
  choosesOptimizer: boolean;
  onChange(changed: Partial<TrainingSetup>): void;
  /** The reader's own names, one on each line. */
  ownNames: string;
  onNamesChange(names: string): void;
  /** Why a set-up was refused; empty if none was. */
  error: string;
  /** The reader types in a field. */
  onEdit(): void;
  onTrain(setup: TrainingSetup): void;
}

/** Renders the form; its numbers count once the reader submits them. */
export function SetupForm(props: SetupFormProps) {
  const { setup, choosesOptimizer, onChange, ownNames, onNamesChange, error, onEdit, onTrain } = props;
  const id = useId();
  const fields = fieldsForModel(setup.model);
  const form = useRef<HTMLFormElement>(null);
  // What was typed stays as it was typed until the set-up changes.
  useEffect(() => form.current?.reset(), [JSON.stringify(setup)]);
  const handleSubmit = (event: Event): void => {
    event.preventDefault();
    const typed = new FormData(form.current as HTMLFormElement);
    onTrain({ ...setup, ...Object.fromEntries(fields.map((field) => [field, parseNumber(String(typed.get(field)))])) });
  };
  return (
    <details class="setup-form controls">
      <summary>Change the set-up: {describeSetup(setup)}</summary>
      {choosesOptimizer && (
        <SingleChoice
          label="Optimizer"
          prefix="Steps by"
          class="choices"
          choices={["SGD", "Adam"] as const}
          value={setup.optimizer}
          onChange={(optimizer) => onChange({ optimizer })}
        />
      )}
      <form class="numbers controls" ref={form} onSubmit={handleSubmit} onInput={onEdit}>
        {fields.map((field) => (
          <label>
            {NUMBER_FIELD_LABELS[field]}
            <input
              type="text"
              inputMode="decimal"
              autocomplete="off"
              name={field}
              defaultValue={String(setup[field])}
              aria-invalid={error.startsWith(NUMBER_FIELD_LABELS[field])}
              aria-describedby={`${id}-error`}
            />
          </label>
        ))}
        <button type="submit">Train with these</button>
        <p class="error-message" id={`${id}-error`}>
          {error}
        </p>
      </form>
      <label class="note own-names" for={`${id}-names`}>
        Your own names or sentences, one on each line, in place of the list; nothing is sent anywhere
      </label>
      <textarea
        id={`${id}-names`}
        rows={4}
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
        placeholder="empty: the chosen list"
        value={ownNames}
        onInput={(event) => onNamesChange(event.currentTarget.value)}
      />
    </details>
  );
}
