/** Names at the ends of curves, and how they keep out of each other's way. */

export interface Label {
  /** Where the curve ends, and where its name goes. */
  end: number;
  y: number;
}

/** Move labels apart so that none covers another. */
export function spread(labels: Label[], top: number, bottom: number, height: number): void {
  labels.sort((a, b) => Math.round(a.end) - Math.round(b.end));
  let lowest = top;
  for (const label of labels) {
    label.y = Math.max(label.end, lowest);
    lowest = label.y + height;
  }
  let highest = bottom;
  for (const label of labels.toReversed()) {
    label.y = Math.min(label.y, highest);
    highest = label.y - height;
  }
}
