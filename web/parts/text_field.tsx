/** A word to type in, and why it is refused if it is. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { read } from "./refusal.js";

interface Props {
  /** Unique on the page. */
  id: string;
  label: string;
  /** As it is read. */
  value: string;
  onInput(text: string): void;
  /** The reader has pressed Enter. */
  onEnter(text: string): void;
  refusal: { reason: string } | null;
  /** Beside the field, such as what Python does. */
  children?: ComponentChildren;
}

export function TextField({ id, label, value, onInput, onEnter, refusal, children }: Props) {
  const [typed, type] = useState(value);
  const submit = (event: Event): void => {
    event.preventDefault();
    onEnter(value);
  };
  return (
    <form class="word controls" onSubmit={submit}>
      <label for={`${id}-text`}>{label}</label>
      <div class="wrap row">
        <input
          id={`${id}-text`}
          class={refusal ? "refused" : ""}
          type="text"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          value={read(typed) === value ? typed : value}
          aria-describedby={`${id}-refusal`}
          aria-invalid={refusal !== null}
          onInput={(event) => {
            type(event.currentTarget.value);
            onInput(read(event.currentTarget.value));
          }}
        />
        {children}
      </div>
      <p class="refusal" id={`${id}-refusal`} role="status">
        {refusal?.reason}
      </p>
    </form>
  );
}
