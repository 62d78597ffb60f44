/** A finger or a mouse that presses on something, moves over it, and is lifted. */

import { useState } from "preact/hooks";

type Pointed = PointerEvent & { currentTarget: HTMLElement };

/** `pick` is told where it is while it presses, `look` where else a mouse is; null when that leaves. */
export function usePress(pick: (event: Pointed) => void, look?: (event: Pointed | null) => void) {
  const [pressed, setPressed] = useState(false);
  const lift = (): void => setPressed(false);
  const handlers = {
    onPointerDown: (event: Pointed) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setPressed(true);
      pick(event);
    },
    onPointerMove: (event: Pointed) => {
      if (pressed) pick(event);
      else if (event.pointerType === "mouse") look?.(event);
    },
    onPointerUp: lift,
    onPointerCancel: lift,
    onPointerLeave: () => look?.(null),
  };
  return { pressed, handlers };
}
