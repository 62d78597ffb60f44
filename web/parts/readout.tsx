/** Numbers in a small table: what each row is called, and what stands beside it. */

import type { ComponentChildren } from "preact";

interface Props {
  /** What stands above the columns, from the first. */
  head?: readonly ComponentChildren[];
  rows: readonly (readonly [name: ComponentChildren, ...cells: ComponentChildren[]])[];
  caption?: ComponentChildren;
  /** The last column holds what a model invents. */
  invented?: boolean;
}

/** Invented names, one after another. */
export const listed = (names: string[] | undefined): string => names?.map((name) => name || "(empty)").join(", ") ?? "";

export function Readout({ head, rows, caption, invented = false }: Props) {
  const look = (index: number, all: readonly unknown[]): string | undefined =>
    invented && index === all.length - 1 ? "samples" : undefined;
  return (
    <table class={invented ? "readout invented" : "readout"}>
      {caption && <caption>{caption}</caption>}
      {head && (
        <thead>
          <tr>
            {head.map((name, index) => (
              <th scope="col" class={look(index, head)}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr>
            <th scope="row">{name}</th>
            {cells.map((cell, index) => (
              <td class={look(index, cells)}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
