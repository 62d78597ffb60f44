/** A switch to flip: a guess first, then the model trained as it is and changed, and what ten seeds say. */

import { scaleLinear } from "d3-scale";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { type TrainingChange, WHAT_IF_NAMES_SEEN, whatIfSetup } from "../../engine/training_change.js";
import { Choices } from "../../parts/choices.js";
import { formatFixed } from "../../parts/format.js";
import { CopyLinkButton, readUrlState, urlWithState, useSyncUrl } from "../../parts/url_state.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import type { WidgetProps } from "../../runtime/widget.js";
import { LossChart } from "../trainer/loss_chart.js";
import { isComplete, type Run } from "../trainer/runs.js";
import { useTrainer } from "../trainer/use_trainer.js";
import type { WhatIf, WhatIfParameters, WhatIfSwitch } from "../types.js";

const GUESSES = [
  ["lower", "Lower"],
  ["can't tell", "Can’t tell them apart"],
  ["higher", "Higher"],
  ["much higher", "Much higher"],
] as const;
const CALLED: Record<string, string> = Object.fromEntries(GUESSES);
/** Both models on their way, with a seed. */
interface Shown {
  seed: number;
  plain: Run;
  changed: Run | null;
}

/** In words: what ten seeds say of a switch. */
function result({ verdict, difference, margin, losses }: WhatIfSwitch): string {
  const broken = losses.filter((loss) => loss === null).length;
  if (difference === null || margin === null)
    return `It breaks down: ${broken} of ${losses.length} seeds end without a loss.`;
  const size = formatFixed(verdict === "can't tell" ? difference : Math.abs(difference), 4);
  const said =
    { lower: "Lower by", higher: "Higher by", "much higher": "Much higher, by" }[verdict] ?? "Can’t tell them apart:";
  return `${said} ${size} ± ${formatFixed(margin, 4)} nats per token.`;
}

/** Trains what the page asks for: the model as it is once with each seed, and the changed one. */
function useExperiments() {
  const [shown, setShown] = useState<Shown | null>(null);
  const { abandon, error, train } = useTrainer();
  const usual = useRef(new Map<number, Run>());
  const run = async (change: TrainingChange, seed: number): Promise<void> => {
    let plain = usual.current.get(seed);
    const show = (now: Run): void => {
      plain = { ...now, name: "usual" };
      setShown({ seed, plain, changed: null });
    };
    if (plain) setShown({ seed, plain, changed: null });
    else if (!(await train([whatIfSetup({}, seed), "", {}], show))) return;
    usual.current.set(seed, plain as Run);
    await train([whatIfSetup(change, seed), "", change], (now) =>
      setShown({ seed, plain: plain as Run, changed: { ...now, name: "changed" } }),
    );
  };
  const clear = (): void => {
    abandon();
    setShown(null);
  };
  return { shown, error, run, clear };
}

