/** Buttons side by side; the one that is chosen is pressed. */

import type { ComponentChildren } from "preact";

type Plain = string | number | boolean;

interface Props<Value extends Plain> {
  /** What is chosen, for who cannot see it. */
  label: string;
  /** What can be chosen, each with what its button says if that is something else. */
  choices: readonly (Value | readonly [value: Value, name: ComponentChildren])[];
  value: Value | null;
  onChoose(value: NoInfer<Value>): void;
  /** A word before the buttons. */
  word?: string;
  class?: string;
}

export function Choices<Value extends Plain>(props: Props<Value>) {
  return (
    <div class={props.class ?? "choices controls"} role="group" aria-label={props.label}>
      {props.word && <span>{props.word}</span>}
      {props.choices.map((choice) => {
        const [value, name] = Array.isArray(choice)
          ? (choice as [Value, ComponentChildren])
          : [choice as Value, `${choice}`];
        return (
          <button type="button" aria-pressed={value === props.value} onClick={() => props.onChoose(value)}>
            {name}
          </button>
        );
      })}
    </div>
  );
}
