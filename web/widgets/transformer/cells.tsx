/** A vector, small: what flows from box to box. */

import { roleOf } from "../../parts/kinds.js";
import type { Box } from "./boxes.js";

/** A vector as a row of cells, or as several: the stronger, the further from 0; grey with a dash below it. */
export function Cells({ of, rows = 1 }: { of: Pick<Box, "values" | "limit" | "kind">; rows?: number }) {
  const columns = of.values.length / rows;
  const at = (i: number): [x: number, y: number] => [i % columns, Math.floor(i / columns)];
  const below = of.values.flatMap((value, i) => (value < 0 ? [at(i)] : []));
  return (
    <svg
      class="cells"
      style={{ ...roleOf(of.kind), "--rows": String(rows) }}
      viewBox={`0 0 ${columns} ${rows}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {of.values.map((value, i) => (
        <rect
          class={value < 0 ? "below" : undefined}
          x={at(i)[0]}
          y={at(i)[1]}
          width="1"
          height="1"
          fill-opacity={value === 0 ? 0 : Math.max(0.08, Math.min(1, Math.abs(value) / of.limit)).toFixed(2)}
        />
      ))}
      <path class="dash" d={below.map(([x, y]) => `M${x + 0.3} ${y + 0.5}h.4`).join("")} />
    </svg>
  );
}
