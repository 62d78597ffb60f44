/** Numbers to type in, and a button to run with them. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

type Numbers = Record<string, number>;

interface Props {
  /** Unique on the page. */
  id: string;
  /** The name of each number, as the reader knows it, in order. */
  fields: [key: string, name: string][];
  values: Numbers;
  onRun(values: Numbers): void;
  /** What the button says. */
  run: string;
  refusal: { reason: string } | null;
  /** Beside the button. */
  children: ComponentChildren;
}

/** A number as the reader typed it; NaN if it is none, which is refused. */
function read(text: string): number {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  return plain === "" ? Number.NaN : Number(plain);
}

export function NumberForm({ id, fields, values, onRun, run, children, ...props }: Props) {
  const form = useRef<HTMLFormElement>(null);
  // A refusal is of what was sent: it goes as the reader types on.
  const [isSent, setSent] = useState(false);
  const refusal = isSent ? props.refusal : null;
  // What was typed stays as it is typed, until other numbers take its place.
  useEffect(() => form.current?.reset(), [JSON.stringify(values)]);
  const submit = (event: Event): void => {
    event.preventDefault();
    setSent(true);
    const typed = new FormData(form.current as HTMLFormElement);
    onRun(Object.fromEntries(fields.map(([key]) => [key, read(String(typed.get(key)))])));
  };
  return (
    <form class="numbers controls" ref={form} onSubmit={submit}>
      {fields.map(([key, name]) => (
        <label>
          {name}
          <input
            type="text"
            inputMode="decimal"
            autocomplete="off"
            name={key}
            defaultValue={String(values[key])}
            aria-describedby={`${id}-refusal`}
            aria-invalid={refusal?.reason.startsWith(name) ?? false}
            onInput={() => setSent(false)}
          />
        </label>
      ))}
      <button type="submit">{run}</button>
      {children}
      <p class="refusal" id={`${id}-refusal`} role="status">
        {refusal?.reason}
      </p>
    </form>
  );
}
