/** A small table of numbers, a name before each row. */

import type { ComponentChildren } from "preact";

/** The name of a row, and its cells. */
export type TableRow = readonly [name: ComponentChildren, ...cells: ComponentChildren[]];

interface NumberTableProps {
  caption?: ComponentChildren;
  /** Titles of the columns, that of the names first. */
  columnTitles?: readonly ComponentChildren[];
  rows: readonly TableRow[];
  /** Index of the row that stands out. */
  highlightedRow?: number;
  footer?: TableRow;
  /** Whether the last column holds names that a model has sampled. */
  hasSamplesColumn?: boolean;
}

/** List the names that a model has sampled, as text. */
export const joinSampledNames = (names: string[] | undefined): string =>
  names?.map((name) => name || "(empty)").join(", ") ?? "";

/** Renders the table. */
export function NumberTable(props: NumberTableProps) {
  const { caption, columnTitles, rows, highlightedRow, footer, hasSamplesColumn = false } = props;
  const columnClass = (index: number, all: readonly unknown[]): string | undefined =>
    hasSamplesColumn && index === all.length - 1 ? "samples" : undefined;
  const row = ([name, ...cells]: TableRow, index?: number) => (
    <tr class={index !== undefined && index === highlightedRow ? "highlighted" : undefined}>
      <th scope="row">{name}</th>
      {cells.map((cell, index) => (
        <td class={columnClass(index, cells)}>{cell}</td>
      ))}
    </tr>
  );
  return (
    <table class={hasSamplesColumn ? "number-table with-samples" : "number-table"}>
      {caption && <caption>{caption}</caption>}
      {columnTitles && (
        <thead>
          <tr>
            {columnTitles.map((name, index) =>
              name === "" ? (
                <td />
              ) : (
                <th scope="col" class={columnClass(index, columnTitles)}>
                  {name}
                </th>
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>{rows.map(row)}</tbody>
      {footer && <tfoot>{row(footer)}</tfoot>}
    </table>
  );
}
