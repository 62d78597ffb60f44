/** Numbers to type in and a button to run with them; runs of others to pick. */

import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

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
  /** Beside the button: what Python does. */
  children: ComponentChildren;
}

/** A number as the reader typed it; NaN if it is none, which Python refuses. */
function read(text: string): number {
  const plain = text.trim().replace(",", ".").replace("−", "-");
  return plain === "" ? Number.NaN : Number(plain);
}

export function NumberForm(props: Props) {
  const { id, fields, values, onRun, run, children } = props;
  // A refusal is of what was sent: it goes as the reader types on.
  const [isSent, setSent] = useState(false);
  const refusal = isSent ? props.refusal : null;
  const [typed, setTyped] = useState<Record<string, string>>({});
  // What was typed stays as it is typed, until another number takes its place.
  useEffect(
    () => setTyped((all) => Object.fromEntries(Object.entries(all).filter(([key]) => !Number.isFinite(values[key])))),
    [JSON.stringify(values)],
  );
  const submit = (event: Event): void => {
    event.preventDefault();
    setSent(true);
    const entries = fields.map(([key]) => {
      const text = typed[key];
      return [key, text === undefined ? values[key] : read(text)];
    });
    onRun(Object.fromEntries(entries) as Numbers);
  };
  // What is no number at all, or what the refusal names
  const refused = (key: string, name: string): boolean =>
    refusal !== null && (refusal.reason.includes(name) || !Number.isFinite(read(typed[key] ?? "0")));
  return (
    <form class="numbers controls" onSubmit={submit}>
      {fields.map(([key, name]) => (
        <label>
          {name}
          <input
            type="text"
            inputMode="decimal"
            autocomplete="off"
            name={key}
            value={typed[key] ?? String(values[key])}
            aria-describedby={`${id}-refusal`}
            aria-invalid={refused(key, name)}
            onInput={(event) => {
              setSent(false);
              setTyped({ ...typed, [key]: event.currentTarget.value });
            }}
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
