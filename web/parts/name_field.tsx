/** A name that the reader types or picks, and what Python says about it. */

import { useState } from "preact/hooks";
import type { Given } from "../live/widget.js";
import { PythonStatus } from "./python_status.js";
import { TextField } from "./text_field.js";
import { usePause } from "./use_pause.js";
import { type Python, usePython } from "./use_python.js";

interface Named {
  name: string;
}

export interface TypedName<Result> {
  /** The text as it stands in the field; `name` is the one whose result is shown. */
  text: string;
  name: string;
  python: Python<Named, Result>;
  /** The text is not the name that is shown. */
  stale: boolean;
  /** Change the text; `wait` is true while the reader may go on typing. */
  change(text: string, wait: boolean): void;
}

export function useName<Result>(widget: string, given: Given<Named, Result>): TypedName<Result> {
  const python = usePython<Named, Result>(widget, given);
  const [text, setText] = useState(given.parameters.name);
  const afterPause = usePause();
  const name = python.parameters.name.trim();
  return {
    text,
    name,
    python,
    stale: text.trim() !== name,
    change: (typed, wait) => {
      setText(typed);
      afterPause(() => python.ask({ name: typed }), wait);
    },
  };
}

interface Props {
  /** Unique on the page. */
  id: string;
  typed: TypedName<unknown>;
  examples: string[];
}

export function NameField({ id, typed, examples }: Props) {
  const { text, python, change } = typed;
  return (
    <>
      <TextField
        id={id}
        label="A name"
        value={text}
        onInput={(name) => change(name, true)}
        onEnter={(name) => change(name, false)}
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <div class="examples controls" role="group" aria-label="Names to type">
        {examples.map((name) => (
          <button type="button" aria-pressed={name === text} onClick={() => change(name, false)}>
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
