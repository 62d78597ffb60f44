/** Numbers in a small table: what each row is called, and what stands beside it. */

import type { ComponentChildren } from "preact";

type Cells = readonly [name: ComponentChildren, ...cells: ComponentChildren[]];

interface Props {
  caption?: ComponentChildren;
  /** The caption is for who cannot see the table. */
  unseen?: boolean;
  /** What stands above the columns, from the first. */
  head?: readonly ComponentChildren[];
  rows: readonly Cells[];
  /** The row that stands out. */
  now?: number;
  foot?: Cells;
  class?: string;
}

const row = ([name, ...cells]: Cells, kind?: string) => (
  <tr class={kind}>
    <th scope="row">{name}</th>
    {cells.map((cell) => (
      <td>{cell}</td>
    ))}
  </tr>
);

export function Readout({ caption, unseen = false, head, rows, now, foot, class: kind }: Props) {
  return (
    <table class={kind ? `readout ${kind}` : "readout"}>
      {caption && <caption class={unseen ? "sr-only" : undefined}>{caption}</caption>}
      {head && (
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col">{name}</th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>{rows.map((cells, index) => row(cells, index === now ? "now" : undefined))}</tbody>
      {foot && <tfoot>{row(foot)}</tfoot>}
    </table>
  );
}
