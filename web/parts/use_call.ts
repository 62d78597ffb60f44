/** How a widget asks Python for something that comes part by part, or that it will keep. */

import { useEffect, useRef, useState } from "preact/hooks";
import { call, Failure, type State, Stopped } from "../runtime/python.js";
import { usePause } from "./use_pause.js";

/** Why parameters were refused, and at which character if that is known. */
export interface Refusal<Parameters = object> {
  reason: string;
  at: number | null;
  parameters: Parameters;
}

export interface Call<Parameters> {
  /** What is going on, for the reader; empty when nothing is. */
  status: string;
  busy: boolean;
  /** How far the loading of Python has come, from 0 to 1; null when it does not load. */
  loaded: number | null;
  refusal: Refusal<Parameters> | null;
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

/**
 * Call `widgets/NAME/model.py` whenever `ask` is called; `hear` is told each result, as a
 * generator yields them. Questions asked while one is computed replace each other.
 */
export function useCall<Parameters extends object, Result>(
  name: string,
  /** What Python is said to do meanwhile. */
  doing: string,
  hear: (result: Result, parameters: Parameters) => void,
): Call<Parameters> {
  const [status, setStatus] = useState("");
  const [busy, setBusy] = useState(false);
  const [loaded, setLoaded] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<Refusal<Parameters> | null>(null);
  const [failed, setFailed] = useState<Parameters | null>(null);
  const afterPause = usePause();
  const current = useRef<AbortController | null>(null);
  const next = useRef<Question<Parameters> | null>(null);
  /** When Python began to compute. */
  const begun = useRef(Infinity);
  const listener = useRef(hear);
  listener.current = hear;

  const watch = (state: State): void => {
    const loading = state.kind === "loading" ? state.loading : null;
    const share = loading && loading.loaded / loading.total;
    const python = share === 1 ? "starting Python" : "loading Python";
    const saying = { waiting: "waiting for another part of the page", loading: python, running: doing };
    setStatus(saying[state.kind]);
    begun.current = state.kind === "running" ? performance.now() : Infinity;
    setLoaded(share);
  };
  const one = async ({ parameters, typing }: Question<Parameters>): Promise<void> => {
    const controller = new AbortController();
    current.current = controller;
    setFailed(null);
    let heard = false;
    const tell = (result: Result): void => {
      heard = true;
      setRefusal(null);
      listener.current(result, parameters);
    };
    try {
      const answer = await call<Result>(name, parameters, watch, controller.signal, tell);
      if ("refused" in answer) {
        // What a newer question has replaced is not refused any more.
        if (next.current === null) afterPause(() => setRefusal({ ...answer.refused, parameters }), typing);
      } else if (!heard) tell(answer.result);
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

  useEffect(() => () => current.current?.abort(), []);
  const ask = (parameters: Parameters, typing = false): void => {
    afterPause(() => {}, false); // forget why an older question is refused
    next.current = { parameters, typing };
    if (current.current === null) void work();
    else if (performance.now() - begun.current > LONG) current.current.abort();
  };
  return {
    status,
    busy,
    loaded,
    refusal,
    ask,
    stop: () => {
      next.current = null;
      current.current?.abort();
    },
    retry: failed && (() => ask(failed)),
  };
}
