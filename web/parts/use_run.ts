/** A run of some steps: the reader starts another, and watches it as it grows. */

import { useEffect } from "preact/hooks";
import type { Given } from "../runtime/widget.js";
import { type Cursor, useCursor } from "./curves.js";
import { type Python, usePython } from "./use_python.js";

export interface Run<Parameters, Result> extends Python<Parameters, Result> {
  cursor: Cursor;
  /** A run that the reader has started is at its end. */
  ended: boolean;
}

/** `first` is the step shown at first; `taken` tells how many steps a result has. */
export function useRun<Parameters extends { steps: number }, Result>(
  name: string,
  given: Given<Parameters, Result>,
  first: number,
  taken: (result: Result) => number,
): Run<Parameters, Result> {
  const python = usePython<Parameters, Result>(name, given);
  const { parameters, stale, busy } = python;
  const cursor = useCursor(first, taken(python.result));
  const another = parameters !== given.parameters;
  useEffect(() => {
    if (another) cursor.choose(parameters.steps);
  }, [parameters]);
  return { ...python, cursor, ended: another && !stale && !busy };
}
