/** What a reader has picked, and stays; and what the mouse passes over meanwhile. */

import { useState } from "preact/hooks";

export interface Seen<Thing> {
  /** What is shown: where the mouse is, or what the reader has picked. */
  at: Thing;
  picked: Thing;
  pick(thing: Thing): void;
  look(thing: Thing | null): void;
}

export function useSeen<Thing>(first: Thing | (() => Thing)): Seen<Thing> {
  const [picked, setPicked] = useState(first);
  const [seen, look] = useState<Thing | null>(null);
  const pick = (thing: Thing): void => {
    look(null);
    setPicked(() => thing);
  };
  return { at: seen ?? picked, picked, pick, look };
}
