/** Names drawn letter by letter: a number falls on a line that is cut into pieces. */

import { useState } from "preact/hooks";
import { roleOf } from "../../parts/kinds.js";
import { NumberForm } from "../../parts/number_form.js";
import { decimals } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Draw, SampledName, Sampler, SamplerParameters } from "../types.js";

const FIELDS: [key: keyof SamplerParameters, name: string][] = [["seed", "seed"]];

/** The shortest pieces that have room for their letter: everywhere, and on wide screens. */
const ROOM = [0.036, 0.019];
/** The same for a piece whose name has three letters. */
const ROOM_FOR_THREE = [0.085, 0.045];

interface LineProps {
  tokens: string[];
  cuts: number[];
  /** Where the point falls; null before it does. */
  draw: Draw | null;
  label: string;
}

function Line({ tokens, cuts, draw, label }: LineProps) {
  const percent = (part: number): string => `${Math.round(1e5 * part) / 1000}%`;
  return (
    <div class="cut-line" role="img" aria-label={label} style={roleOf("data")}>
      {draw && (
        <span class="point" style={{ left: percent(draw.number) }}>
          <span style={{ transform: `translateX(-${percent(draw.number)})` }}>{draw.number.toFixed(5)}</span>
        </span>
      )}
      <span class="pieces">
        {cuts.map((end, token) => {
          const length = end - (cuts[token - 1] ?? 0);
          const name = tokens[token] as string;
          const [always, wide] = (name.length > 1 ? ROOM_FOR_THREE : ROOM) as [number, number];
          const room = length >= always ? "" : length >= wide ? "narrow" : "none";
          const hit = token === draw?.drawn ? "hit" : token % 2 ? "odd" : "";
          return (
            <span class={`piece ${hit} ${room}`} style={{ width: percent(length) }}>
              {room === "none" ? "" : <span>{name}</span>}
            </span>
          );
        })}
      </span>
      <span class="ends" aria-hidden="true">
        <span>0</span>
        <span>0.5</span>
        <span>1</span>
      </span>
    </div>
  );
}

export default function SampleNames(given: Given<SamplerParameters, Sampler>) {
  const python = usePython<SamplerParameters, Sampler>("sampler", given);
  const { tokens, cuts, names } = python.result;
  const [{ of, at: moved }, setPlace] = useState({ of: given.result, at: 1 });
  const [said, say] = useState("");
  const at = of === python.result ? moved : 1;
  const move = (to: number): void => setPlace({ of: python.result, at: to });
  // Which draw of which name each step makes; at step 0 nothing has been drawn.
  const draws = names.flatMap((sampled, which) => sampled.draws.map((draw, nth) => ({ draw, sampled, which, nth })));
  const ends = draws.flatMap(({ sampled, nth }, index) => (nth === sampled.draws.length - 1 ? [index + 1] : []));
  const last = draws.length;
  const { draw, sampled, which, nth } = draws[Math.max(0, at - 1)] as (typeof draws)[number];
  const called = (token: number): string => tokens[token] ?? "";
  const stops = ({ draws: all, name }: SampledName): boolean => all.length > name.length;
  const letters = sampled.draws.slice(0, at === 0 ? 0 : nth + 1).map(({ drawn }) => called(drawn));
  const finished = nth === sampled.draws.length - 1;
  const describe = (to: number): string => {
    const step = draws[to - 1];
    if (step === undefined) return "Nothing has been drawn yet.";
    const { draw: one, sampled: of, nth: place } = step;
    const falls =
      `After ${called(one.token)}: ${one.number.toFixed(5)} falls on ${called(one.drawn)}, ` +
      `from ${one.start.toFixed(5)} to ${one.end.toFixed(5)} (p ${decimals(one.p, 4)}).`;
    if (place < of.draws.length - 1) return falls;
    if (!stops(of)) return `${falls} No more letters fit: “${of.name}”.`;
    return of.name === "" ? `${falls} The name ends before it begins.` : `${falls} The name is “${of.name}”.`;
  };
  const go = (to: number): void => {
    if (to === at) return;
    move(to);
    say(describe(to));
  };
  const buttons: [name: string, to: number][] = [
    ["One letter", Math.min(last, at + 1)],
    ["A whole name", ends.find((end) => end > at) ?? last],
    ["All twenty names", last],
  ];
  return (
    <>
      <p class="title">
        What comes after <b>{called(draw.token)}</b>? Each token has a piece as long as its probability.
      </p>
      <Line tokens={tokens} cuts={cuts[draw.token] as number[]} draw={at === 0 ? null : draw} label={describe(at)} />
      <p class="words">{describe(at)}</p>
      <p class="growing">
        <span class="label">Name {which + 1}</span>
        <span class="letters">
          {letters.map((letter, index) => (
            <span class={index === nth ? "letter now" : "letter"}>{letter}</span>
          ))}
        </span>
      </p>
      <div class="choices controls" role="group" aria-label="Draw">
        {buttons.map(([name, to]) => (
          <button type="button" aria-disabled={to === at} onClick={() => go(to)}>
            {name}
          </button>
        ))}
        <span class="sr-only" role="status">
          {said}
        </span>
      </div>
      <Player
        last={last}
        at={at}
        onMove={(to) => {
          say("");
          move(to);
        }}
        label="drawing names"
        describe={describe}
      />
      <ol class="sampled" aria-label="Names so far">
        {names.map(({ name }, index) => {
          const done = index < which || (index === which && finished);
          return <li class={done ? "" : "empty"}>{done ? name || <i>no letter</i> : ""}</li>;
        })}
      </ol>
      <NumberForm
        id="sampler"
        fields={FIELDS}
        values={{ ...python.asked }}
        onRun={(numbers) => python.ask({ ...python.asked, ...numbers })}
        run="Draw again"
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </NumberForm>
    </>
  );
}
