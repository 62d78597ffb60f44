/** What a panel shows: what the page was built with, or else what Python gives as soon as it is opened. */

import { useEffect } from "preact/hooks";
import { type Python, usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Network, NetworkParameters } from "../types.js";

type Key = "dot_product" | "softmax" | "nudge" | "maps";
type Only = NonNullable<NetworkParameters["only"]>;

export interface Panel<K extends Key> {
  python: Python<NetworkParameters, Network>;
  /** Null until Python has answered. */
  shown: Network[K];
  ask(changed: Partial<NetworkParameters>): void;
}

/** `first` is asked where the page has nothing for the panel. */
export function usePanel<K extends Key>(
  given: Given<NetworkParameters, Network>,
  key: K,
  only: Only,
  first: Partial<NetworkParameters> = {},
): Panel<K> {
  const python = usePython<NetworkParameters, Network>("network", given);
  const shown = python.result[key];
  const ask = (changed: Partial<NetworkParameters>): void => python.ask({ ...python.asked, ...changed, only });
  useEffect(() => {
    if (shown === null) ask(first);
  }, []);
  return { python, shown, ask };
}
