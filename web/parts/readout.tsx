/** A table of numbers, which begins each row with what they are. */

import type { ComponentChildren } from "preact";

type Row = readonly ComponentChildren[];

interface Props {
  caption?: ComponentChildren;
  /** What the columns are. */
  columns?: Row;
  rows: readonly Row[];
  /** The row that stands out. */
  now?: number;
  foot?: Row;
  class?: string;
}

const row = ([head, ...cells]: Row, kind?: string) => (
  <tr class={kind}>
    <th scope="row">{head}</th>
    {cells.map((cell) => (
      <td>{cell}</td>
    ))}
  </tr>
);

export function Readout({ caption, columns, rows, now, foot, class: kind }: Props) {
  return (
    <table class={kind ? `readout ${kind}` : "readout"}>
      {caption}
      {columns && (
        <thead>
          <tr>
            {columns.map((name) => (
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
