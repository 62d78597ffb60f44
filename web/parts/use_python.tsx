/** How a widget asks Python: the newest question counts, and the last answer stays; with what goes on meanwhile. */

import { useEffect, useRef, useState } from "preact/hooks";
import { call, Failure, inWords, type State, Stopped } from "../runtime/python.js";
import type { Given } from "../runtime/widget.js";

/** What is going on: something, nothing, or trouble, after which the question can be put again. */
interface Waiting {
  state: State | null;
  trouble: string;
  stop(): void;
  retry(): void;
}

export interface Python<Parameters, Result> {
  /** The parameters of `result`. */
  parameters: Parameters;
  result: Result;
  /** What the reader has asked last, as it stands in the fields. */
  asked: Parameters;
  /** Why parameters were refused, and at which character if that is known. */
  refusal: { reason: string; at: number | null; parameters: Parameters } | null;
  ask(parameters: Parameters): void;
  waiting: Waiting;
}

/** A refusal waits as long as this for a reader who is still typing, in milliseconds. */
const PAUSE = 400;
/** What takes less time than this is not worth a word, in milliseconds. */
const PATIENCE = 400;

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
  const [refusal, setRefusal] = useState<Python<Parameters, Result>["refusal"]>(null);
  const [state, watch] = useState<State | null>(null);
  const [trouble, setTrouble] = useState("");
  const newest = useRef(given.parameters);
  const current = useRef<AbortController | null>(null);
  const stop = (): void => current.current?.abort(new Stopped());
  useEffect(() => stop, []);

  const work = async (): Promise<void> => {
    current.current = new AbortController();
    const { signal } = current.current;
    setTrouble("");
    try {
      for (let parameters: Parameters | null = null; parameters !== newest.current; ) {
        parameters = newest.current;
        const answer = await call<Result>(name, parameters, watch, signal);
        const refused = "refused" in answer ? { ...answer.refused, parameters } : null;
        if (refused) setTimeout(() => refused.parameters === newest.current && setRefusal(refused), PAUSE);
        else setRefusal(null);
        if ("result" in answer) setAnswered({ parameters, result: answer.result });
      }
    } catch (error) {
      if (error instanceof Stopped) setTrouble("stopped");
      else if (error instanceof Failure) setTrouble(error.message);
      else throw error;
    } finally {
      current.current = null;
      watch(null);
    }
  };
  const ask = (parameters: Parameters): void => {
    newest.current = parameters;
    setAsked(parameters);
    if (current.current === null) void work();
  };
  return { ...answered, asked, refusal, ask, waiting: { state, trouble, stop, retry: () => void work() } };
}

/** What Python is doing for a widget, with a way to stop it and to try again. */
export function PythonStatus({ state, trouble, stop, retry }: Waiting) {
  const busy = state !== null;
  const [slow, setSlow] = useState(false);
  const [held, hold] = useState(false);
  useEffect(() => {
    if (!busy) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  const loaded = state?.kind === "loading" ? state.share : null;
  const action = busy && slow ? "Stop" : !busy && trouble ? "Try again" : "";
  // As long as it has the focus it stays, even with nothing to do.
  return (
    <div class="python controls" data-busy={busy}>
      <span role="status">{busy ? slow && (state.kind === "running" ? "computing" : inWords(state)) : trouble}</span>
      {slow && loaded !== null && <progress aria-label="Python loads" value={loaded < 1 ? loaded : undefined} />}
      <button
        type="button"
        hidden={action === "" && !held}
        aria-disabled={action === ""}
        onFocus={() => hold(true)}
        onBlur={() => hold(false)}
        onClick={() => action && (busy ? stop() : retry())}
      >
        {action || "Stop"}
      </button>
    </div>
  );
}