export default function WhatIfWidget({
  result: { switches, baseline_losses: plain, much_higher: much },
}: WidgetProps<WhatIfParameters, WhatIf>) {
  const alive = useHydrated();
  const usual = { if: switches[0]?.id ?? "" };
  const [id, setId] = useState(usual.if);
  const [guesses, setGuesses] = useState<Record<string, string>>({});
  const { shown, error, run, clear } = useExperiments();
  const chosen = switches.find((each) => each.id === id) ?? (switches[0] as WhatIfSwitch);
  const change: TrainingChange = JSON.parse(chosen.change);
  const guess = guesses[chosen.id] ?? null;
  useLayoutEffect(() => setId(readUrlState("what", usual).if), []);
  useSyncUrl("what", usual, { if: chosen.id });
  const question = useRef<HTMLParagraphElement>(null);
  /** A button that is far from the question leads to it. */
  const go = (wanted: string): void => {
    if (wanted !== chosen.id) clear();
    setId(wanted);
    question.current?.focus();
  };
  const next = switches[(switches.indexOf(chosen) + 1) % switches.length] as WhatIfSwitch;
  const predict = (answer: string): void => {
    if (guess === null) setGuesses((all) => ({ ...all, [chosen.id]: answer }));
    if (guess === null || shown === null) void run(change, 1);
  };
  const groups = [...new Set(switches.map(({ group }) => group))];
  const inside = (group: string): WhatIfSwitch[] => switches.filter((each) => each.group === group);
  const done = shown?.changed ? isComplete(shown.changed) : false;
  const progress = ((shown?.plain.seen ?? 0) + (shown?.changed?.seen ?? 0)) / (2 * WHAT_IF_NAMES_SEEN);
  const right = (each: WhatIfSwitch): boolean => guesses[each.id] === asked(each);
  const guessed = switches.filter((each) => guesses[each.id] && (each !== chosen || done));
  return (
    <>
      <p class="question" ref={question} tabIndex={-1}>
        {chosen.question}
      </p>
      <Choices
        label="What will happen to the held-out loss?"
        prefix="Held-out loss:"
        class="choices controls guesses"
        choices={GUESSES}
        value={guess as (typeof GUESSES)[number][0] | null}
        onChange={predict}
      />
      <p class="error-message" role="status">
        {error}
      </p>
      {shown === null && (
        <p class="note hint controls">
          {guess === null
            ? `Guess, and your browser trains both models. “Much higher” is more than ${much} nats.`
            : `You said “${CALLED[guess]}”. Press it again to train both models once more.`}
        </p>
      )}
      {shown !== null && (
        <>
          <div class="verdict" role="status">
            {done ? (
              <p>
                <strong>{result(chosen)}</strong>{" "}
                {right(chosen) ? "That’s what you said." : `You said “${CALLED[guess ?? ""]}”.`}{" "}
                <a href={`#${chosen.anchor}`}>Why?</a>
              </p>
            ) : (
              <progress value={progress} aria-label="Training" />
            )}
          </div>
          <div key={chosen.id} data-busy={!done}>
            <LossChart run={shown.changed ?? shown.plain} compared={shown.changed ? [shown.plain] : []} />
            {done && <Seeds {...{ chosen, plain }} own={endOf(shown.changed) - endOf(shown.plain)} seed={shown.seed} />}
          </div>
          <div class="choices controls">
            <button type="button" class="next" onClick={() => go(next.id)}>
              Next: {next.label}
            </button>
            <button type="button" aria-disabled={!done} onClick={() => done && void run(change, shown.seed + 1)}>
              Another seed
            </button>
            <CopyLinkButton getUrl={() => urlWithState("what", usual, { if: chosen.id })} subject="question" />
            <span class="note score">
              {guessed.length > 1 && `${guessed.filter(right).length} of ${guessed.length} guesses right`}
            </span>
          </div>
        </>
      )}
      <dl class="switches">
        {groups.map((group) => (
          <div>
            <dt>{group}</dt>
            <dd class="wrap">
              {inside(group).map((each) =>
                alive ? (
                  <button type="button" class="button" aria-pressed={each === chosen} onClick={() => go(each.id)}>
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

/** The loss of a run at its end, if it has one. */
const endOf = (run: Run | null): number =>
  run?.diverged ? Number.NaN : (run?.evaluations.at(-1)?.heldOutLoss ?? Number.NaN);

/** The guess that would have been right. */
const asked = ({ verdict }: WhatIfSwitch): string => (verdict === "breaks down" ? "much higher" : verdict);

/** The recorded differences, a dot for each seed, their interval, and this run. */
function Seeds(props: { chosen: WhatIfSwitch; plain: number[]; own: number; seed: number }) {
  const { chosen, plain, own } = props;
  const { losses, difference, margin } = chosen;
  if (difference === null || margin === null || !Number.isFinite(own)) return null;
  const all = losses.map((loss, seed) => (loss as number) - (plain[seed] as number));
  const ends = [...all, own, 0, difference - margin, difference + margin];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const x = scaleLinear([low, high], [24, 416]);
  const label =
    `Differences of ten seeds: from ${formatFixed(Math.min(...all), 4)} to ${formatFixed(Math.max(...all), 4)}; ` +
    `the interval of their mean goes from ${formatFixed(difference - margin, 4)} to ${formatFixed(difference + margin, 4)}; this run ${formatFixed(own, 4)}.`;
  return (
    <div class="seeds">
      <p class="title">
        changed − usual: ten recorded seeds, the interval of their mean, and your run (ring, seed {props.seed})
      </p>
      <svg class="drawing" viewBox="0 0 440 58" role="img" aria-label={label}>
        <path class="line" d="M24 16H416" />
        <path class="line dashed" d={`M${x(0)} 0V32`} />
        <rect
          class="interval data"
          x={x(difference - margin)}
          y="9"
          width={Math.max(2, x(margin) - x(-margin))}
          height="14"
        />
        {all.map((each) => (
          <circle class="dot data" cx={x(each)} cy="16" r="4" />
        ))}
        <circle class="dot ring" cx={x(own)} cy="16" r="6.5" />
        {[0, ...[low, high].filter((end) => Math.abs(end) > 0.15 * (high - low))].map((end) => (
          <text class="middle small soft" x={x(end)} y="50">
            {end === 0 ? "0" : formatFixed(end, 3)}
          </text>
        ))}
      </svg>
    </div>
  );
}
