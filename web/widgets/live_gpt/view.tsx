/** A whole GPT learns names while the reader watches, and finishes the name that they begin. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { NameOrigin } from "../../engine/names.js";
import type { ModelEvaluation, SampledName } from "../../engine/training.js";
import { EVALUATE_AFTER_NAMES } from "../../engine/training_setup.js";
import { formatNumber, formatPercent, groupThousands } from "../../parts/format.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { TextField } from "../../parts/text_field.js";
import type { WidgetProps } from "../../runtime/widget.js";
import { type RecordedRun, runFromRecord } from "../trainer/runs.js";
import { useTrainer } from "../trainer/use_trainer.js";
import type { LiveGptParameters, LiveGptRun } from "../types.js";

/** How long each evaluation is shown at least. */
const EVALUATION_DISPLAY_MS = 140;
/** The size of the picture in its own units, and the losses at its top and bottom. */
const [WIDTH, HEIGHT, TOP_LOSS, BOTTOM_LOSS] = [600, 150, 3.4, 2.2];
const SEED_COUNT = 1e6;
/** The query parameters of a link to a name. */
const PREFIX_PARAMETER = "begin";
const SEED_PARAMETER = "seed";

const NAME_ORIGIN_SENTENCES: Record<NameOrigin, string> = {
  new: "It isn’t in the dataset: nobody taught the model this name.",
  learnt: "It’s a real name, and one that the model has learnt from.",
  "held out": "It’s a real name, though one that the model has never seen.",
};

/** A sampled name with what samples it again. */
type ReplayableName = SampledName & { prefix: string; seed: number };

