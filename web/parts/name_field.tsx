/** A name that the reader types or picks, and what Python says about it. */

import { Choices } from "./choices.js";
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
      <Choices
        label="Names to type"
        choices={examples}
        value={asked.name}
        onChoose={(name) => ask({ name })}
        class="examples controls"
      />
    </>
  );
}
