/** A word to type in, and why it is refused if it is. */

import type { ComponentChildren } from "preact";
import { useOwnName } from "./use_own_name.js";

interface Props {
  /** Unique on the page. */
  id: string;
  label: string;
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
  const [own, typed] = useOwnName(value, names && !refusal);
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
          value={value}
          aria-describedby={`${id}-refusal`}
          aria-invalid={refusal !== null}
          onInput={(event) => {
            typed();
            onInput(event.currentTarget.value);
          }}
        />
        {names && own && own !== value && (
          <button type="button" class="own-name" title="The name that you typed last" onClick={() => onInput(own)}>
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
