/** Steps through something: first, back, play, on, a scale to drag, a speed. */

import { useEffect, useState } from "preact/hooks";

interface Props {
  /** The last step; the first is 0. */
  last: number;
  at: number;
  onMove(at: number): void;
  /** What is stepped through, for a screen reader. */
  label: string;
  /** A step in words, for a screen reader. */
  describe(at: number): string;
}

const SPEEDS: [label: string, milliseconds: number][] = [
  ["slow", 1600],
  ["medium", 800],
  ["fast", 250],
];

export function Player({ last, at, onMove, label, describe }: Props) {
  const [playing, setPlaying] = useState(false);
  const [pace, setPace] = useState(800);
  const end = at >= last;
  useEffect(() => {
    if (!playing) return;
    if (end) return setPlaying(false);
    const timer = setTimeout(() => onMove(at + 1), pace);
    return () => clearTimeout(timer);
  }, [playing, at, pace, end]);
  const go = (to: number): void => {
    setPlaying(false);
    onMove(Math.max(0, Math.min(last, to)));
  };
  const play = (): void => {
    if (!playing && end) onMove(0);
    setPlaying(!playing);
  };
  return (
    <div class="player controls" role="group" aria-label={label}>
      <button type="button" class="first" onClick={() => go(0)} disabled={at === 0}>
        <span class="sr-only">to the start</span>
      </button>
      <button type="button" class="back" onClick={() => go(at - 1)} disabled={at === 0}>
        <span class="sr-only">one step back</span>
      </button>
      <button type="button" class={playing ? "pause" : "play"} onClick={play}>
        <span class="sr-only">{playing ? "pause" : "play"}</span>
      </button>
      <button type="button" class="on" onClick={() => go(at + 1)} disabled={end}>
        <span class="sr-only">one step on</span>
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={`${label}: step`}
        aria-valuetext={`${at} of ${last}: ${describe(at)}`}
        onInput={(event) => go(event.currentTarget.valueAsNumber)}
      />
      <output>
        {at} of {last}
      </output>
      <label>
        <span class="sr-only">Speed</span>
        <select value={pace} onInput={(event) => setPace(Number(event.currentTarget.value))}>
          {SPEEDS.map(([name, milliseconds]) => (
            <option value={milliseconds}>{name}</option>
          ))}
        </select>
      </label>
    </div>
  );
}
