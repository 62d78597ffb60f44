/** Any rung of the ladder, trained in the page: its losses, its names, and where its heads look. */

import { scaleLinear } from "d3-scale";
import { useEffect, useId, useLayoutEffect, useState } from "preact/hooks";
import {
  nameOf,
  OFF,
  type Off,
  RUNGS,
  type Rung,
  readSetup,
  rungOf,
  type Setup,
  setupOf,
  written,
} from "../../engine/setup.js";
import { GRID, type Moment } from "../../engine/training.js";
import { CopyLink } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { Curves, type Series, useCursor } from "../../parts/curves.js";
import { Looks } from "../../parts/looks.js";
import { NumberForm } from "../../parts/number_form.js";
import { decimals, grouped } from "../../parts/numerals.js";
import { listed, Readout } from "../../parts/readout.js";
import type { Given } from "../../runtime/widget.js";
import type { Trainer, TrainerParameters } from "../types.js";
import { complete, type Recorded, type Run, type Runs, SEEDS, textOf, useTrainer } from "./use_trainer.js";

const SEEN = [1000, 3000, 10_000, 30_000, 100_000, 300_000];
const FIELDS: [key: "rate" | "batch" | "width" | "layers" | "heads" | "seed", name: string][] = [
  ["rate", "learning rate"],
  ["batch", "batch"],
  ["width", "width"],
  ["layers", "layers"],
  ["heads", "heads"],
  ["seed", "seed"],
];
/** Is it a field of the form that was refused? The form says so then. */
const ofField = (refusal: string): boolean => FIELDS.some(([, name]) => refusal.startsWith(name));
/** With more moments than these, a run goes on long enough for its end to be the subject. */
const LONG = 20;
/** Two losses are level if they differ by less. */
const LEVEL = 0.012;
/** A model knows its names by heart if it is better on them by more. */
const BY_HEART = 0.1;
const PARAMETER = "train";

const loss = (value: number | null | undefined): string =>
  value === null || value === undefined ? "–" : decimals(value, 3);

/** The moment that is shown where the reader points: the last one up to there. */
const momentAt = ({ moments }: Run, index: number): Moment | undefined =>
  moments.findLast((moment) => moment.index <= index) ?? moments[0];

const ended = ({ moments }: Run): Moment | undefined => moments.at(-1);

/** The values at each place of the grid; between two moments, along a straight line. */
function along(moments: Moment[], value: (moment: Moment) => number | null): number[] {
  const known = moments.filter((moment) => value(moment) !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined) return [];
  const ends = [...known, last]; // a line has two ends, even where it has one moment
  const at = scaleLinear(
    ends.map(({ index }) => index),
    ends.map((moment) => value(moment) as number),
  );
  return Array.from({ length: last.index + 1 }, (_, i) => (i < first.index ? Number.NaN : at(i)));
}

/** Leave out what is above the picture, but for the points at its edge. */
function cut(values: number[], top: number): number[] {
  const inside = (i: number): boolean => (values[i] ?? Number.NaN) <= top;
  return values.map((value, i) => (inside(i) ? value : inside(i - 1) || inside(i + 1) ? top : Number.NaN));
}

/** In one sentence: what there is to see. */
function saying(run: Run, seeds: Run[], work: Runs["work"]): string {
  const { begun, broken } = run;
  const last = ended(run);
  const of = `${grouped(run.seen)} of ${grouped(begun.setup.seen)} names`;
  if (seeds.length > 0 && work === "seeds") return `Seed ${seeds.length} of ${SEEDS} is being trained.`;
  const ends = seeds.filter(complete).flatMap((each) => ended(each)?.heldOut ?? []);
  if (ends.length > 1) {
    const mean = ends.reduce((a, b) => a + b, 0) / ends.length;
    const deviation = Math.sqrt(ends.reduce((sum, end) => sum + (end - mean) ** 2, 0) / (ends.length - 1));
    return (
      `With ${ends.length} seeds, each with its own random numbers and held-out names, ${run.name} ends between ` +
      `${loss(Math.min(...ends))} and ${loss(Math.max(...ends))}: on average at ${loss(mean)}, with a standard deviation of ${loss(deviation)}.`
    );
  }
  if (broken) return `After ${of} the loss is no longer finite: the steps were too large.`;
  if (last === undefined || work === "training") return `${of}: held-out loss ${loss(last?.heldOut)}.`;
  if (!complete(run)) return `Stopped after ${of}, with a held-out loss of ${loss(last.heldOut)}. It can go on.`;
  if (last.heldOut === null) return `After ${of} its loss on them is ${loss(last.training)}; no name is held out.`;
  const heldOut = last.heldOut;
  const start = `${run.own ? "After" : "Recorded: after"} ${grouped(run.seen)} names, ${run.name}: held-out loss ${loss(heldOut)}`;
  if (last.training !== null && heldOut - last.training > BY_HEART)
    return `${start}, but ${loss(last.training)} on the names that it learns from: it is learning them by heart.`;
  const { pairs } = begun;
  if (begun.setup.model === "counts" || pairs === null) return `${start}.`;
  const far = loss(Math.abs(heldOut - pairs));
  if (Math.abs(heldOut - pairs) < LEVEL)
    return `${start}, level with the table of pairs (${loss(pairs)}), which knows only the last letter.`;
  if (heldOut > pairs) return `${start}: ${far} more than the table of pairs, which only counts.`;
  return `${start}: ${far} less than the table of pairs, which knows only the last letter.`;
}

