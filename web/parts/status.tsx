/** A paragraph that screen readers read aloud whenever its text changes. */

import type { ComponentChildren } from "preact";

/** Renders the paragraph with a CSS class. */
export function Status({ class: className, children }: { class: string; children: ComponentChildren }) {
  return (
    <p class={className} role="status">
      {children}
    </p>
  );
}
