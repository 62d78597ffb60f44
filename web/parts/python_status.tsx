/** What Python is doing for a widget, with a way to stop it and to try again. */

import { useEffect, useState } from "preact/hooks";
import type { Python } from "./use_python.js";

/** What takes less time than this is not worth a word, in milliseconds. */
const PATIENCE = 400;

/** Whether something has gone on for so long that the reader should see it. */
function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [busy]);
  return slow;
}

type Waiting = Pick<Python<object, unknown>, "status" | "busy" | "loaded" | "stop" | "retry">;

export function PythonStatus({ python }: { python: Waiting }) {
  const { busy, loaded, retry, status } = python;
  const slow = useSlow(busy);
  const [held, hold] = useState(false);
  const action = busy && slow ? "Stop" : !busy && retry !== null ? "Try again" : "";
  // As long as it has the focus it stays, even with nothing to do.
  return (
    <div class="python controls" data-busy={busy}>
      <span role="status">{busy && !slow ? "" : status}</span>
      {slow && loaded !== null && <progress aria-label="Python loads" value={loaded < 1 ? loaded : undefined} />}
      <button
        type="button"
        hidden={action === "" && !held}
        aria-disabled={action === ""}
        onFocus={() => hold(true)}
        onBlur={() => hold(false)}
        onClick={() => action && (busy ? python.stop() : retry?.())}
      >
        {action || "Stop"}
      </button>
    </div>
  );
}
