/** A loss as a bar that fills, and as a number. */

import { decimals } from "../../parts/numerals.js";

interface Props {
  label: string;
  /** Nats; null where there's no loss yet. */
  loss: number | null;
}

/** Of the bar, in nats. */
const FULL = 5;

export function Meter({ label, loss }: Props) {
  return (
    <p class="wrap meter">
      <span class="track" aria-hidden="true">
        <span class="fill cost" style={{ width: `${Math.min(100, (100 * (loss ?? 0)) / FULL).toFixed(1)}%` }} />
      </span>
      {label} <output>{decimals(loss ?? undefined, 3)}</output>
    </p>
  );
}
