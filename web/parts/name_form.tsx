/** A name to type, and a button to use it. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

interface Props {
  /** Unique on the page. */
  id: string;
  /** The name that is shown now. */
  name: string;
  onName(name: string): void;
  /** What the button says. */
  run: string;
  refusal: { reason: string } | null;
  /** Beside the button: what Python does. */
  children: ComponentChildren;
}

export function NameForm({ id, name, onName, run, refusal, children }: Props) {
  const [typed, type] = useState(name);
  // What was typed stays as it is typed, until another name takes its place.
  useEffect(() => type(name), [name]);
  const submit = (event: Event): void => {
    event.preventDefault();
    onName(typed);
  };
  return (
    <form class="numbers name controls" onSubmit={submit}>
      <label>
        name
        <input
          type="text"
          name="name"
          value={typed}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          aria-invalid={refusal !== null}
          aria-describedby={`${id}-refusal`}
          onInput={(event) => type(event.currentTarget.value)}
        />
      </label>
      <button type="submit">{run}</button>
      {children}
      <p class="refusal" id={`${id}-refusal`} role="status">
        {refusal?.reason}
      </p>
    </form>
  );
}
