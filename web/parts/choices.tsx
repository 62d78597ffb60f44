/** Buttons side by side; the one that is pressed is chosen. */

import type { ComponentChildren } from "preact";

interface Props<Choice> {
  /** What is chosen, for who cannot see it. */
  label: string;
  choices: readonly Choice[];
  /** What a button says; the choice itself unless told. */
  name?: (choice: Choice, index: number) => ComponentChildren;
  chosen(choice: Choice, index: number): boolean;
  onChoose(choice: Choice, index: number): void;
  /** A word before the buttons. */
  word?: string;
  class?: string;
}

export function Choices<Choice>(props: Props<Choice>) {
  const { label, choices, name = String, chosen, onChoose, word } = props;
  return (
    <div class={props.class ?? "choices controls"} role="group" aria-label={label}>
      {word && <span>{word}</span>}
      {choices.map((choice, index) => (
        <button type="button" aria-pressed={chosen(choice, index)} onClick={() => onChoose(choice, index)}>
          {name(choice, index)}
        </button>
      ))}
    </div>
  );
}
