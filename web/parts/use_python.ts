/** How a widget asks Python: the newest question counts, the last answer stays. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../live/messages.js";
import { type State, Failure, Stopped, call } from "../live/python.js";
import type { Given } from "../live/widget.js";

/** Why the last parameters were refused, and at which character if that is known. */
export interface Refusal {
  reason: string;
  at: number | null;
}

export interface Python<Parameters, Result> {
  /** The parameters of `result`. */
  parameters: Parameters;
  result: Result;
  refusal: Refusal | null;
  /** What is going on, for the reader; empty when nothing is. */
  status: string;
  busy: boolean;
  /** Call the widget's function with other parameters. */
  ask(parameters: Parameters): void;
  /** Give up what is being computed. */
  stop(): void;
}

const SAYING: Record<State["kind"], string> = {
  waiting: "waiting for another part of the page",
  loading: "loading Python",
  running: "computing",
};

/**
 * Call `widgets/NAME.py` whenever `ask` is called. It begins with what the page was
 * built with, so nothing is loaded before the first question. Questions asked while
 * one is computed replace each other. If the function yields results, the newest is
 * `result` while it computes, and stays if the reader stops it.
 */
export function usePython<Parameters extends object, Result>(
  name: string,
  given: Given<Parameters, Result>,
): Python<Parameters, Result> {
  const [answered, setAnswered] = useState(given);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [status, setStatus] = useState("");
  const [busy, setBusy] = useState(false);
  const current = useRef<AbortController | null>(null);
  const next = useRef<Parameters | null>(null);

  const work = async (): Promise<void> => {
    const controller = new AbortController();
    current.current = controller;
    setBusy(true);
    try {
      while (next.current !== null) {
        const parameters = next.current;
        next.current = null;
        const answer: Answer<Result> = await call<Result>(
          name,
          parameters,
          (state) => setStatus(SAYING[state.kind]),
          controller.signal,
          (result) => setAnswered({ parameters, result }),
        );
        if ("result" in answer) {
          setAnswered({ parameters, result: answer.result });
          setRefusal(null);
        } else {
          setRefusal(answer.refused);
        }
      }
      setStatus("");
    } catch (error) {
      next.current = null;
      if (error instanceof Stopped) setStatus("stopped");
      else if (error instanceof Failure) setStatus(error.message);
      else throw error;
    } finally {
      current.current = null;
      setBusy(false);
    }
  };

  useEffect(() => () => current.current?.abort(), []);
  return {
    ...answered,
    refusal,
    status,
    busy,
    ask: (parameters) => {
      next.current = parameters;
      if (current.current === null) void work();
    },
    stop: () => current.current?.abort(),
  };
}
