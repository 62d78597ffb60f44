/** A name that grows letter by letter: the model draws, or the reader chooses, from any place. */

import { useEffect, useRef, useState } from "preact/hooks";
import { inDataset } from "../../parts/in_dataset.js";
import { roleOf } from "../../parts/kinds.js";
import { NumberForm } from "../../parts/number_form.js";
import { large, percent } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { useAlive } from "../../parts/use_alive.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Grow, GrownName, GrowParameters, GrowPlace } from "../types.js";

const TEMPERATURES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.5, 2, 3, 10];
const FIELDS: [key: string, name: string][] = [["seed", "seed"]];
/** Letters that are offered before the reader asks for all. */
const OFFERED = 10;
/** Milliseconds from letter to letter. */
const PACE = 320;
/** Names that are kept to come back to. */
const KEPT = 6;

/** How far a name has grown, and where the reader looks. */
interface View {
  /** Which of the names that Python grew. */
  which: number;
  /** Letters that have come. */
  count: number;
  /** Its end has come. */
  over: boolean;
  /** The place whose alternatives the reader wants to see; null for the newest. */
  picked: number | null;
}

/** What is to happen when Python has grown what was asked. */
interface Then {
  /** Stay at what was chosen, or take one letter more, or all; or what was chosen is all. */
  what: "stay" | "one" | "all" | "end";
  picked: number | null;
}

/** What stands on the screen. */
interface Shown {
  parameters: GrowParameters;
  result: Grow;
  view: View;
}

const END = "end";

interface TileProps {
  name: string;
  p: number;
  class: string;
  label: string;
  alive: boolean;
  /** Its share of a full tile. */
  share: number;
  press: () => void;
  pressed?: boolean;
  tabIndex?: number;
}

function Tile({ name, p, class: classes, label, alive, share, press, pressed, tabIndex = 0 }: TileProps) {
  const contents = (
    <>
      <span class="fill" style={{ height: `${Math.round(1000 * share) / 10}%` }} />
      <span class="letter">{name}</span>
      <span class="p">{p > 0.9995 ? "100%" : percent(p)}</span>
    </>
  );
  if (!alive) return <span class={`tile ${classes}`}>{contents}</span>;
  return (
    <button
      type="button"
      class={`tile ${classes}`}
      aria-label={label}
      aria-pressed={pressed}
      tabIndex={tabIndex}
      onClick={press}
    >
      {contents}
    </button>
  );
}

