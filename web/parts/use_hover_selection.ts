/** An item that a reader has selected, and another that the mouse may hover over meanwhile. */

import { useState } from "preact/hooks";

/** The selected item, the one to show, and functions that change them. */
export interface HoverSelection<Item> {
  /** The item to show: the hovered one, or else the selected one. */
  shown: Item;
  selected: Item;
  select(item: Item): void;
  /** Pass null when the mouse leaves. */
  hover(item: Item | null): void;
}

/** Return a selection that starts with `initial`. */
export function useHoverSelection<Item>(initial: Item | (() => Item)): HoverSelection<Item> {
  const [selected, setSelected] = useState(initial);
  const [hovered, hover] = useState<Item | null>(null);
  const select = (item: Item): void => {
    hover(null);
    setSelected(() => item);
  };
  return { shown: hovered ?? selected, selected, select, hover };
}
