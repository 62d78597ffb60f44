/** Buttons and a slider to go through numbered steps, or to play them. */

import { useEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "./icon_button.js";
import { Status } from "./status.js";

interface StepPlayerProps {
  /** The last step; the first is 0. */
  lastStep: number;
  step: number;
  onChange(step: number): void;
  /** What the steps are of, for screen readers. */
  label: string;
  /** Describe a step for screen readers. */
  describeStep(step: number): string;
}

/** How long each step is shown while the player plays. */
const STEP_DURATION_MS = 800;

/** Buttons for first, previous, play and next, and a slider for any step. */
export function StepPlayer({ lastStep, step, onChange, label, describeStep }: StepPlayerProps) {
  const [isPlaying, setIsPlaying] = useState(false);
  // Set when a button makes a step: steps that are played or dragged are not read aloud.
  const [announcement, announce] = useState("");
  const isAtEnd = step >= lastStep;
  // The steps may have changed while the timer ran.
  const latestOnChange = useRef(onChange);
  latestOnChange.current = onChange;
  useEffect(() => {
    if (!isPlaying) return;
    if (isAtEnd) {
      setIsPlaying(false);
      return announce(describeStep(step));
    }
    const timer = setTimeout(() => latestOnChange.current(step + 1), STEP_DURATION_MS);
    return () => clearTimeout(timer);
  }, [isPlaying, step, isAtEnd]);
  const goToStep = (target: number, isAnnounced = true): void => {
    const step = Math.max(0, Math.min(lastStep, target));
    setIsPlaying(false);
    onChange(step);
    announce(isAnnounced ? describeStep(step) : "");
  };
  const togglePlaying = (): void => {
    if (!isPlaying && isAtEnd) onChange(0);
    announce(isPlaying ? describeStep(step) : "");
    setIsPlaying(!isPlaying);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // The slider uses these keys itself.
    if (!(event.target instanceof HTMLButtonElement)) return;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: lastStep }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    goToStep(target);
  };
  return (
    <div class="step-player controls" role="group" aria-label={label} onKeyDown={onKeyDown}>
      <div class="buttons">
        <IconButton icon="first" label="To the start" isDisabled={step === 0} onPress={() => goToStep(0)} />
        <IconButton icon="previous" label="One step back" isDisabled={step === 0} onPress={() => goToStep(step - 1)} />
        <IconButton
          icon={isPlaying ? "pause" : "play"}
          label={isPlaying ? "Pause" : "Play"}
          isDisabled={lastStep === 0}
          onPress={togglePlaying}
        />
        <IconButton icon="next" label="One step on" isDisabled={isAtEnd} onPress={() => goToStep(step + 1)} />
      </div>
      <input
        type="range"
        min={0}
        max={lastStep}
        value={step}
        aria-label={`${label}: step`}
        aria-valuetext={`${step} of ${lastStep}: ${describeStep(step)}`}
        onInput={(event) => goToStep(event.currentTarget.valueAsNumber, false)}
      />
      <span class="count" aria-hidden="true" style={{ minWidth: `${2 * String(lastStep).length + 4}ch` }}>
        {step} of {lastStep}
      </span>
      <Status class="sr-only">{announcement}</Status>
    </div>
  );
}
