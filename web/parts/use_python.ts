/** How a widget asks Python: the newest question counts, the last answer stays. */

import { useEffect, useRef, useState } from "preact/hooks";
import { call, Failure, inWords, type State, Stopped } from "../runtime/python.js";
import type { Given } from "../runtime/widget.js";

export interface Python<Parameters, Result> {
  /** The parameters of `result`. */
  parameters: Parameters;
  result: Result;
  /** What the reader has asked last, as it stands in the fields. */
  asked: Parameters;
  /** What is going on, for the reader; empty when nothing is. */
  status: string;
  busy: boolean;
  /** How far the loading of Python has come, from 0 to 1; null when it does not load. */
  loaded: number | null;
  /** Why parameters were refused, and at which character if that is known. */
  refusal: { reason: string; at: number | null; parameters: Parameters } | null;
  /** Call the widget's function. While the reader is `typing` and may not have finished, a refusal waits. */
  ask(parameters: Parameters, typing?: boolean): void;
  /** Give up what is being computed. */
  stop(): void;
  /** Ask the last question again; null unless it was stopped or has failed. */
  retry: (() => void) | null;
}

interface Question<Parameters> {
  parameters: Parameters;
  typing: boolean;
}

/** What Python has computed for longer than this gives way to a newer question, in milliseconds. */
const LONG = 300;
/** As long as this without a key is a pause: who types is not interrupted. In milliseconds. */
const PAUSE = 400;

/**
 * Call `widgets/NAME/model.py` whenever `ask` is called. It begins with what the page was
 * built with, so nothing is loaded before the first question. Questions asked while one is
 * computed replace each other.
 */
export function usePython<Parameters extends object, Result>(
  name: string,
  given: Given<Parameters, Result>,
): Python<Parameters, Result> {
  const [answered, setAnswered] = useState(given);
  const [asked, setAsked] = useState(given.parameters);
  const [status, setStatus] = useState("");
  const [busy, setBusy] = useState(false);
  const [loaded, setLoaded] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<Python<Parameters, Result>["refusal"]>(null);
  const [failed, setFailed] = useState<Parameters | null>(null);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const current = useRef<AbortController | null>(null);
  const next = useRef<Question<Parameters> | null>(null);
  /** When Python began to compute. */
  const begun = useRef(Infinity);

  const watch = (state: State): void => {
    const computing = state.kind === "running";
    setStatus(computing ? "computing" : inWords(state));
    begun.current = computing ? performance.now() : Infinity;
    setLoaded(state.kind === "loading" ? state.share : null);
  };
  const one = async ({ parameters, typing }: Question<Parameters>): Promise<void> => {
    const controller = new AbortController();
    current.current = controller;
    setFailed(null);
    try {
      const answer = await call<Result>(name, parameters, watch, controller.signal);
      if ("refused" in answer) {
        const refuseIt = (): void => setRefusal({ ...answer.refused, parameters });
        // What a newer question has replaced is not refused any more.
        if (next.current === null && typing) pause.current = setTimeout(refuseIt, PAUSE);
        else if (next.current === null) refuseIt();
      } else {
        setRefusal(null);
        setAnswered({ parameters, result: answer.result });
      }
      setStatus("");
    } catch (error) {
      if (error instanceof Stopped && next.current !== null) return; // for a newer question
      setFailed(next.current?.parameters ?? parameters);
      setRefusal(null);
      next.current = null;
      if (error instanceof Stopped) setStatus("stopped");
      else if (error instanceof Failure) setStatus(error.message);
      else throw error;
    }
  };
  const work = async (): Promise<void> => {
    setBusy(true);
    try {
      while (next.current !== null) {
        const question: Question<Parameters> = next.current;
        next.current = null;
        await one(question);
      }
    } finally {
      current.current = null;
      setBusy(false);
      setLoaded(null);
    }
  };
  useEffect(() => () => current.current?.abort(new Stopped()), []);

  const put = (parameters: Parameters, typing = false): void => {
    clearTimeout(pause.current); // forget why an older question is refused
    next.current = { parameters, typing };
    if (current.current === null) void work();
    else if (performance.now() - begun.current > LONG) current.current.abort(new Stopped());
  };
  const ask = (parameters: Parameters, typing = false): void => {
    setAsked(parameters);
    put(parameters, typing);
  };
  const stop = (): void => {
    next.current = null;
    current.current?.abort(new Stopped());
  };
  return {
    ...answered,
    ...{ asked, status, busy, loaded, refusal, ask, stop },
    retry: failed && (() => put(failed)),
  };
}
