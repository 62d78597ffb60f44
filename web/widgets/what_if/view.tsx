/** A change to the model: the reader guesses its effect, sees both models trained, and what ten recorded seeds say. */

import { groups } from "d3-array";
import { scaleLinear } from "d3-scale";
import { useRef, useState } from "preact/hooks";
import { type TrainingChange, WHAT_IF_NAMES_SEEN, whatIfSetup } from "../../engine/training_change.js";
import { formatFixed } from "../../parts/format.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { Status } from "../../parts/status.js";
import { CopyLinkButton, urlWithState, useSyncUrl, useUrlState } from "../../parts/url_state.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import type { WidgetProps } from "../../runtime/widget.js";
import { LossChart } from "../trainer/loss_chart.js";
import { isComplete, type Run } from "../trainer/runs.js";
import { useTrainer } from "../trainer/use_trainer.js";
import type { WhatIfParameters, WhatIfResults, WhatIfSwitch } from "../types.js";

const GUESS_CHOICES = [
  ["lower", "Lower"],
  ["can't tell", "Can’t tell them apart"],
  ["higher", "Higher"],
  ["much higher", "Much higher"],
] as const;
const GUESS_LABELS: Record<string, string> = Object.fromEntries(GUESS_CHOICES);
/** The unchanged and the changed model, trained with one seed. */
interface Experiment {
  seed: number;
  baseline: Run;
  changed: Run | null;
}

/** Describe in a sentence what ten recorded seeds show about a switch. */
function describeResult({ verdict, difference, margin, losses }: WhatIfSwitch): string {
  const failedCount = losses.filter((loss) => loss === null).length;
  if (difference === null || margin === null)
    return `It breaks down: ${failedCount} of ${losses.length} seeds end without a loss.`;
  const size = formatFixed(verdict === "can't tell" ? difference : Math.abs(difference), 4);
  const verdictWords =
    { lower: "Lower by", higher: "Higher by", "much higher": "Much higher, by" }[verdict] ?? "Can’t tell them apart:";
  return `${verdictWords} ${size} ± ${formatFixed(margin, 4)} nats per token.`;
}

/** Train the unchanged model, once for each seed, then a changed one. */
function useExperiment() {
  const [experiment, setExperiment] = useState<Experiment | null>(null);
  const { abandon, error, train } = useTrainer();
  const baselines = useRef(new Map<number, Run>());
  const runBoth = async (change: TrainingChange, seed: number): Promise<void> => {
    let baseline = baselines.current.get(seed);
    const handleProgress = (updatedRun: Run): void => {
      baseline = { ...updatedRun, name: "usual" };
      setExperiment({ seed, baseline, changed: null });
    };
    if (baseline) setExperiment({ seed, baseline, changed: null });
    else if (!(await train([whatIfSetup({}, seed), "", {}], handleProgress))) return;
    baselines.current.set(seed, baseline as Run);
    await train([whatIfSetup(change, seed), "", change], (updatedRun) =>
      setExperiment({ seed, baseline: baseline as Run, changed: { ...updatedRun, name: "changed" } }),
    );
  };
  const clear = (): void => {
    abandon();
    setExperiment(null);
  };
  return { experiment, error, runBoth, clear };
}

