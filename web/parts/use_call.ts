/** How a widget asks Python for something that comes part by part, or that it will keep. */

import { useEffect, useRef, useState } from "preact/hooks";
import { call, Failure, type State, Stopped } from "../runtime/python.js";

export interface Call<Parameters> {
  /** What is going on, for the reader; empty when nothing is. */
  status: string;
  busy: boolean;
  /** How far the loading of Python has come, from 0 to 1; null when it does not load. */
  loaded: number | null;
  refusal: { reason: string } | null;
  /** Call the widget's function; a newer question ends what is being computed. */
  ask(parameters: Parameters): void;
  /** Give up what is being computed. */
  stop(): void;
  /** Ask the last question again; null unless it has failed. */
  retry: (() => void) | null;
}

/**
 * Call the generator of `widgets/NAME/model.py` whenever `ask` is called; `hear` is told each
 * result that it yields, none of them twice. Unlike `usePython`, it keeps nothing.
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
  const [refusal, setRefusal] = useState<{ reason: string } | null>(null);
  const [failed, setFailed] = useState<Parameters | null>(null);
  const current = useRef<AbortController | null>(null);
  const next = useRef<Parameters | null>(null);
  const listener = useRef(hear);
  listener.current = hear;

  const watch = (state: State): void => {
    const saying = { waiting: "waiting for another part of the page", loading: "loading Python", running: doing };
    setStatus(saying[state.kind]);
    const loading = state.kind === "loading" ? state.loading : null;
    setLoaded(loading && loading.loaded / loading.total);
  };
  const one = async (parameters: Parameters): Promise<void> => {
    const controller = new AbortController();
    current.current = controller;
    setFailed(null);
    setRefusal(null);
    try {
      const tell = (result: Result): void => listener.current(result, parameters);
      const answer = await call<Result>(name, parameters, watch, controller.signal, tell);
      if ("refused" in answer) setRefusal(answer.refused);
      setStatus("");
    } catch (error) {
      if (error instanceof Stopped) setStatus("stopped");
      else if (error instanceof Failure) {
        setFailed(parameters);
        setStatus(error.message);
      } else throw error;
    }
  };
  const work = async (): Promise<void> => {
    setBusy(true);
    try {
      while (next.current !== null) {
        const parameters: Parameters = next.current;
        next.current = null;
        await one(parameters);
      }
    } finally {
      current.current = null;
      setBusy(false);
      setLoaded(null);
    }
  };

  useEffect(() => () => current.current?.abort(), []);
  const ask = (parameters: Parameters): void => {
    next.current = parameters;
    if (current.current === null) void work();
    else current.current.abort();
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
