/** Pointer handlers of an element that is pressed, dragged over and hovered. */

import { useState } from "preact/hooks";

type ElementPointerEvent = PointerEvent & { currentTarget: HTMLElement };

/** Call `onDrag` while a pointer presses, and `onHover` while a mouse only passes over, with null once it leaves. */
export function usePointerDrag(
  onDrag: (event: ElementPointerEvent) => void,
  onHover?: (event: ElementPointerEvent | null) => void,
) {
  const [isDragging, setIsDragging] = useState(false);
  const onRelease = (): void => setIsDragging(false);
  const handlers = {
    onPointerDown: (event: ElementPointerEvent) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setIsDragging(true);
      onDrag(event);
    },
    onPointerMove: (event: ElementPointerEvent) => {
      if (isDragging) onDrag(event);
      else if (event.pointerType === "mouse") onHover?.(event);
    },
    onPointerUp: onRelease,
    onPointerCancel: onRelease,
    onPointerLeave: () => onHover?.(null),
  };
  return { isDragging, handlers };
}
