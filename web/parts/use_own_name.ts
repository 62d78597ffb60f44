/** The name that a reader typed last, on this page or another: it is offered wherever a name can be typed. */

import { useEffect, useRef, useState } from "preact/hooks";
import { keep, kept } from "../runtime/storage.js";

const KEY = "guide:name";
const NAME = /^[a-z]{2,15}$/;
/** Milliseconds without a change: then a name is no longer half typed. */
const PAUSE = 1000;

/** Return that name, "" if there is none, and what to call when the reader types. */
export function useOwnName(value: string, accepted: boolean): [own: string, typed: () => void] {
  const [own, setOwn] = useState("");
  const typing = useRef(false);
  useEffect(() => {
    const name = kept(KEY) ?? "";
    if (NAME.test(name)) setOwn(name);
  }, []);
  useEffect(() => {
    if (!typing.current || !accepted || !NAME.test(value)) return;
    const timer = setTimeout(() => {
      keep(KEY, value); // without storage it holds for this picture alone
      setOwn(value);
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [value, accepted]);
  return [own, () => (typing.current = true)];
}
