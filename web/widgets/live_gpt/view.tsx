/** A whole GPT learns names while the reader watches, and finishes the name that they begin. */

import { useEffect, useRef, useState } from "preact/hooks";
import type { Evaluation, SampledName } from "../../engine/training.js";
import { EVALUATE_AFTER_NAMES } from "../../engine/training_setup.js";
import { formatNumber, formatPercent, groupThousands } from "../../parts/format.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { TextField } from "../../parts/text_field.js";
import type { WidgetProps } from "../../runtime/widget.js";
import { type RecordedRun, runFromRecord } from "../trainer/runs.js";
import { useTrainer } from "../trainer/use_trainer.js";
import type { LiveGpt, LiveGptParameters } from "../types.js";

/** From a moment to the next, in milliseconds. */
const PACE = 140;
/** Of the picture, in its own units. */
const [WIDE, HIGH, TOP, BOTTOM] = [600, 150, 3.4, 2.2];
const SEEDS = 1e6;
const BEGIN = "begin";
const SEED = "seed";

const KNOWN = {
  new: "It isn’t in the dataset: nobody taught the model this name.",
  learnt: "It’s a real name, and one that the model has learnt from.",
  "held out": "It’s a real name, though one that the model has never seen.",
} as const;

const someSeed = (): number => Math.floor(SEEDS * Math.random());
const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export default function LiveGptWidget({ result }: WidgetProps<LiveGptParameters, LiveGpt>) {
  const [run, setRun] = useState(() => runFromRecord(result.run as RecordedRun));
  const { callTrainer, error: trainingError, isTraining, train } = useTrainer();
  const facts = run.facts;
  // What was there before stays until there is something to see.
  const visible = useRef(run.evaluations);
  if (run.evaluations.length > 0) visible.current = run.evaluations;
  const moments = visible.current;
  const { setup, bigramLoss } = facts;
  const [at, setAt] = useState(moments.length - 1);
  // In seconds, once the model of this browser is there.
  const [took, setTook] = useState<number | null>(null);
  const [unheard, setUnheard] = useState("");
  const [begun, setBegun] = useState("");
  const [born, setBorn] = useState<(SampledName & { begun: string; seed: number }) | null>(null);

  const trainAndTime = async (): Promise<void> => {
    const startMs = performance.now();
    setTook(null);
    setAt(0);
    if (await train([setup, ""], setRun)) setTook((performance.now() - startMs) / 1000);
  };
  const unread = (name: string): string => name && nameError(name, facts.characters);
  const invent = async (name: string, seed: number): Promise<void> => {
    if (unread(name)) return;
    setUnheard("");
    try {
      setBorn({ ...(await callTrainer((trainer) => trainer.continueName(name, seed))), begun: name, seed });
    } catch (error) {
      setUnheard((error as Error).message);
    }
  };

  useEffect(() => {
    const asked = new URLSearchParams(location.search);
    const seed = Number(asked.get(SEED) ?? Number.NaN);
    const replay = Number.isSafeInteger(seed) && seed >= 0;
    if (replay || !calm())
      void trainAndTime().then(() => {
        if (!replay) return;
        const name = normalizeName(asked.get(BEGIN) ?? "");
        setBegun(name);
        return invent(name, seed);
      });
  }, []);
  const last = moments.length - 1;
  useEffect(() => {
    if (at >= last) return;
    const timer = setTimeout(() => setAt(calm() ? last : at + 1), PACE);
    return () => clearTimeout(timer);
  }, [at, last]);

  const moment = moments[Math.min(at, last)];
  const over = !isTraining && at >= last;
  const ready = over && took !== null;
  const x = ({ gridIndex }: Evaluation): number => (WIDE * gridIndex) / (EVALUATE_AFTER_NAMES.indexOf(setup.seen) || 1);
  const y = (loss: number): number => (HIGH * (TOP - loss)) / (TOP - BOTTOM);
  const drawn = moments.slice(0, at + 1).filter(({ heldOutLoss }) => heldOutLoss !== null);
  const points = drawn.map((each) => `${x(each).toFixed(1)},${y(each.heldOutLoss as number).toFixed(1)}`);
  // The first name comes unasked, where motion is welcome.
  useEffect(() => {
    if (ready && born === null && !calm()) void invent(begun, someSeed());
  }, [ready]);
  const seen = moment ? groupThousands(moment.seen) : "0";
  const loss = formatNumber(moment?.heldOutLoss ?? Math.log(27), 2);
  const slowed = took !== null && 1000 * took < PACE * last && !calm();
  const where = !run.isLocal
    ? "when this page was made"
    : took === null
      ? "in your browser, now"
      : `in your browser, in ${formatNumber(took, 1)} seconds${slowed ? "; shown more slowly" : ""}`;
  const refused = unread(begun) || trainingError || unheard;
  const stale = born && (refused || born.begun !== begun);
  const link = born && `?${new URLSearchParams({ [BEGIN]: born.begun, [SEED]: String(born.seed) })}`;
  return (
    <div class="live" data-busy={isTraining}>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} preserveAspectRatio="none" aria-hidden="true">
        {bigramLoss !== null && <line class="bigram-loss" x1="0" x2={WIDE} y1={y(bigramLoss)} y2={y(bigramLoss)} />}
        <polyline class="curve" points={points.join(" ")} />
      </svg>
      {bigramLoss !== null && (
        <span class="bigram-loss" aria-hidden="true" style={{ top: `${y(bigramLoss).toFixed(0)}px` }}>
          counting letters
        </span>
      )}
      <span class="axis up" aria-hidden="true">
        ↑ loss
      </span>
      <span class="axis across" aria-hidden="true">
        names read →
      </span>
      <p class="told">{`${seen} names read, surprise (its loss) ${loss}. It now writes:`}</p>
      <p class="writes" aria-live="off">
        {moment?.names.slice(0, 4).map((name) => (
          <span>{name || "(nothing)"}</span>
        ))}
      </p>
      <p class="trained">{`A GPT of ${groupThousands(facts.parameterCount)} numbers, trained ${where}.`}</p>
      <TextField
        id="live"
        label="How does your name begin?"
        value={begun}
        error={refused}
        onInput={setBegun}
        onSubmit={(text) => {
          const seed = someSeed();
          if (unread(text)) return;
          if (ready) void invent(text, seed);
          else if (took === null && !isTraining) void trainAndTime().then(() => invent(text, seed));
        }}
      >
        <button type="submit" class="primary" aria-disabled={took === null ? isTraining : !ready}>
          Invent a name
        </button>
      </TextField>
      <div class={stale ? "born stale controls" : "born controls"} role="status">
        <p class="name" aria-hidden="true">
          <span class="begun">{born?.begun}</span>
          {born?.letters.map(([letter, p]) => (
            <span class={letter ? "" : "end"} title={formatPercent(p)}>
              {letter || "."}
            </span>
          )) ?? "…"}
        </p>
        <p class="fate">
          {born && (
            <>
              <b>{born.name || "(an empty name)"}</b> {KNOWN[born.origin]} <a href={link ?? ""}>Link to this name</a>
            </>
          )}
        </p>
      </div>
    </div>
  );
}
