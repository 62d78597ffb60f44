/** Numbers in a small table: what each row is called, and what stands beside it. */

import type { ComponentChildren } from "preact";

interface Props {
  /** What stands above the columns, from the first. */
  head?: readonly ComponentChildren[];
  rows: readonly (readonly [name: ComponentChildren, ...cells: ComponentChildren[]])[];
  caption?: ComponentChildren;
}

export function Readout({ head, rows, caption }: Props) {
  return (
    <table class="readout">
      {caption && <caption>{caption}</caption>}
      {head && (
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr>
            <th scope="row">{name}</th>
            {cells.map((cell) => (
              <td>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