export default function GrowAName(given: Given<GrowParameters, Grow>) {
  const alive = useAlive();
  const python = usePython<GrowParameters, Grow>("grow", given);
  const first = given.result.names[0]?.name ?? "";
  const [shown, show] = useState<Shown>({
    ...given,
    view: { which: 0, count: first.length, over: true, picked: null },
  });
  const [kept, keep] = useState<Shown[]>([shown]);
  const [playing, play] = useState(false);
  const [all, showAll] = useState(false);
  const [said, say] = useState("");
  const then = useRef<Then>({ what: "stay", picked: null });
  const line = useRef<HTMLDivElement>(null);

  const { parameters, result, view } = shown;
  const { tokens, longest, names, places } = result;
  const bos = tokens.length - 1;
  const { which, count, over, picked } = view;
  const { name: planned, seed } = names[which] as GrownName;
  const name = planned.slice(0, count);
  const place = picked ?? (over ? Math.min(count, longest - 1) : count);
  const before = planned.slice(0, place);
  const here = places[before] as GrowPlace;
  const it = places[name] as GrowPlace;
  /** The token at a place of the name as it stands; none where nothing has come. */
  const tokenAt = (index: number): number | null =>
    index < count ? tokens.indexOf(name[index] as string) : index === count && over && count < longest ? bos : null;
  const called = (token: number): string => (token === bos ? END : (tokens[token] as string));
  const nameOf = (one: Shown): string => (one.result.names[one.view.which] as GrownName).name.slice(0, one.view.count);

  const membership = (one: Shown): string => inDataset(one.result.places[nameOf(one)] as GrowPlace);
  /** One draw further on the way that the seed has given. */
  const onward = (from: Shown): Shown => {
    const target = (from.result.names[from.view.which] as GrownName).name;
    const next = from.view.count + 1;
    const grown =
      next <= target.length ? { count: next, over: next >= from.result.longest } : { count: next - 1, over: true };
    return { ...from, view: { ...from.view, ...grown, picked: null } };
  };
  const arrive = (to: Shown): void => {
    show(to);
    if (!to.view.over) return playing ? undefined : say(`“${nameOf(to)}” so far.`);
    play(false);
    say(`The name is “${nameOf(to)}”. ${membership(to)}`);
    keep((older) => [to, ...older.filter((one) => nameOf(one) !== nameOf(to))].slice(0, KEPT));
  };
  const move = (to: Partial<View>): void => arrive({ ...shown, view: { ...view, picked: null, ...to } });

  // A new answer: what the reader has asked for goes on by itself.
  useEffect(() => {
    if (python.result === given.result) return;
    const { what, picked } = then.current;
    const size = python.parameters.chosen.length;
    const over = what === "end" || size >= python.result.longest;
    const { parameters, result } = python;
    const to: Shown = { parameters, result, view: { which: 0, count: size, over, picked } };
    if (what === "one") arrive(onward(to));
    else if (over && what !== "end") arrive(to);
    else {
      show(to);
      if (what === "stay") say(`“${parameters.chosen}” so far.`);
    }
    play(what === "all" && !over);
  }, [python.result]);

  useEffect(() => {
    if (!playing) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return move({ count: planned.length, over: true });
    const timer = setTimeout(() => arrive(onward(shown)), PACE);
    return () => clearTimeout(timer);
  }, [playing, shown]);

  const ask = (change: Partial<GrowParameters>, next: Partial<Then>, wait = false): void => {
    play(false);
    say("");
    then.current = { what: "stay", picked: null, ...next };
    const { temperature } = python.stale ? python.asked : parameters;
    python.ask({ ...parameters, temperature, seed, ...change }, wait);
  };
  /** At another temperature: what the reader still waits for, or what is there. */
  const cool = (temperature: number): void => {
    if (python.stale && python.refusal === null) ask({ ...python.asked, temperature }, then.current, true);
    else ask({ chosen: name, temperature }, { what: over ? "end" : "stay", picked }, true);
  };
  /** Draw from a place on, with a seed that has not been used. */
  const draw = (from: number, what: "one" | "all"): void => {
    const chosen = planned.slice(0, from);
    const next = which + 1;
    if (python.stale || chosen !== parameters.chosen || next >= names.length) {
      return ask({ chosen, seed: seed + 1 }, { what });
    }
    const start: Shown = { ...shown, view: { which: next, count: from, over: false, picked: null } };
    say("");
    if (what === "one") return arrive(onward(start));
    show(start);
    play(true);
  };
  const one = (): void => {
    play(false);
    if (picked !== null) return draw(picked, "one");
    if (!over) arrive(onward(shown));
  };
  const goOn = (): void => {
    if (playing) return play(false);
    if (picked !== null) return draw(picked, "all");
    if (!over) play(true);
  };
  const choose = (token: number): void => {
    play(false);
    if (token === bos) return move({ count: place, over: true });
    const letter = tokens[token] as string;
    if (planned[place] === letter) return move({ count: place + 1, over: place + 1 >= longest });
    ask({ chosen: before + letter }, {});
  };
  const pick = (to: number): void => {
    play(false);
    show({ ...shown, view: { ...view, picked: to } });
    const now = tokenAt(to);
    say(`Place ${to + 1}, ${now === null ? "nothing yet" : called(now)}.`);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const to = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: slots - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0 || to >= slots) return;
    pick(to);
    line.current?.querySelectorAll<HTMLElement>(".tile")[to]?.focus();
  };

  // The letters, and behind them the end or the place of what comes next.
  const slots = count < longest ? count + 1 : count;
  const probabilities = here.probabilities;
  const p = (token: number): number => probabilities[token] ?? 0;
  const order = probabilities.map((_, token) => token).toSorted((a, b) => p(b) - p(a));
  const largest = Math.max(...probabilities);
  const offered = order.slice(0, all ? order.length : OFFERED);
  const nowHere = tokenAt(place);
  const waits = over && picked === null;
  const drawn = over && name === planned;
  const call =
    `sample(model, tokenizer, random.Random(${seed}), ${parameters.temperature}` +
    `${parameters.chosen === "" ? "" : `, "${parameters.chosen}"`})`;
  const after = before === "" ? "At the beginning" : `After “${before}”`;
  return (
    <div style={roleOf("activation")}>
      <div
        class={python.stale ? "line stale" : "line"}
        role="group"
        aria-label="The name"
        ref={line}
        onKeyDown={onKeyDown}
      >
        {Array.from({ length: slots }, (_, index) => {
          const token = tokenAt(index);
          const at = places[planned.slice(0, index)] as GrowPlace;
          const p = token === null ? Number.NaN : (at.probabilities[token] as number);
          const text = token === null ? "?" : called(token);
          const classes = [
            token === bos && "over",
            token === null && "open",
            index === place && "here",
            picked !== null && index > picked && "later",
          ];
          return (
            <Tile
              name={text}
              p={p}
              class={classes.filter(Boolean).join(" ")}
              label={token === null ? `Place ${index + 1}: nothing yet` : `Place ${index + 1}: ${text}, ${percent(p)}`}
              alive={alive}
              share={p || 0}
              press={() => pick(index)}
              pressed={index === place}
              tabIndex={index === place ? 0 : -1}
            />
          );
        })}
      </div>
      <p class="says">
        {over ? (
          <>
            {it.one_in === 0 ? "Hardly ever would the model say" : `One name in ${large(it.one_in)} is`}{" "}
            <b>{name === "" ? "no letter at all" : `“${name}”`}</b>. {membership(shown)}
          </>
        ) : count === 0 ? (
          "Nothing has come yet."
        ) : (
          <>
            {percent(it.begins)} of its names begin with <b>“{name}”</b>.
          </>
        )}
      </p>
      <div class="choices controls" role="group" aria-label="Grow">
        <button type="button" class="main" onClick={() => draw(0, "all")}>
          New name
        </button>
        <button type="button" aria-disabled={waits} onClick={() => waits || one()}>
          One letter
        </button>
        <button type="button" aria-disabled={waits} onClick={() => waits || goOn()}>
          {playing ? "Pause" : "Let the model go on"}
        </button>
        <span class="sr-only" role="status">
          {said}
        </span>
      </div>
      <p class="asked">
        {after}, the model gives at temperature {parameters.temperature}:
      </p>
      <div class="offered" role="group" aria-label={`What could come next. ${after}`}>
        {offered.map((token) => (
          <Tile
            name={called(token)}
            p={p(token)}
            class={[token === nowHere && "chosen", token === bos && "over"].filter(Boolean).join(" ")}
            label={`${called(token)}, ${percent(p(token))}`}
            alive={alive}
            share={p(token) / largest}
            press={() => choose(token)}
            pressed={token === nowHere}
          />
        ))}
      </div>
      <div class="more controls">
        <button type="button" aria-expanded={all} onClick={() => showAll(!all)}>
          {all ? "The likeliest only" : `All ${tokens.length}`}
        </button>
        <Slider
          label="temperature"
          value={TEMPERATURES.indexOf((python.stale ? python.asked : parameters).temperature)}
          min={0}
          max={TEMPERATURES.length - 1}
          step={1}
          format={(index) => String(TEMPERATURES[index])}
          onInput={(index) => cool(TEMPERATURES[index] as number)}
        />
      </div>
      <p class="call">{drawn ? <code>{call}</code> : ""}</p>
      <NumberForm
        id="grow"
        fields={FIELDS}
        values={{ seed: python.stale ? python.asked.seed : seed }}
        onRun={(numbers) => ask({ chosen: "", ...numbers }, { what: "all" })}
        run="Grow"
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </NumberForm>
      <div class="choices kept controls" role="group" aria-label="Names so far">
        {kept.map((one) => (
          <button
            type="button"
            aria-pressed={nameOf(one) === name && over}
            onClick={() => {
              play(false);
              show(one);
              say(`Back to “${nameOf(one)}”.`);
            }}
          >
            {nameOf(one) || "(no letter)"}
          </button>
        ))}
      </div>
    </div>
  );
}
