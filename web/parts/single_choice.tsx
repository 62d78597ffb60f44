/** Buttons side by side of which one is pressed, as with radio buttons. */

import type { ComponentChildren } from "preact";

type ChoiceValue = string | number | boolean;

interface SingleChoiceProps<Value extends ChoiceValue> {
  /** What is chosen, for screen readers. */
  label: string;
  /** The values, each with the text of its button unless that is the value. */
  choices: readonly (Value | readonly [value: Value, text: ComponentChildren])[];
  value: Value | null;
  onChange(value: NoInfer<Value>): void;
  /** A word before the buttons. */
  prefix?: string;
  class?: string;
}

/** A group of buttons for values of which one is chosen. */
export function SingleChoice<Value extends ChoiceValue>(props: SingleChoiceProps<Value>) {
  return (
    <div class={props.class ?? "choices controls"} role="group" aria-label={props.label}>
      {props.prefix && <span>{props.prefix}</span>}
      {props.choices.map((choice) => {
        const pair = Array.isArray(choice) ? choice : [choice, `${choice}`];
        const [value, text] = pair as [Value, ComponentChildren];
        return (
          <button type="button" aria-pressed={value === props.value} onClick={() => props.onChange(value)}>
            {text}
          </button>
        );
      })}
    </div>
  );
}
