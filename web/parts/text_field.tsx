/** A word to type in, and why it is refused if it is. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { read } from "./refusal.js";
import { useOwnName } from "./use_own_name.js";

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
  /** Whether it takes names: then the one that the reader typed last is offered. */
  names?: boolean;
  /** Beside the field, such as what Python does. */
  children?: ComponentChildren;
}

export function TextField({ id, label, value, onInput, onEnter, refusal, names = true, children }: Props) {
  const [own, touched] = useOwnName(value, names && !refusal);
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
            touched();
            type(event.currentTarget.value);
            onInput(read(event.currentTarget.value));
          }}
        />
        {names && own && own !== value && (
          <button
            type="button"
            class="own-name"
            title="The name that you typed last"
            onClick={(event) => {
              onInput(own);
              // The button goes away, and the keyboard must not be lost with it.
              if (event.detail === 0) event.currentTarget.form?.querySelector("input")?.focus();
            }}
          >
            {own}
          </button>
        )}
        {children}
      </div>
      <p class="refusal" id={`${id}-refusal`} role="status">
        {refusal?.reason}
      </p>
    </form>
  );
}
