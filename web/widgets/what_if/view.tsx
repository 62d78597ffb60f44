/** A switch to flip: a guess first, then the model trained as it is and changed, and what ten seeds say. */

import { scaleLinear } from "d3-scale";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { FIELDS } from "../../engine/variant.js";
import { type Change, type Comparison, type Evaluation, MOMENTS, SEEN } from "../../engine/what_if.js";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { Curves, useCursor } from "../../parts/curves.js";
import { decimals, fixed, grouped } from "../../parts/numerals.js";
import { listed, Readout } from "../../parts/readout.js";
import { useAlive } from "../../parts/use_alive.js";
import type { Given } from "../../runtime/widget.js";
import { useEngine } from "../trainer/use_engine.js";
import type { WhatIf, WhatIfParameters, WhatIfSwitch } from "../types.js";

/** As long the page leaves the worker alone, in milliseconds. */
const TURN = 40;
/** Losses above this are drawn at the edge of the picture. */
const TOP = 3.4;
const GUESSES = [
  ["lower", "Lower"],
  ["can't tell", "Can’t tell them apart"],
  ["higher", "Higher"],
  ["much higher", "Much higher"],
] as const;
const CALLED: Record<string, string> = Object.fromEntries(GUESSES);
/** Curves begin steeply: the beginning gets more room. */
const PLACES = MOMENTS.map(Math.sqrt);
const TICKS = [0.1, 0.5, 1].map((share): [number, string] => [Math.sqrt(share), grouped(share * SEEN)]);

/** Both models on their way, with a seed. */
interface Shown extends Comparison {
  seed: number;
}

/** In words: what ten seeds say of a switch. */
function result({ verdict, more, error, losses }: WhatIfSwitch): string {
  const broken = losses.filter((loss) => loss === null).length;
  if (more === null || error === null) return `It breaks down: ${broken} of ${losses.length} seeds end without a loss.`;
  const size = fixed(verdict === "can't tell" ? more : Math.abs(more), 4);
  const said =
    { lower: "Lower by", higher: "Higher by", "much higher": "Much higher, by" }[verdict] ?? "Can’t tell them apart:";
  return `${said} ${size} ± ${fixed(error, 4)} nats per token.`;
}

/** Trains what the page asks for, in its worker. */
function useExperiments() {
  const [shown, setShown] = useState<Shown | null>(null);
  const [refusal, setRefusal] = useState("");
  const ask = useEngine();
  const latest = useRef(0);
  const clear = (): number => {
    setShown(null);
    setRefusal("");
    latest.current += 1;
    return latest.current;
  };
  const run = async (change: Change, seed: number): Promise<void> => {
    const turn = clear();
    setShown({ seed, plain: [], changed: [], progress: 0 });
    try {
      await ask((trainer) => trainer.compare(change, seed));
      for (let progress = 0; progress < 1; ) {
        const comparison = await ask((trainer) => trainer.compareOn(TURN));
        if (turn !== latest.current) return; // something else was asked for meanwhile
        setShown({ seed, ...comparison });
        progress = comparison.progress;
      }
    } catch (error) {
      if (turn !== latest.current) return;
      setShown(null);
      setRefusal((error as Error).message);
    }
  };
  return { shown, refusal, run, clear };
}

