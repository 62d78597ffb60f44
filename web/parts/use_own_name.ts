/** The name that a reader typed last, on this page or another: it is offered wherever a name can be typed. */

import { useEffect, useRef, useState } from "preact/hooks";

const KEY = "guide:name";
const NAME = /^[a-z]{2,15}$/;
/** Milliseconds without a change: then a name is no longer half typed. */
const PAUSE = 1000;

/** Return that name, "" if there is none, and what to call when the reader types. */
export function useOwnName(value: string, accepted: boolean): [own: string, typed: () => void] {
  const [own, setOwn] = useState("");
  const typing = useRef(false);
  useEffect(() => {
    try {
      const kept = localStorage.getItem(KEY) ?? "";
      if (NAME.test(kept)) setOwn(kept);
    } catch {
      // Without storage there is none.
    }
  }, []);
  useEffect(() => {
    if (!typing.current || !accepted || !NAME.test(value)) return;
    const timer = setTimeout(() => {
      try {
        localStorage.setItem(KEY, value);
      } catch {
        // Without storage it is kept for this picture alone.
      }
      setOwn(value);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [value, accepted]);
  return [own, () => (typing.current = true)];
}
