/** Names at the ends of curves, and how they keep out of each other's way. */

export interface Label {
  height: number;
  /** Where the curve ends, and where the middle of its name goes. */
  end: number;
  y: number;
}

/** Move labels apart, as far up as down, so that none covers another or leaves the plane. */
export function spread(labels: Label[], bottom: number): void {
  labels.sort((a, b) => Math.round(a.end) - Math.round(b.end));
  let packed = 0;
  // Where each would stand if all were packed at the top: what it is moved down from there never shrinks.
  const tight = labels.map(({ height }) => {
    packed += height;
    return packed - height / 2;
  });
  const moves = labels.map(({ end }, i) => end - (tight[i] as number));
  labels.forEach((label, i) => {
    const move = (Math.max(...moves.slice(0, i + 1)) + Math.min(...moves.slice(i))) / 2;
    label.y = (tight[i] as number) + Math.max(0, Math.min(bottom - packed, move));
  });
}
