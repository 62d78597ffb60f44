/** An expression that the reader types, and what Python says about it. */

import { useState } from "preact/hooks";
import type { Given } from "../live/widget.js";
import { usePause } from "./use_pause.js";
import { type Python, usePython } from "./use_python.js";

export interface Asked {
  expression: string;
}

export interface Expression<Result> {
  /** The text as it stands in the field; `python.parameters` is what was drawn last. */
  text: string;
  python: Python<Asked, Result>;
  /** Change the text; `wait` is true while the reader may go on typing. */
  change(text: string, wait: boolean): void;
}

export function useExpression<Result>(
  name: string,
  given: Given<Asked, Result>,
): Expression<Result> {
  const python = usePython<Asked, Result>(name, given);
  const [text, setText] = useState(given.parameters.expression);
  const afterPause = usePause();
  return {
    text,
    python,
    change: (expression, wait) => {
      setText(expression);
      afterPause(() => python.ask({ expression }), wait);
    },
  };
}
