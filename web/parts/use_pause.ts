/** Acts once the reader has paused: who types is not interrupted. */

import { useEffect, useRef } from "preact/hooks";

/** As long as this without a key is a pause, in milliseconds. */
const PAUSE = 400;

/** Return a function that acts after a pause, or at once; the newest act counts. */
export function usePause(): (act: () => void, wait: boolean) => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (act, wait) => {
    clearTimeout(timer.current);
    if (wait) timer.current = setTimeout(act, PAUSE);
    else act();
  };
}
