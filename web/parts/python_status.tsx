/** What Python is doing for a widget, with a way to stop it and to try again. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
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
  const button = useRef<HTMLButtonElement>(null);
  const action = busy && slow ? "Stop" : !busy && retry !== null ? "Try again" : "";
  // Where the button goes away under the reader's hands, another element takes the focus. A
  // browser may take it from the button as soon as that is hidden, or somewhat later.
  const leave = (): void => {
    const around = button.current?.closest("form, .widget");
    // Not a field of numbers, which on a phone would call up the keyboard.
    const next = ["[type=submit]", "textarea, input", "button"]
      .map((selector) => around?.querySelector<HTMLElement>(selector))
      .find((found) => found);
    next?.focus();
  };
  useLayoutEffect(() => {
    if (action === "" && document.activeElement === button.current) leave();
  }, [action]);
  return (
    <div class="python controls" data-busy={busy}>
      <span role="status">{busy && !slow ? "" : status}</span>
      {slow && loaded !== null && <progress aria-label="Python loads" value={loaded < 1 ? loaded : undefined} />}
      <button
        ref={button}
        type="button"
        hidden={action === ""}
        onBlur={() => button.current?.hidden && queueMicrotask(leave)}
        onClick={() => (busy ? python.stop() : retry?.())}
      >
        {action}
      </button>
    </div>
  );
}
