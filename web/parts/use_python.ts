/** How a widget asks Python: the newest question counts, the last answer stays. */

import { useState } from "preact/hooks";
import type { Given } from "../runtime/widget.js";
import { type Call, useCall } from "./use_call.js";

export interface Python<Parameters, Result> extends Call<Parameters> {
  /** The parameters of `result`. */
  parameters: Parameters;
  result: Result;
  /** What the reader has asked last, as it stands in the fields. */
  asked: Parameters;
  /** What was asked has no result yet, or never will. */
  stale: boolean;
}

/**
 * Call `widgets/NAME/model.py` whenever `ask` is called. It begins with what the page was
 * built with, so nothing is loaded before the first question. If the function yields
 * results, the newest is `result` while it computes, and stays if the reader stops it.
 */
export function usePython<Parameters extends object, Result>(
  name: string,
  given: Given<Parameters, Result>,
  /** Why Python need not be asked; empty if it must. */
  refuse: (parameters: Parameters) => string = () => "",
): Python<Parameters, Result> {
  const [answered, setAnswered] = useState(given);
  const [asked, setAsked] = useState(given.parameters);
  const called = useCall<Parameters, Result>(name, "computing", (result, parameters) =>
    setAnswered({ parameters, result }),
  );
  const reason = refuse(asked);
  return {
    ...answered,
    ...called,
    asked,
    refusal: reason ? { reason, at: null, parameters: asked } : called.refusal,
    stale: JSON.stringify(asked) !== JSON.stringify(answered.parameters),
    ask: (parameters, typing) => {
      setAsked(parameters);
      if (!refuse(parameters)) called.ask(parameters, typing);
    },
  };
}
