/** How a widget asks Python: the newest question counts, the last answer stays. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../runtime/messages.js";
import { call, Failure, type State, Stopped } from "../runtime/python.js";
import type { Given } from "../runtime/widget.js";
import { usePause } from "./use_pause.js";

/** Why parameters were refused, and at which character if that is known. */
export interface Refusal<Parameters = object> {
  reason: string;
  at: number | null;
  parameters: Parameters;
}

export interface Python<Parameters, Result> {
  /** The parameters of `result`. */
  parameters: Parameters;
  result: Result;
  /** What the reader has asked last, as it stands in the fields. */
  asked: Parameters;
  /** What was asked has no result yet, or never will. */
  stale: boolean;
  refusal: Refusal<Parameters> | null;
  /** What is going on, for the reader; empty when nothing is. */
  status: string;
  busy: boolean;
  /** How far the loading of Python has come, from 0 to 1; null when it does not load. */
  loaded: number | null;
  /** Call the widget's function with other parameters; `typing` if the reader may not have finished: then a refusal waits. */
  ask(parameters: Parameters, typing?: boolean): void;
  /** Give up what is being computed. */
  stop(): void;
  /** Ask the last question again; null unless it was stopped or has failed. */
  retry: (() => void) | null;
}

const SAYING: Record<State["kind"], string> = {
  waiting: "waiting for another part of the page",
  loading: "loading Python",
  running: "computing",
};

/**
 * Call `widgets/NAME/model.py` whenever `ask` is called. It begins with what the page was
 * built with, so nothing is loaded before the first question. Questions asked while
 * one is computed replace each other. If the function yields results, the newest is
 * `result` while it computes, and stays if the reader stops it.
 */
export function usePython<Parameters extends object, Result>(
  name: string,
  given: Given<Parameters, Result>,
): Python<Parameters, Result> {
  const [answered, setAnswered] = useState(given);
  const [asked, setAsked] = useState(given.parameters);
  const afterPause = usePause();
  const [refusal, setRefusal] = useState<Refusal<Parameters> | null>(null);
  const [status, setStatus] = useState("");
  const [busy, setBusy] = useState(false);
  const [loaded, setLoaded] = useState<number | null>(null);
  const [unanswered, setUnanswered] = useState<Parameters | null>(null);
  const current = useRef<AbortController | null>(null);
  const next = useRef<{ parameters: Parameters; typing: boolean } | null>(null);

  const watch = (state: State): void => {
    setStatus(SAYING[state.kind]);
    const loading = state.kind === "loading" ? state.loading : null;
    setLoaded(loading && loading.loaded / loading.total);
  };
  const work = async (): Promise<void> => {
    let posed: Parameters | null = null;
    const controller = new AbortController();
    current.current = controller;
    setBusy(true);
    try {
      while (next.current !== null) {
        const { parameters, typing }: NonNullable<typeof next.current> = next.current;
        [posed, next.current] = [parameters, null];
        setUnanswered(null);
        const show = (result: Result): void => {
          setRefusal(null);
          setAnswered({ parameters, result });
        };
        const answer: Answer<Result> = await call<Result>(name, parameters, watch, controller.signal, show);
        if ("result" in answer) show(answer.result);
        // A newer question has nothing to do with this refusal.
        else if (next.current === null) afterPause(() => setRefusal({ ...answer.refused, parameters }), typing);
      }
      setStatus("");
    } catch (error) {
      setUnanswered(next.current?.parameters ?? posed);
      setRefusal(null);
      next.current = null;
      if (error instanceof Stopped) setStatus("stopped");
      else if (error instanceof Failure) setStatus(error.message);
      else throw error;
    } finally {
      current.current = null;
      setBusy(false);
      setLoaded(null);
    }
  };

  useEffect(() => () => current.current?.abort(), []);
  const ask = (parameters: Parameters, typing = false): void => {
    setAsked(parameters);
    afterPause(() => {}, false); // forget the refusal of what is no longer asked
    next.current = { parameters, typing };
    if (current.current === null) void work();
  };
  return {
    ...answered,
    asked,
    stale: JSON.stringify(asked) !== JSON.stringify(answered.parameters),
    refusal,
    status,
    busy,
    loaded,
    ask,
    stop: () => current.current?.abort(),
    retry: unanswered && (() => ask(unanswered)),
  };
}
