/** A text field with its label, and the error of what is typed below it. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { normalizeName } from "./name_validation.js";

interface TextFieldProps {
  /** Unique on the page. */
  id: string;
  label: string;
  /** The normalized text. */
  value: string;
  onInput(text: string): void;
  /** The reader has pressed Enter; `onInput` is called by default. */
  onSubmit?(text: string): void;
  /** Why the text is refused; empty if it is not. */
  error: string;
  /** What stands beside the field, such as a button. */
  children?: ComponentChildren;
}

/** A form with one text field, which normalizes what is typed and shows its error. */
export function TextField({ id, label, value, onInput, onSubmit = onInput, error, children }: TextFieldProps) {
  const [rawText, setRawText] = useState(value);
  const handleSubmit = (event: Event): void => {
    event.preventDefault();
    onSubmit(value);
  };
  return (
    <form class="text-field controls" onSubmit={handleSubmit}>
      <label for={`${id}-text`}>{label}</label>
      <div class="wrapping-row">
        <input
          id={`${id}-text`}
          class={error ? "invalid" : ""}
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={normalizeName(rawText) === value ? rawText : value}
          aria-describedby={`${id}-error`}
          aria-invalid={error !== ""}
          onInput={(event) => {
            setRawText(event.currentTarget.value);
            onInput(normalizeName(event.currentTarget.value));
          }}
        />
        {children}
      </div>
      <p class="error-message" id={`${id}-error`} role="status">
        {error}
      </p>
    </form>
  );
}
