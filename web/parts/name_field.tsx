/** A field for a name, with examples to pick, for widgets that compute the answer in the page. */

import { useRef, useState } from "preact/hooks";
import { nameError } from "./name_validation.js";
import { SingleChoice } from "./single_choice.js";
import { TextField } from "./text_field.js";

interface NameFieldState {
  /** What stands in the field. */
  text: string;
  /** The last valid name that stood in the field. */
  validName: string;
  /** Why the text is not a valid name; empty if it is. */
  error: string;
  setText(name: string): void;
}

/** Return the last text that was valid, starting with `initial`, and the error of the present one. */
export function useLastValidName(
  text: string,
  initial: string,
  validate: (name: string) => string = (name) => nameError(name),
): Pick<NameFieldState, "validName" | "error"> {
  const validName = useRef(initial);
  const error = validate(text);
  if (!error) validName.current = text;
  return { validName: validName.current, error };
}

/** Return the state of a field for a name; by default, `nameError` validates it. */
export function useNameField(initial: string, validate?: (name: string) => string): NameFieldState {
  const [text, setText] = useState(initial);
  return { text, setText, ...useLastValidName(text, initial, validate) };
}

interface NameFieldProps {
  /** Unique on the page. */
  id: string;
  field: NameFieldState;
  examples: string[];
}

/** A text field for a name, and buttons for examples. */
export function NameField({ id, field, examples }: NameFieldProps) {
  const { text, setText, error } = field;
  return (
    <>
      <TextField id={id} label="A name" value={text} onInput={setText} error={error} />
      <SingleChoice
        label="Names to type"
        choices={examples}
        value={text}
        onChange={setText}
        class="examples controls"
      />
    </>
  );
}
