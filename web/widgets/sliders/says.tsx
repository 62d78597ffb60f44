/** What scenes say: a loss as a bar that fills, and a verdict. */

import type { ComponentChildren } from "preact";
import { decimals } from "../../parts/numerals.js";

/** Of the bar, in nats. */
const FULL = 5;

/** The loss is in nats, and null where there is none yet. */
export function Meter({ label, loss }: { label: string; loss: number | null }) {
  return (
    <p class="wrap meter">
      <span class="track" aria-hidden="true">
        <span class="fill cost" style={{ width: `${Math.min(100, (100 * (loss ?? 0)) / FULL).toFixed(1)}%` }} />
      </span>
      {label} <output>{decimals(loss ?? undefined, 3)}</output>
    </p>
  );
}

export function Verdict({ children }: { children: ComponentChildren }) {
  return (
    <p class="verdict" role="status">
      {children}
    </p>
  );
}
