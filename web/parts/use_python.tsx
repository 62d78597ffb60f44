/** How a widget calls its Python model: the newest request counts, and the last result stays until the next one comes. */

import { useEffect, useRef, useState } from "preact/hooks";
import {
  callWidget,
  describeProgress,
  type PythonProgress,
  PythonUnavailableError,
  StoppedError,
} from "../runtime/python.js";
import type { WidgetProps } from "../runtime/widget.js";

/** Whether a call runs, or why the last one failed; it can be stopped, and tried again. */
interface PythonCallStatus {
  state: PythonProgress | null;
  problem: string;
  stop(): void;
  retry(): void;
}

/** The newest result of a Python model. */
export interface PythonModel<Parameters, Result> {
  /** The parameters of `result`. */
  parameters: Parameters;
  result: Result;
  /** Why the model refused parameters, and the position of the character at fault if it is known. */
  error: { reason: string; position: number | null; parameters: Parameters } | null;
  status: PythonCallStatus;
}

/** How long an error waits before it is shown: the reader may still be typing. */
const ERROR_DELAY_MS = 400;
/** A call that takes longer than this is announced. */
const SLOW_AFTER_MS = 400;

/**
 * Call `widgets/NAME/model.py` whenever `parameters` change. The first result is the one that the page was built with, so
 * nothing is loaded before the first change. Of the changes during a call, only the newest is sent afterwards.
 */
export function usePythonModel<Parameters extends object, Result>(
  name: string,
  initial: WidgetProps<Parameters, Result>,
  parameters: Parameters,
): PythonModel<Parameters, Result> {
  const [answer, setAnswer] = useState(initial);
  const [error, setError] = useState<PythonModel<Parameters, Result>["error"]>(null);
  const [state, setState] = useState<PythonProgress | null>(null);
  const [problem, setProblem] = useState("");
  const latest = useRef(parameters);
  const controller = useRef<AbortController | null>(null);
  const stop = (): void => controller.current?.abort(new StoppedError());
  useEffect(() => stop, []);

  const processRequests = async (): Promise<void> => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setProblem("");
    try {
      for (let parameters: Parameters | null = null; parameters !== latest.current; ) {
        parameters = latest.current;
        const answer = await callWidget<Result>(name, parameters, setState, signal);
        const failure = "error" in answer ? { ...answer.error, parameters } : null;
        if (failure) setTimeout(() => failure.parameters === latest.current && setError(failure), ERROR_DELAY_MS);
        else setError(null);
        if ("result" in answer) setAnswer({ parameters, result: answer.result });
      }
    } catch (reason) {
      if (reason instanceof StoppedError) setProblem("stopped");
      else if (reason instanceof PythonUnavailableError) setProblem(reason.message);
      else throw reason;
    } finally {
      controller.current = null;
      setState(null);
    }
  };
  const key = JSON.stringify(parameters);
  useEffect(() => {
    if (key === JSON.stringify(latest.current)) return;
    latest.current = parameters;
    if (controller.current === null) void processRequests();
  }, [key]);
  const retry = (): void => void processRequests();
  return { ...answer, error, status: { state, problem, stop, retry } };
}

/** A line that says what Python is doing for a widget, with a button to stop it or to try again. */
export function PythonStatus({ state, problem, stop, retry }: PythonCallStatus) {
  const isBusy = state !== null;
  const [isSlow, setIsSlow] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  useEffect(() => {
    if (!isBusy) return setIsSlow(false);
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);
  const loadedShare = state?.kind === "loading" ? state.fraction : null;
  const action = isBusy && isSlow ? "Stop" : !isBusy && problem ? "Try again" : "";
  // The button stays while it has the focus, even with nothing to do.
  return (
    <div class="python-status controls" data-busy={isBusy}>
      <span role="status">
        {isBusy ? isSlow && (state.kind === "running" ? "computing" : describeProgress(state)) : problem}
      </span>
      {isSlow && loadedShare !== null && (
        <progress aria-label="Python loads" value={loadedShare < 1 ? loadedShare : undefined} />
      )}
      <button
        type="button"
        hidden={action === "" && !isFocused}
        aria-disabled={action === ""}
        onFocus={() => setIsFocused(true)}
        onBlur={() => setIsFocused(false)}
        onClick={() => action && (isBusy ? stop() : retry())}
      >
        {action || "Stop"}
      </button>
    </div>
  );
}
