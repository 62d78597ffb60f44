/** Steps through something: first, back, play, on, a scale to drag. */

import { useEffect, useRef, useState } from "preact/hooks";

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

/** From a step to the next, when it plays, in milliseconds. */
const PACE = 800;

const ICONS = {
  first: "M4 3v10M13 3v10L6.5 8Z",
  back: "M11.5 3v10L5 8Z",
  play: "M4.5 2.5v11L13 8Z",
  pause: "M5 3v10M11 3v10",
  on: "M4.5 3v10L11 8Z",
};

interface ButtonProps {
  icon: keyof typeof ICONS;
  says: string;
  off?: boolean;
  press(): void;
}

/** A button that cannot be pressed now keeps the focus, so it is not `disabled`. */
export function IconButton({ icon, says, off = false, press }: ButtonProps) {
  return (
    <button type="button" class={icon} aria-label={says} aria-disabled={off} onClick={() => off || press()}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d={ICONS[icon]} />
      </svg>
    </button>
  );
}

export function Player({ last, at, onMove, label, describe }: Props) {
  const [playing, setPlaying] = useState(false);
  // Set when the reader makes a step: what plays or is dragged is not read aloud.
  const [said, say] = useState("");
  const end = at >= last;
  // Other steps may have come while the timer ran.
  const move = useRef(onMove);
  move.current = onMove;
  useEffect(() => {
    if (!playing) return;
    if (end) {
      setPlaying(false);
      return say(describe(at));
    }
    const timer = setTimeout(() => move.current(at + 1), PACE);
    return () => clearTimeout(timer);
  }, [playing, at, end]);
  const go = (to: number, aloud = true): void => {
    const step = Math.max(0, Math.min(last, to));
    setPlaying(false);
    onMove(step);
    say(aloud ? describe(step) : "");
  };
  const play = (): void => {
    if (!playing && end) onMove(0);
    say(playing ? describe(at) : "");
    setPlaying(!playing);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The scale has these keys for itself.
    if (!(event.target instanceof HTMLButtonElement)) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  };
  return (
    <div class="player controls" role="group" aria-label={label} onKeyDown={onKeyDown}>
      <div class="buttons">
        <IconButton icon="first" says="To the start" off={at === 0} press={() => go(0)} />
        <IconButton icon="back" says="One step back" off={at === 0} press={() => go(at - 1)} />
        <IconButton icon={playing ? "pause" : "play"} says={playing ? "Pause" : "Play"} off={last === 0} press={play} />
        <IconButton icon="on" says="One step on" off={end} press={() => go(at + 1)} />
      </div>
      <input
        type="range"
        min={0}
        max={last}
        value={at}
        aria-label={`${label}: step`}
        aria-valuetext={`${at} of ${last}: ${describe(at)}`}
        onInput={(event) => go(event.currentTarget.valueAsNumber, false)}
      />
      <span class="count" aria-hidden="true" style={{ minWidth: `${2 * String(last).length + 4}ch` }}>
        {at} of {last}
      </span>
      <span class="sr-only" role="status">
        {said}
      </span>
    </div>
  );
}
