/** What a reader may run: examples to pick, and the numbers of the run to type. */

import { NumberForm } from "./number_form.js";
import { PythonStatus } from "./python_status.js";
import type { Python } from "./use_python.js";

interface Props<Parameters> {
  /** Unique on the page. */
  id: string;
  python: Python<Parameters, unknown>;
  /** What the examples are, for who cannot see them. */
  label: string;
  examples: [name: string, parameters: Parameters][];
  /** The numbers to type: the name of each, as the reader knows it, in order. */
  fields: [key: keyof Parameters & string, name: string][];
  /** What the button says. */
  run: string;
}

export function RunForm<Parameters extends object>(props: Props<Parameters>) {
  const { id, python, label, examples, fields, run } = props;
  const { asked, ask, refusal } = python;
  return (
    <>
      <div class="examples controls" role="group" aria-label={label}>
        {examples.map(([name, parameters]) => (
          <button
            type="button"
            aria-pressed={JSON.stringify(parameters) === JSON.stringify(asked)}
            onClick={() => ask(parameters)}
          >
            {name}
          </button>
        ))}
      </div>
      <NumberForm
        id={id}
        fields={fields}
        values={Object.fromEntries(fields.map(([key]) => [key, asked[key] as number]))}
        onRun={(numbers) => ask({ ...asked, ...numbers })}
        run={run}
        refusal={refusal}
      >
        <PythonStatus python={python} />
      </NumberForm>
    </>
  );
}