export default function WhatIfWidget({ result }: WidgetProps<WhatIfParameters, WhatIfResults>) {
  const { switches, baseline_losses: baselineLosses, much_higher: muchHigher } = result;
  const isHydrated = useHydrated();
  const defaults = { if: switches[0]?.id ?? "" };
  const [state, update] = useUrlState("what", defaults);
  const [guesses, setGuesses] = useState<Record<string, string>>({});
  const { experiment, error, runBoth, clear } = useExperiment();
  const currentSwitch = switches.find((each) => each.id === state.if) ?? (switches[0] as WhatIfSwitch);
  const change: TrainingChange = JSON.parse(currentSwitch.change);
  const guess = guesses[currentSwitch.id] ?? null;
  const shownState = { if: currentSwitch.id };
  useSyncUrl("what", defaults, shownState);
  const question = useRef<HTMLParagraphElement>(null);
  /** Show another switch, and move the focus to its question: the button may be far away. */
  const goToSwitch = (switchId: string): void => {
    if (switchId !== currentSwitch.id) clear();
    update({ if: switchId });
    question.current?.focus();
  };
  const next = switches[(switches.indexOf(currentSwitch) + 1) % switches.length] as WhatIfSwitch;
  const handleGuess = (answer: string): void => {
    if (guess === null) setGuesses((all) => ({ ...all, [currentSwitch.id]: answer }));
    if (guess === null || experiment === null) void runBoth(change, 1);
  };
  const trainWithNextSeed = (): void => {
    if (experiment && isDone) void runBoth(change, experiment.seed + 1);
  };
  const changed = experiment?.changed ?? null;
  const isDone = changed !== null && isComplete(changed);
  const progress = ((experiment?.baseline.namesSeen ?? 0) + (changed?.namesSeen ?? 0)) / (2 * WHAT_IF_NAMES_SEEN);
  const isRight = (each: WhatIfSwitch): boolean => guesses[each.id] === correctGuess(each);
  const guessedSwitches = switches.filter((each) => guesses[each.id] && (each !== currentSwitch || isDone));
  return (
    <>
      <p class="question" ref={question} tabIndex={-1}>
        {currentSwitch.question}
      </p>
      <SingleChoice
        label="What will happen to the held-out loss?"
        prefix="Held-out loss:"
        class="choices controls guesses"
        choices={GUESS_CHOICES}
        value={guess as (typeof GUESS_CHOICES)[number][0] | null}
        onChange={handleGuess}
      />
      <Status class="error-message">{error}</Status>
      {experiment === null && (
        <p class="note hint controls">
          {guess === null
            ? `Guess, and your browser trains both models. “Much higher” is more than ${muchHigher} nats.`
            : `You said “${GUESS_LABELS[guess]}”. Press it again to train both models once more.`}
        </p>
      )}
      {experiment !== null && (
        <>
          <div class="verdict" role="status">
            {isDone ? (
              <p>
                <strong>{describeResult(currentSwitch)}</strong>{" "}
                {isRight(currentSwitch) ? "That’s what you said." : `You said “${GUESS_LABELS[guess ?? ""]}”.`}{" "}
                <a href={`#${currentSwitch.anchor}`}>Why?</a>
              </p>
            ) : (
              <progress value={progress} aria-label="Training" />
            )}
          </div>
          <div key={currentSwitch.id} data-busy={!isDone}>
            <LossChart run={changed ?? experiment.baseline} compared={changed ? [experiment.baseline] : []} />
            {isDone && (
              <SeedDifferences
                result={currentSwitch}
                baselineLosses={baselineLosses}
                ownDifference={finalHeldOutLoss(changed) - finalHeldOutLoss(experiment.baseline)}
                seed={experiment.seed}
              />
            )}
          </div>
          <div class="choices controls">
            <button type="button" class="next" onClick={() => goToSwitch(next.id)}>
              Next: {next.label}
            </button>
            <button type="button" aria-disabled={!isDone} onClick={trainWithNextSeed}>
              Another seed
            </button>
            <CopyLinkButton getUrl={() => urlWithState("what", defaults, shownState)} subject="question" />
            <span class="note score">
              {guessedSwitches.length > 1 &&
                `${guessedSwitches.filter(isRight).length} of ${guessedSwitches.length} guesses right`}
            </span>
          </div>
        </>
      )}
      <dl class="switches">
        {groups(switches, ({ group }) => group).map(([group, groupSwitches]) => (
          <div>
            <dt>{group}</dt>
            <dd class="wrapping-row">
              {groupSwitches.map((each) =>
                isHydrated ? (
                  <button type="button" aria-pressed={each === currentSwitch} onClick={() => goToSwitch(each.id)}>
                    {each.label}
                  </button>
                ) : (
                  <a class="button" href={`#${each.anchor}`}>
                    {each.label}
                  </a>
                ),
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Return the held-out loss at the end of a run, NaN if it has none. */
const finalHeldOutLoss = (run: Run | null): number =>
  run?.diverged ? Number.NaN : (run?.evaluations.at(-1)?.heldOutLoss ?? Number.NaN);

/** Return the guess that agrees with the verdict. */
const correctGuess = ({ verdict }: WhatIfSwitch): string => (verdict === "breaks down" ? "much higher" : verdict);

interface SeedDifferencesProps {
  result: WhatIfSwitch;
  /** The losses of the unchanged model, one for each recorded seed. */
  baselineLosses: number[];
  /** The changed model's loss less the unchanged one's, in nats per token, in the reader's run. */
  ownDifference: number;
  seed: number;
}

/** The recorded differences, a dot for each seed, the interval of their mean, and the reader's own run. */
function SeedDifferences({ result, baselineLosses, ownDifference, seed }: SeedDifferencesProps) {
  const { losses, difference, margin } = result;
  if (difference === null || margin === null || !Number.isFinite(ownDifference)) return null;
  const [start, end] = [difference - margin, difference + margin];
  const differences = losses.map((loss, seed) => (loss as number) - (baselineLosses[seed] as number));
  const values = [...differences, ownDifference, 0, start, end];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = scaleLinear([low, high], [24, 416]);
  const label =
    `Differences of ten seeds: from ${formatFixed(Math.min(...differences), 4)} to ${formatFixed(Math.max(...differences), 4)}; ` +
    `the interval of their mean goes from ${formatFixed(start, 4)} to ${formatFixed(end, 4)}; this run ${formatFixed(ownDifference, 4)}.`;
  return (
    <div class="seeds">
      <p class="title">
        changed − usual: ten recorded seeds, the interval of their mean, and your run (ring, seed {seed})
      </p>
      <svg class="drawing" viewBox="0 0 440 58" role="img" aria-label={label}>
        <path class="line" d="M24 16H416" />
        <path class="line dashed" d={`M${x(0)} 0V32`} />
        <rect class="interval data" x={x(start)} y="9" width={Math.max(2, x(end) - x(start))} height="14" />
        {differences.map((each) => (
          <circle class="dot data" cx={x(each)} cy="16" r="4" />
        ))}
        <circle class="dot ring" cx={x(ownDifference)} cy="16" r="6.5" />
        {[0, ...[low, high].filter((tick) => Math.abs(tick) > 0.15 * (high - low))].map((tick) => (
          <text class="middle small soft" x={x(tick)} y="50">
            {tick === 0 ? "0" : formatFixed(tick, 3)}
          </text>
        ))}
      </svg>
    </div>
  );
}