const randomSeed = (): number => Math.floor(SEED_COUNT * Math.random());
const prefersReducedMotion = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export default function LiveGptWidget({ result }: WidgetProps<LiveGptParameters, LiveGptRun>) {
  const [run, setRun] = useState(() => runFromRecord(result.run as RecordedRun));
  const { callTrainer, error: trainingError, isTraining, train } = useTrainer();
  const { setup, bigramLoss, characters, parameterCount } = run.facts;
  // The evaluations before stay until the new run has some.
  const visibleEvaluations = useRef(run.evaluations);
  if (run.evaluations.length > 0) visibleEvaluations.current = run.evaluations;
  const evaluations = visibleEvaluations.current;
  const [shownIndex, setShownIndex] = useState(evaluations.length - 1);
  // Null until this browser has trained the model.
  const [trainingSeconds, setTrainingSeconds] = useState<number | null>(null);
  const [samplingError, setSamplingError] = useState("");
  const [prefix, setPrefix] = useState("");
  const [sampled, setSampled] = useState<ReplayableName | null>(null);

  const trainAndTime = async (): Promise<void> => {
    const startMs = performance.now();
    setTrainingSeconds(null);
    setShownIndex(0);
    if (await train([setup, ""], setRun)) setTrainingSeconds((performance.now() - startMs) / 1000);
  };
  const prefixError = (name: string): string => name && nameError(name, characters);
  const sampleName = async (name: string, seed: number): Promise<void> => {
    if (prefixError(name)) return;
    setSamplingError("");
    try {
      setSampled({ ...(await callTrainer((trainer) => trainer.continueName(name, seed))), prefix: name, seed });
    } catch (error) {
      setSamplingError((error as Error).message);
    }
  };

  const trainAndReplay = async (): Promise<void> => {
    const query = new URLSearchParams(location.search);
    const seed = Number(query.get(SEED_PARAMETER) ?? Number.NaN);
    const isReplay = Number.isSafeInteger(seed) && seed >= 0;
    if (isReplay || !prefersReducedMotion()) await trainAndTime();
    if (!isReplay) return;
    const name = normalizeName(query.get(PREFIX_PARAMETER) ?? "");
    setPrefix(name);
    await sampleName(name, seed);
  };
  useEffect(() => void trainAndReplay(), []);
  const lastIndex = evaluations.length - 1;
  useEffect(() => {
    if (shownIndex >= lastIndex) return;
    const next = prefersReducedMotion() ? lastIndex : shownIndex + 1;
    const timer = setTimeout(() => setShownIndex(next), EVALUATION_DISPLAY_MS);
    return () => clearTimeout(timer);
  }, [shownIndex, lastIndex]);

  const shownEvaluation = evaluations[Math.min(shownIndex, lastIndex)];
  const isReady = !isTraining && shownIndex >= lastIndex && trainingSeconds !== null;
  const x = ({ gridIndex }: ModelEvaluation): number =>
    (WIDTH * gridIndex) / (EVALUATE_AFTER_NAMES.indexOf(setup.namesToSee) || 1);
  const y = (loss: number): number => (HEIGHT * (TOP_LOSS - loss)) / (TOP_LOSS - BOTTOM_LOSS);
  const drawnEvaluations = evaluations.slice(0, shownIndex + 1).filter(({ heldOutLoss }) => heldOutLoss !== null);
  const points = drawnEvaluations.map((each) => `${x(each).toFixed(1)},${y(each.heldOutLoss as number).toFixed(1)}`);
  // The first name is sampled at once, unless the reader prefers reduced motion.
  useEffect(() => {
    if (isReady && sampled === null && !prefersReducedMotion()) void sampleName(prefix, randomSeed());
  }, [isReady]);
  const namesSeen = shownEvaluation ? groupThousands(shownEvaluation.namesSeen) : "0";
  const loss = formatNumber(shownEvaluation?.heldOutLoss ?? Math.log(27), 2);
  const describeTraining = (): string => {
    if (!run.isTrainedHere) return "when this page was made";
    if (trainingSeconds === null) return "in your browser, now";
    const isSlowed = 1000 * trainingSeconds < EVALUATION_DISPLAY_MS * lastIndex && !prefersReducedMotion();
    return `in your browser, in ${formatNumber(trainingSeconds, 1)} seconds${isSlowed ? "; shown more slowly" : ""}`;
  };
  const error = prefixError(prefix) || trainingError || samplingError;
  const isStale = sampled && (error || sampled.prefix !== prefix);
  const linkTo = ({ prefix, seed }: ReplayableName): string =>
    `?${new URLSearchParams({ [PREFIX_PARAMETER]: prefix, [SEED_PARAMETER]: String(seed) })}`;
  return (
    <div class="live" data-busy={isTraining}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bigramLoss !== null && <line class="bigram-loss" x1="0" x2={WIDTH} y1={y(bigramLoss)} y2={y(bigramLoss)} />}
        <polyline class="curve" points={points.join(" ")} />
      </svg>
      {bigramLoss !== null && (
        <span class="bigram-loss" aria-hidden="true" style={{ top: `${y(bigramLoss).toFixed(0)}px` }}>
          counting letters
        </span>
      )}
      <div aria-hidden="true">
        <span class="axis loss-axis">↑ loss</span>
        <span class="axis names-axis">names read →</span>
      </div>
      <p class="progress">{`${namesSeen} names read, surprise (its loss) ${loss}. It now writes:`}</p>
      <p class="samples" aria-live="off">
        {shownEvaluation?.names.slice(0, 4).map((name) => (
          <span>{name || "(nothing)"}</span>
        ))}
      </p>
      <p class="model-facts">{`A GPT of ${groupThousands(parameterCount)} numbers, trained ${describeTraining()}.`}</p>
      <TextField
        id="live"
        label="How does your name begin?"
        value={prefix}
        error={error}
        onInput={setPrefix}
        onSubmit={(text) => {
          const seed = randomSeed();
          if (prefixError(text)) return;
          if (isReady) void sampleName(text, seed);
          else if (trainingSeconds === null && !isTraining) void trainAndTime().then(() => sampleName(text, seed));
        }}
      >
        <button type="submit" class="primary" aria-disabled={trainingSeconds === null ? isTraining : !isReady}>
          Invent a name
        </button>
      </TextField>
      <div class={isStale ? "sampled stale controls" : "sampled controls"} role="status">
        <p class="name" aria-hidden="true">
          <span class="prefix">{sampled?.prefix}</span>
          {sampled?.letters.map(([letter, p]) => (
            <span class={letter ? "" : "end"} title={formatPercent(p)}>
              {letter || "."}
            </span>
          )) ?? "…"}
        </p>
        <p class="origin">
          {sampled && (
            <>
              <b>{sampled.name || "(an empty name)"}</b> {NAME_ORIGIN_SENTENCES[sampled.origin]}{" "}
              <a href={linkTo(sampled)}>Link to this name</a>
            </>
          )}
        </p>
      </div>
    </div>
  );
}
