/** A name that the reader types or picks, and what Python says about it. */

import { PythonStatus } from "./python_status.js";
import { TextField } from "./text_field.js";
import type { Python } from "./use_python.js";

interface Props {
  /** Unique on the page. */
  id: string;
  python: Python<{ name: string }, unknown>;
  examples: string[];
}

export function NameField({ id, python, examples }: Props) {
  const { asked, ask, refusal } = python;
  return (
    <>
      <TextField
        id={id}
        label="A name"
        value={asked.name}
        onInput={(name) => ask({ name }, true)}
        onEnter={(name) => ask({ name })}
        refusal={refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <div class="examples controls" role="group" aria-label="Names to type">
        {examples.map((name) => (
          <button type="button" aria-pressed={name === asked.name} onClick={() => ask({ name })}>
            {name}
          </button>
        ))}
      </div>
    </>
  );
}