export default function WhatIfWidget({ result: { switches, plain, much } }: Given<WhatIfParameters, WhatIf>) {
  const alive = useAlive();
  const usual = { if: switches[0]?.id ?? "" };
  const [id, setId] = useState(usual.if);
  const [guesses, setGuesses] = useState<Record<string, string>>({});
  const { shown, refusal, run, clear } = useExperiments();
  const chosen = switches.find((each) => each.id === id) ?? (switches[0] as WhatIfSwitch);
  const change: Change = JSON.parse(chosen.change);
  const parts = Object.entries(change.model ?? {});
  const guess = guesses[chosen.id] ?? null;
  useLayoutEffect(() => setId(standing("what", usual).if), []);
  useAddress("what", usual, { if: chosen.id });
  const question = useRef<HTMLParagraphElement>(null);
  const choose = (wanted: string): void => {
    if (wanted === chosen.id) return;
    clear();
    setId(wanted);
  };
  /** A button that is far from the question leads to it. */
  const go = (wanted: string): void => {
    choose(wanted);
    question.current?.focus();
  };
  const next = switches[(switches.indexOf(chosen) + 1) % switches.length] as WhatIfSwitch;
  const predict = (answer: string): void => {
    if (guess === null) setGuesses((all) => ({ ...all, [chosen.id]: answer }));
    if (guess === null || shown === null) void run(change, 1);
  };
  const groups = [...new Set(switches.map(({ group }) => group))];
  const inside = (group: string): WhatIfSwitch[] => switches.filter((each) => each.group === group);
  const done = shown?.progress === 1;
  const right = (each: WhatIfSwitch): boolean => guesses[each.id] === asked(each);
  const guessed = switches.filter((each) => guesses[each.id] && (each !== chosen || done));
  return (
    <>
      <label class="narrow controls">
        What if…{" "}
        <select value={chosen.id} onInput={(event) => choose(event.currentTarget.value)}>
          {groups.map((group) => (
            <optgroup label={group}>
              {inside(group).map((each) => (
                <option value={each.id}>{each.label}</option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <p class="question" ref={question} tabIndex={-1}>
        {chosen.question}
      </p>
      {parts.length > 0 && (
        <details key={chosen.id}>
          <summary>All that changes in the model</summary>
          <pre class="differs">
            {parts.map(([field, part]) => (
              <>
                <del>{`− ${field} = ${FIELDS[field as keyof typeof FIELDS][0] ?? 0}`}</del>
                <ins>{`+ ${field} = ${part}`}</ins>
              </>
            ))}
          </pre>
        </details>
      )}
      <Choices
        label="What will happen to the held-out loss?"
        word="Held-out loss:"
        class="choices controls guesses"
        choices={GUESSES}
        value={guess as (typeof GUESSES)[number][0] | null}
        onChoose={predict}
      />
      <p class="refusal" role="status">
        {refusal}
      </p>
      {shown === null && (
        <p class="note hint">
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
                {right(chosen) ? "That’s what you said." : `You said “${CALLED[guess ?? ""]}”.`}
              </p>
            ) : (
              <progress value={shown.progress} aria-label="Training" />
            )}
          </div>
          <Result key={chosen.id} {...{ chosen, shown, plain }} />
          {done && <Reason anchor={chosen.anchor} />}
          <div class="choices controls">
            <button type="button" class="next" onClick={() => go(next.id)}>
              Next: {next.label}
            </button>
            <button type="button" aria-disabled={!done} onClick={() => done && void run(change, shown.seed + 1)}>
              Another seed
            </button>
            <CopyLink address={() => addressOf("what", usual, { if: chosen.id })} of="question" />
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

/** A loss in three decimals, if it is a number. */
const said = (sight: Evaluation | undefined): string =>
  Number.isFinite(sight?.loss) ? fixed(sight?.loss as number, 3) : decimals(sight?.loss, 3);

/** The guess that would have been right. */
const asked = ({ verdict }: WhatIfSwitch): string => (verdict === "breaks down" ? "much higher" : verdict);

/** Both models as they learn, what they invent, and where this run stands among the recorded ones. */
function Result({ chosen, shown, plain }: { chosen: WhatIfSwitch; shown: Shown; plain: number[] }) {
  const reached = Math.max(2, shown.plain.length, shown.changed.length);
  const cursor = useCursor(MOMENTS.length, reached);
  const at = cursor.at - 1;
  const values = (evaluations: Evaluation[]): number[] => evaluations.map(({ loss }) => Math.min(loss, TOP));
  const rows: [name: string, kind: string, evaluations: Evaluation[]][] = [
    ["usual", "other0", shown.plain],
    [`changed: ${chosen.label}`, "s1", shown.changed],
  ];
  const evaluationAt = (evaluations: Evaluation[]): Evaluation | undefined =>
    evaluations[Math.min(at, evaluations.length - 1)];
  const describe = (step: number): string =>
    `after ${grouped(Math.round((MOMENTS[step - 1] ?? 1) * SEEN))} names: ${rows
      .map(([name, , evaluations]) => `${name} ${said(evaluations[step - 1])}`)
      .join(", ")}`;
  const [one, other] = [shown.plain, shown.changed].map((evaluations) => evaluations.at(-1)?.loss ?? Number.NaN) as [
    number,
    number,
  ];
  return (
    <div data-busy={shown.progress < 1}>
      <Curves
        panel={{
          title: "held-out loss, in nats per token",
          series: rows.map(([, kind, evaluations]) => ({
            name: kind === "s1" ? "changed" : "usual",
            kind,
            values: values(evaluations),
            broken: evaluations.some(({ loss }) => Number.isNaN(loss)),
          })),
          height: 220,
          least: [2.2, TOP],
        }}
        steps={MOMENTS.length}
        last={reached}
        cursor={cursor}
        label={`Held-out losses of both models while they train: ${describe(reached)}`}
        describe={describe}
        along={{ unit: "names", places: PLACES, ticks: TICKS }}
      />
      <Readout
        invented
        head={["model", "loss", "invents"]}
        rows={rows.map(([name, kind, evaluations]) => [
          <>
            <span class={`key ${kind}`} /> {name}
          </>,
          said(evaluationAt(evaluations)),
          listed(evaluationAt(evaluations)?.names),
        ])}
      />
      {shown.progress === 1 && <Seeds {...{ chosen, plain }} own={other - one} seed={shown.seed} />}
    </div>
  );
}

/** The recorded differences, a dot for each seed, their interval, and this run. */
function Seeds(props: { chosen: WhatIfSwitch; plain: number[]; own: number; seed: number }) {
  const { chosen, plain, own } = props;
  const { losses, more, error } = chosen;
  if (more === null || error === null || !Number.isFinite(own)) return null;
  const all = losses.map((loss, seed) => (loss as number) - (plain[seed] as number));
  const ends = [...all, own, 0, more - error, more + error];
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const x = scaleLinear([low, high], [24, 416]);
  const label =
    `Differences of ten seeds: from ${fixed(Math.min(...all), 4)} to ${fixed(Math.max(...all), 4)}; ` +
    `the interval of their mean goes from ${fixed(more - error, 4)} to ${fixed(more + error, 4)}; this run ${fixed(own, 4)}.`;
  return (
    <div class="seeds">
      <p class="title">
        changed − usual: ten recorded seeds, the interval of their mean, and your run (ring, seed {props.seed})
      </p>
      <svg class="drawing" viewBox="0 0 440 58" role="img" aria-label={label}>
        <path class="line" d="M24 16H416" />
        <path class="line dashed" d={`M${x(0)} 0V32`} />
        <rect class="interval data" x={x(more - error)} y="9" width={Math.max(2, x(error) - x(-error))} height="14" />
        {all.map((each) => (
          <circle class="dot data" cx={x(each)} cy="16" r="4" />
        ))}
        <circle class="dot ring" cx={x(own)} cy="16" r="6.5" />
        {[0, ...[low, high].filter((end) => Math.abs(end) > 0.15 * (high - low))].map((end) => (
          <text class="middle small soft" x={x(end)} y="50">
            {end === 0 ? "0" : fixed(end, 3)}
          </text>
        ))}
      </svg>
    </div>
  );
}

/** Why, in the words of the page, which has a section for each question. */
function Reason({ anchor }: { anchor: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let last: Element | null = null;
    for (let each = document.getElementById(anchor)?.nextElementSibling; each?.tagName === "P"; ) {
      last = each;
      each = each.nextElementSibling;
    }
    place.current?.replaceChildren(...(last ? [last.cloneNode(true)] : []));
  }, [anchor]);
  return <div class="reason" ref={place} />;
}