export default function TrainerWidget({ result }: Given<TrainerParameters, Trainer>) {
  const first = result.run as Recorded;
  const runs = useTrainer(first, result.beside as Recorded[]);
  const { run, beside, seeds, work } = runs;
  const usual = first.begun.setup;
  const [setup, setSetup] = useState<Setup>(usual);
  const [names, setNames] = useState(() => textOf(first));
  useLayoutEffect(() => {
    const text = new URLSearchParams(location.search).get(PARAMETER);
    const read = text === null ? null : readSetup(text, usual);
    if (read) setSetup(read);
  }, []);
  const shown = [...beside, run];
  const steps = 1 + GRID.findIndex((seen) => seen >= Math.max(...shown.map((each) => each.begun.setup.seen), 100));
  const reached = 1 + Math.max(0, ...shown.map((each) => ended(each)?.index ?? 0));
  const cursor = useCursor(GRID.length, Math.max(2, reached));
  useEffect(() => cursor.pick(GRID.length), [run.begun]);
  const place = (step: number): number =>
    step === 1 ? 0 : 0.05 + (0.95 * Math.log((GRID[step - 1] ?? 10) / 10)) / Math.log((GRID[steps - 1] ?? 10) / 10);
  const powers = GRID.slice(1, steps).filter((seen) => /^10*$/.test(String(seen)));
  const ticks = powers
    .filter((seen) => seen > 10)
    .map((seen): [number, string] => [place(GRID.indexOf(seen) + 1), thousands(seen)]);
  const { pairs } = run.begun;
  // The beginning is steep and alike everywhere: what comes later needs the room, and every end.
  const ends = shown.flatMap((each) => (each.broken ? [] : (ended(each)?.heldOut ?? []))).filter(Number.isFinite);
  const top = Math.max(steps > LONG ? 2.9 : 3.4, ...ends);
  const drawn = (each: Run, value: (moment: Moment) => number | null) => cut(along(each.moments, value), top);
  const lowest = Math.min(...shown.flatMap(({ moments }) => moments.flatMap((moment) => moment.heldOut ?? [])));
  const low = Number.isFinite(lowest) ? Math.min(lowest, top - 0.4) : top - 0.4;
  // One GPT is told apart by its optimizers, two ends of one model by how long they learnt.
  const label = ({ name, begun: { setup } }: Run): string => {
    const { model, optimizer, seen } = setup;
    const others = shown.map((other) => other.begun.setup).filter((other) => other.optimizer !== optimizer);
    if (model === "gpt" && others.some((other) => nameOf({ ...other, optimizer }) === nameOf(setup))) return optimizer;
    return shown.filter((other) => other.name === name).length > 1 ? `${name}, ${thousands(seen)}` : name;
  };
  // As in pictures, an optimizer has its colour, whichever of the two runs now.
  const byOptimizer = ({ begun }: Run): string =>
    beside.some((other) => other.begun.setup.optimizer !== run.begun.setup.optimizer) ? begun.setup.optimizer : "";
  const series: Series[] = [
    ...(pairs === null ? [] : [{ name: "pairs", kind: "floor", values: Array<number>(steps).fill(pairs) }]),
    ...beside.map((each, i) => ({
      name: label(each),
      kind: `other${i} ${byOptimizer(each)}`,
      values: drawn(each, held),
    })),
    ...seeds.map((each) => ({ name: "", kind: "each", values: drawn(each, held) })),
    { name: "training", kind: `learnt ${byOptimizer(run)}`, values: drawn(run, ({ training }) => training) },
    { name: label(run), kind: `s1 ${byOptimizer(run)}`, values: drawn(run, held), broken: run.broken },
  ];
  const at = cursor.at - 1;
  const describe = (step: number): string => {
    const moment = momentAt(run, step - 1);
    return `after ${grouped(moment?.seen ?? 0)} names: held-out loss ${loss(moment?.heldOut)}`;
  };
  const says = saying(run, seeds, work);
  const addressOf = (wanted: Setup): URL => {
    const text = written(wanted, usual);
    const address = new URL(location.href);
    if (text) address.searchParams.set(PARAMETER, text);
    else address.searchParams.delete(PARAMETER);
    return address;
  };
  const train = (wanted: Setup): void => {
    void runs.train(wanted, names, () => {
      setSetup(wanted);
      history.replaceState(history.state, "", addressOf(wanted));
    });
  };
  const changed = JSON.stringify(setup) !== JSON.stringify(run.begun.setup);
  return (
    <>
      <div class="wrap choose controls" data-busy={work !== null}>
        <label>
          Model{" "}
          <select
            value={rungOf(setup)}
            onInput={(event) => setSetup(setupOf(event.currentTarget.value as Rung, setup.seen, setup))}
          >
            {Object.entries(RUNGS).map(([key, { name }]) => (
              <option value={key}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Names seen{" "}
          <select
            value={setup.seen}
            onInput={(event) => setSetup(setupOf(rungOf(setup), Number(event.currentTarget.value), setup))}
          >
            {[...new Set([...SEEN, setup.seen])]
              .sort((a, b) => a - b)
              .map((seen) => (
                <option value={seen}>{grouped(seen)}</option>
              ))}
          </select>
        </label>
        <span class="wrap">
          <button type="button" class="train" onClick={() => (work === null ? train(setup) : runs.stop())}>
            {work === null ? "Train" : "Stop"}
          </button>
          {run.own && !complete(run) && work === null && !changed && (
            <button type="button" onClick={() => void runs.goOn()}>
              Go on
            </button>
          )}
          <button
            type="button"
            aria-disabled={work !== null || !run.own || !complete(run)}
            title="Train the same model ten times, each from other random numbers"
            onClick={() => work === null && run.own && complete(run) && void runs.trySeeds()}
          >
            Ten seeds
          </button>
        </span>
      </div>
      <p class="refusal" role="status">
        {!ofField(runs.refusal) && runs.refusal}
      </p>
      <p class="says">{says}</p>
      <Curves
        panel={{
          title: "loss in nats per token: on held-out names, and on the names it learns from (thin)",
          series,
          height: 260,
          least: [low, top],
        }}
        steps={steps}
        last={Math.max(2, reached)}
        cursor={cursor}
        label={`Held-out losses while they train, at the end: ${shown.map((each) => `${label(each)} ${loss(momentAt(each, steps - 1)?.heldOut)}`).join(", ")}`}
        describe={describe}
        along={{ unit: "names", places: Array.from({ length: steps }, (_, i) => place(i + 1)), ticks }}
      />
      <Names {...{ shown, at, label }} />
      <SetUp {...{ setup, setSetup, names, setNames, runs, train }} />
      <Inside runs={runs} at={at} first={first.doubled ? "cafecafe" : "emma"} />
      <div class="controls">
        <CopyLink address={() => addressOf(setup)} of="set-up" />
      </div>
      <span class="sr-only" role="status">
        {run.own && work === null && says}
      </span>
    </>
  );
}

const held = ({ heldOut }: Moment): number | null => heldOut;

const thousands = (seen: number): string => (seen < 1000 ? `${seen}` : `${seen / 1000}k`);

/** What each model invents at the moment that is shown, from the same random numbers. */
function Names({ shown, at, label }: { shown: Run[]; at: number; label(run: Run): string }) {
  return (
    <Readout
      invented
      caption="Names that they invent, at temperature 0.5, from the same random numbers"
      head={["model", "names seen", "held-out", "invents"]}
      rows={shown.toReversed().map((run) => {
        const moment = momentAt(run, at);
        return [label(run), moment ? grouped(moment.seen) : "–", loss(moment?.heldOut), listed(moment?.names)];
      })}
    />
  );
}

interface SetUpProps {
  setup: Setup;
  setSetup(setup: Setup): void;
  names: string;
  setNames(names: string): void;
  runs: Runs;
  train(setup: Setup): void;
}

/** All that can be changed of a run, folded away until it is wanted. */
function SetUp({ setup, setSetup, names, setNames, runs, train }: SetUpProps) {
  const id = useId();
  const { off, optimizer, model } = setup;
  const values = Object.fromEntries(FIELDS.map(([key]) => [key, setup[key]]));
  const toggle = (part: Off): void =>
    setSetup({ ...setup, off: off.includes(part) ? off.filter((each) => each !== part) : [...off, part] });
  // The network of Steps 1 and 2 has none of the parts.
  const parts = (Object.keys(OFF) as Off[]).filter(
    (part) => model === "gpt" || part === "zeroing" || (part === "correction" && optimizer === "Adam"),
  );
  return (
    <details class="set-up controls">
      <summary>Change the set-up: {nameOf(setup)}</summary>
      {model !== "counts" && (
        <>
          <Choices
            label="Optimizer"
            word="Steps by"
            class="choices"
            choices={["SGD", "Adam"] as const}
            value={optimizer}
            onChoose={(optimizer) => setSetup({ ...setup, optimizer })}
          />
          <fieldset class="wrap">
            <legend class="note">Switched on</legend>
            {parts.map((part) => (
              <label class="check">
                <input type="checkbox" checked={!off.includes(part)} onInput={() => toggle(part)} />
                {OFF[part]}
              </label>
            ))}
          </fieldset>
        </>
      )}
      <NumberForm
        id={id}
        fields={
          model === "counts"
            ? FIELDS.slice(-1)
            : model === "network"
              ? FIELDS.filter(([key]) => key !== "layers" && key !== "heads")
              : FIELDS
        }
        values={values}
        onRun={(numbers) => train({ ...setup, ...numbers })}
        run="Train with these"
        refusal={ofField(runs.refusal) ? { reason: runs.refusal } : null}
      >
        {runs.beside.length > 0 && (
          <button type="button" onClick={runs.clear}>
            Clear the other curves
          </button>
        )}
      </NumberForm>
      <label class="note own" for={`${id}-names`}>
        Your own names, one on each line; nothing is sent anywhere
      </label>
      <textarea
        id={`${id}-names`}
        rows={4}
        spellcheck={false}
        autocapitalize="none"
        autocomplete="off"
        placeholder="empty: the guide’s names"
        value={names}
        onInput={(event) => setNames(event.currentTarget.value)}
      />
    </details>
  );
}

/** A model at the moment that is shown: where its heads look. */
function Inside({ runs, at, first }: { runs: Runs; at: number; first: string }) {
  const { run, work } = runs;
  const id = useId();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(first);
  const [head, setHead] = useState(0);
  const [looked, setLooked] = useState<{ tokens: string[]; layers: number[][][][] }>({ tokens: [], layers: [] });
  const [refusal, setRefusal] = useState("");
  const [letter, setLetter] = useState(Number.POSITIVE_INFINITY); // the last
  const moment = momentAt(run, at);
  const { model, layers, heads, off } = run.begun.setup;
  const looks = model === "gpt" && !off.includes("attention");
  const index = moment?.index ?? -1;
  const ready = open && looks && run.own && work === null && index >= 0;
  useEffect(() => {
    if (!ready) return;
    let current = true;
    setRefusal("");
    runs
      .look((trainer) => trainer.attention(index, name))
      .then(
        (all) => current && setLooked(all),
        (error) => current && setRefusal((error as Error).message),
      );
    return () => {
      current = false;
    };
  }, [ready, index, name, run.begun]);
  const chosen = Math.min(head, layers * heads - 1);
  const weights = looked.layers[Math.floor(chosen / heads)]?.[chosen % heads] ?? [];
  return (
    <details class="inside controls" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Look inside, after {grouped(moment?.seen ?? 0)} names</summary>
      {!looks && <p>This model has no head that looks anywhere.</p>}
      {looks && !run.own && <p>Press Train: the page has no weights of the recorded run.</p>}
      {ready && (
        <>
          <label for={`${id}-name`}>Where does each letter look, in</label>{" "}
          <input
            id={`${id}-name`}
            type="text"
            value={name}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <p class="refusal" role="status">
            {refusal}
          </p>
          <Choices
            label="Head"
            class="choices"
            choices={Array.from({ length: layers * heads }, (_, i) => {
              const layer = layers > 1 ? `layer ${Math.floor(i / heads) + 1}, ` : "";
              return [i, `${layer}head ${(i % heads) + 1}`] as const;
            })}
            value={chosen}
            onChoose={setHead}
          />
          {weights.length > 0 && (
            <Looks
              tokens={["start", ...looked.tokens.slice(1)]}
              weights={weights}
              asks={Math.min(letter, weights.length - 1)}
              onAsk={setLetter}
            />
          )}
        </>
      )}
      {run.invented.length > 0 && (
        <p class="note">Complete, it invents these from the run’s own random numbers: {listed(run.invented)}.</p>
      )}
    </details>
  );
}
