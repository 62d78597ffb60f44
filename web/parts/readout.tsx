/** Numbers in a small table: what each row is called, and what stands beside it. */

import type { ComponentChildren } from "preact";

export type Cells = readonly [name: ComponentChildren, ...cells: ComponentChildren[]];

interface Props {
  caption?: ComponentChildren;
  /** What stands above the columns, from the first. */
  head?: readonly ComponentChildren[];
  rows: readonly Cells[];
  /** The row that stands out. */
  now?: number;
  foot?: Cells;
  /** The last column holds what a model invents. */
  invented?: boolean;
}

/** Invented names, one after another. */
export const listed = (names: string[] | undefined): string => names?.map((name) => name || "(empty)").join(", ") ?? "";

export function Readout({ caption, head, rows, now, foot, invented = false }: Props) {
  const look = (index: number, all: readonly unknown[]): string | undefined =>
    invented && index === all.length - 1 ? "samples" : undefined;
  const row = ([name, ...cells]: Cells, index?: number) => (
    <tr class={index !== undefined && index === now ? "now" : undefined}>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td class={look(index, cells)}>{cell}</td>
      ))}
    </tr>
  );
  return (
    <table class={invented ? "readout invented" : "readout"}>
      {caption && <caption>{caption}</caption>}
      {head && (
        <thead>
          <tr>
            {head.map((name, index) =>
              name === "" ? (
                <td />
              ) : (
                <th scope="col" class={look(index, head)}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>{rows.map(row)}</tbody>
      {foot && <tfoot>{row(foot)}</tfoot>}
    </table>
  );
}
