/** One token through the whole model: the residual stream, what leaves it and comes back, and each number's making. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { roleOf } from "../../parts/kinds.js";
import { Listing } from "../../parts/listing.js";
import { decimals, significant } from "../../parts/numerals.js";
import { IconButton, Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Strip } from "../../parts/strip.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Walk, WalkCache, WalkParameters, WalkStage } from "../types.js";

const STATES: WalkParameters["weights"][] = ["untrained", "trained"];
const FILES = "microgpt/model.py, attention.py and nn.py";
/** So many of the numbers that make another are listed. */
const LISTED = 5;

/* The picture, in pixels: a row for each stage, taller where it has one for each head. */
const ROW = 30;
const HEADS = 52;
const HEADING = 27;
/** The stream, what a part of a layer computes, and the keys and values on their way to the cache. */
const LANES = [11, 27, 41, 55];
const BEND = 17;

interface Part {
  name: string;
  text: string;
  /** What it adds, or how large it is: its bar is as long. */
  size: number;
  /** Where it stands in the picture, unless it was there before this token. */
  cell: [stage: number, index: number] | null;
}

interface Detail {
  title: string;
  how: string;
  parts: Part[];
  /** What those that are not listed come to, and how many they are. */
  rest: { count: number; size: number } | null;
}

const short = (value: number): string => significant(value, 3);
/** A parameter comes with four decimals: a small one has no third digit to show. */
const parameter = (value: number): string => (Math.abs(value) < 0.1 ? decimals(value, 4) : short(value));
const forHeads = ({ made }: WalkStage): boolean => made === "score" || made === "weight";
const largest = (values: number[]): number =>
  values.reduce((best, value, index) => (Math.abs(value) > Math.abs(values[best] as number) ? index : best), 0);

/** The largest of the parts, and what the others come to. */
function largestOf(parts: Part[], total: number): Pick<Detail, "parts" | "rest"> {
  const listed = parts
    .filter(({ size }) => size !== 0)
    .toSorted((a, b) => Math.abs(b.size) - Math.abs(a.size))
    .slice(0, parts.length > LISTED + 1 ? LISTED : LISTED + 1);
  const count = parts.length - listed.length;
  const size = total - listed.reduce((sum, part) => sum + part.size, 0);
  return { parts: listed, rest: count > 0 ? { count, size } : null };
}

const letterOf = (walk: Walk, at: number): string => walk.tokens[walk.read[at] as number] as string;
const tokenAt = (walk: Walk, at: number): string => `${letterOf(walk, at)} (${at})`;

/** A number in words and signs, without its value. */
function nameOf(walk: Walk, stage: WalkStage, index: number): string {
  const count = walk.read.length;
  if (forHeads(stage)) {
    return `${stage.made} of ${tokenAt(walk, index % count)} in head ${Math.floor(index / count)}`;
  }
  if (stage.name === "logits") return `logit of ${walk.tokens[index]}`;
  if (stage.made === "chance") return `probability of ${walk.tokens[index]}`;
  return `${stage.name}[${index}]`;
}

/** How a number was made, of the numbers that Python gave. */
function detail(walk: Walk, at: number, index: number): Detail {
  const stage = walk.stages[at] as WalkStage;
  const value = stage.values[index] as number;
  const inputs = stage.inputs.map((input) => walk.stages[input] as WalkStage);
  const input = inputs[0] as WalkStage;
  const [from, and] = stage.inputs as [number, number];
  const cache = walk.caches[stage.layer] as WalkCache;
  const count = walk.read.length;
  const one = (part: Part): Pick<Detail, "parts" | "rest"> => ({ parts: [part], rest: null });
  const name = nameOf(walk, stage, index);
  const title = `${name} = ${short(value)}`;
  switch (stage.made) {
    case "row":
      return {
        title,
        how: "A parameter, looked up: nothing is computed.",
        ...one({ name: `${stage.matrix}[${stage.row}][${index}]`, text: "", size: value, cell: null }),
      };
    case "sum":
      return {
        title,
        how: "The sum of two numbers:",
        parts: inputs.map((each, which) => ({
          name: `${each.name}[${index}]`,
          text: "",
          size: each.values[index] as number,
          cell: [stage.inputs[which] as number, index],
        })),
        rest: null,
      };
    case "scaled": {
      const text = `${short(input.values[index] as number)} × ${short(stage.scale)}`;
      return {
        title,
        how: "One number, times what all the others are multiplied by:",
        ...one({ name: `x[${index}]`, text, size: value, cell: [from, index] }),
      };
    }
    case "product": {
      const row = walk.weights[stage.matrix]?.[index] as number[];
      const parts = row.map((whole, place): Part => {
        const [x, weight] = [input.values[place] as number, whole * walk.unit];
        const text = `${short(x)} × ${parameter(weight)}`;
        return { name: `${input.name}[${place}]`, text, size: x * weight, cell: [from, place] };
      });
      const matrix = stage.matrix.split(".").at(-1);
      return {
        title,
        how: `The dot product of ${input.name} with row ${index} of ${matrix}: ${row.length} products, the largest first.`,
        ...largestOf(parts, value),
      };
    }
    case "relu": {
      const before = input.values[index] as number;
      return {
        title,
        how: before > 0 ? "Above 0, so ReLU lets it pass:" : "Not above 0, so ReLU makes it 0:",
        ...one({ name: `${input.name}[${index}]`, text: "", size: before, cell: [from, index] }),
      };
    }
    case "score": {
      const [head, token] = [Math.floor(index / count), index % count];
      const width = input.values.length / walk.heads;
      const key = cache.keys[token] as number[];
      const parts = Array.from({ length: width }, (_, i): Part => {
        const place = head * width + i;
        const [q, k] = [input.values[place] as number, key[place] as number];
        const text = `${short(q)} × ${short(k)}`;
        return { name: `${input.name}[${place}]`, text, size: q * k, cell: [from, place] };
      });
      const last = head * width + width - 1;
      return {
        title,
        how:
          `Head ${head}, numbers ${head * width} to ${last}: the query, times the key of ${tokenAt(walk, token)}. ` +
          `The sum ${short(value / stage.scale)} times ${short(stage.scale)} is the score.`,
        parts,
        rest: null,
      };
    }
    case "weight": {
      const head = Math.floor(index / count);
      const parts = walk.read.map((_, token): Part => {
        const place = head * count + token;
        const text = `score ${short(input.values[place] as number)}`;
        return { name: tokenAt(walk, token), text, size: stage.values[place] as number, cell: [from, place] };
      });
      return { title, how: `softmax of the scores in head ${head}; all its weights:`, ...largestOf(parts, 1) };
    }
    case "average": {
      const head = Math.floor((index * walk.heads) / stage.values.length);
      const parts = walk.read.map((_, token): Part => {
        const place = head * count + token;
        const [weight, v] = [input.values[place] as number, cache.values[token]?.[index] as number];
        const text = `${short(weight)} × ${short(v)}`;
        const here = token === count - 1;
        return { name: tokenAt(walk, token), text, size: weight * v, cell: here ? [and, index] : [from, place] };
      });
      return {
        title,
        how: `Head ${head}: each weight times number ${index} of the value of its token, added up.`,
        ...largestOf(parts, value),
      };
    }
    case "chance": {
      const parts = stage.values.map((p, token): Part => {
        const text = `logit ${short(input.values[token] as number)}`;
        return { name: walk.tokens[token] as string, text, size: p, cell: [from, token] };
      });
      return {
        title,
        how: `softmax of all logits; that of ${walk.tokens[index]} is ${short(input.values[index] as number)}. The likeliest tokens:`,
        ...largestOf(parts, 1),
      };
    }
  }
}

interface Place {
  top: number;
  middle: number;
  height: number;
  lane: number;
}

interface Plan {
  places: Place[];
  headings: { text: string; top: number }[];
  height: number;
}

const HEADINGS: Record<WalkStage["part"], (layer: number) => string> = {
  in: () => "into the stream",
  attention: (layer) => `layer ${layer}: attention`,
  mlp: (layer) => `layer ${layer}: MLP`,
  out: () => "out of the stream",
};

function laneOf({ name, part, stream }: WalkStage): number {
  if (stream || part === "out" || name === "token_embedding") return 0;
  return name === "key" ? 2 : name === "value" ? 3 : 1;
}

/** Where everything stands. */
function planOf(stages: WalkStage[]): Plan {
  const plan: Plan = { places: [], headings: [], height: 0 };
  stages.forEach((stage, index) => {
    const before = stages[index - 1];
    if (before?.part !== stage.part || before.layer !== stage.layer) {
      plan.headings.push({ text: HEADINGS[stage.part](stage.layer), top: plan.height });
      plan.height += HEADING;
    }
    const height = forHeads(stage) ? HEADS : ROW;
    plan.places.push({
      top: plan.height,
      middle: plan.height + height / 2,
      height,
      lane: LANES[laneOf(stage)] as number,
    });
    plan.height += height;
  });
  return plan;
}

/** From one stage down to another: what leaves its lane does so at once, what comes back does so late. */
function wire(from: Place, to: Place): string {
  const [x, y, end] = [from.lane, from.middle, to.middle];
  if (to.lane === x) return `M${x} ${y}V${end}`;
  if (to.lane > x) return `M${x} ${y}C${x} ${y + 12} ${to.lane} ${y + 4} ${to.lane} ${y + BEND}V${end}`;
  return `M${x} ${y}V${end - BEND}C${x} ${end - 4} ${to.lane} ${end - 12} ${to.lane} ${end}`;
}

function Wires({ stages, plan, at }: { stages: WalkStage[]; plan: Plan; at: number }) {
  const wires = stages.flatMap((stage, to) =>
    stage.inputs.map((from) => ({
      path: wire(plan.places[from] as Place, plan.places[to] as Place),
      kind: ["wire", stage.stream && stages[from]?.stream && "stream", to === at && "strong"],
    })),
  );
  return (
    <svg class="wires" viewBox={`0 0 64 ${plan.height}`} width="64" height={plan.height} aria-hidden="true">
      {wires
        .toSorted((a, b) => Number(a.kind[2] === "strong") - Number(b.kind[2] === "strong"))
        .map(({ path, kind }) => (
          <path class={kind.filter(Boolean).join(" ")} d={path} />
        ))}
      {stages.map((stage, index) => {
        const { lane, middle } = plan.places[index] as Place;
        const adds = stage.made === "sum";
        return (
          <g
            class={index === at ? "node picked" : "node"}
            style={roleOf(stage.kind)}
            transform={`translate(${lane} ${middle})`}
          >
            <circle r={adds ? 7.5 : 5} />
            {adds && <path d="M-4 0H4M0-4V4" />}
          </g>
        );
      })}
    </svg>
  );
}

/** The token of each column, where a stage has a number for each token read. */
function Letters({ walk }: { walk: Walk }) {
  return (
    <div class="letters" style={{ "--columns": String(walk.read.length) }} aria-hidden="true">
      {walk.read.map((_, at) => (
        <span>{letterOf(walk, at).length > 1 ? "·" : letterOf(walk, at)}</span>
      ))}
    </div>
  );
}

/** Numbers of one kind of stage are picked alike: x[3] leads to query[3]. */
const groupOf = (stage: WalkStage): string => (forHeads(stage) ? "heads" : String(stage.values.length));

export default function WalkThrough(given: Given<WalkParameters, Walk>) {
  const python = usePython<WalkParameters, Walk>("walk", given);
  const walk = python.result;
  const { asked, ask } = python;
  const { stages } = walk;
  const [at, setAt] = useState(() => given.result.stages.findIndex(({ made }) => made === "product"));
  const [picks, setPicks] = useState<Record<string, number>>({});
  // Where the reader wants to be, even while the name is too short for it.
  const [wanted, want] = useState(given.parameters.position);
  const stage = stages[at] as WalkStage;
  const count = walk.read.length;
  const plan = planOf(stages);

  /** The number that is shown of a stage; the largest where the reader has picked none. */
  const pickOf = (each: WalkStage): number => {
    const group = groupOf(each);
    const fallback = (): number => largest(stages.findLast((other) => groupOf(other) === group)?.values ?? []);
    const picked = picks[group] ?? fallback();
    return Math.min(picked, each.values.length - 1);
  };
  const index = pickOf(stage);
  const pick = (to: number): void => setPicks({ ...picks, [groupOf(stage)]: to });
  const go = (to: number): void => setAt(to);
  const shown = detail(walk, at, index);
  const widest = Math.max(...shown.parts.map(({ size }) => Math.abs(size)), Math.abs(shown.rest?.size ?? 0));
  const marked = (place: number): number[] => shown.parts.flatMap(({ cell }) => (cell?.[0] === place ? [cell[1]] : []));
  const change = (changes: Partial<WalkParameters>, wait = false): void => {
    const next = { ...asked, position: wanted, ...changes };
    const last = [...next.name.trim()].length;
    ask({ ...next, position: Math.min(next.position, last) }, wait);
  };
  const pointed = (event: PointerEvent & { currentTarget: HTMLElement }, to: number): void => {
    const each = stages[to] as WalkStage;
    const box = event.currentTarget.querySelector(".strip")?.getBoundingClientRect();
    if (box === undefined) return;
    const columns = forHeads(each) ? count : each.values.length;
    const rows = each.values.length / columns;
    const part = (share: number, of: number): number => Math.max(0, Math.min(of - 1, Math.floor(share * of)));
    const row = part((event.clientY - box.top) / box.height, rows);
    const column = part((event.clientX - box.left) / box.width, columns);
    setPicks({ ...picks, [groupOf(each)]: row * columns + column });
    go(to);
  };
  const letters = ["BOS", ...asked.name.trim()].slice(0, 16);
  const dotted = walk.tokens.map((token) => (token.length > 1 ? "·" : token));
  const tokenwise = stage.values.length === walk.tokens.length;
  const columns = forHeads(stage) ? count : tokenwise ? 14 : 16;
  const narrow = forHeads(stage) ? count : tokenwise ? 14 : stage.values.length > 16 ? 16 : 8;
  const before = walk.read.slice(0, -1).map((_, place) => letterOf(walk, place));
  return (
    <>
      <TextField
        id="walk"
        label="A name"
        value={asked.name}
        onInput={(name) => change({ name }, true)}
        onEnter={(name) => change({ name })}
        refusal={python.refusal}
      >
        <label class="choice">
          position{" "}
          <select
            aria-label="Position"
            value={asked.position}
            onInput={(event) => {
              const position = Number(event.currentTarget.value);
              want(position);
              change({ position });
            }}
          >
            {letters.map((letter, position) => (
              <option value={position}>
                {position}: {letter}
              </option>
            ))}
          </select>
        </label>
        <Choices
          label="Weights"
          choices={STATES}
          value={asked.weights}
          onChoose={(weights) => change({ weights })}
          class="states"
        />
        <PythonStatus python={python} />
      </TextField>
      <p class="title now">
        The {python.parameters.weights} model reads {tokenAt(walk, count - 1)}
        {before.length > 0 && `, after ${before.join(" ")}`}
      </p>
      <div class={python.stale ? "walk stale" : "walk"}>
        <div
          class="map"
          role="radiogroup"
          aria-label="Stages, from the token to the probabilities"
          style={{ height: `${plan.height}px` }}
        >
          <Wires stages={stages} plan={plan} at={at} />
          {plan.headings.map(({ text, top }) => (
            <p class="heading" style={{ top: `${top}px`, height: `${HEADING}px` }}>
              {text}
            </p>
          ))}
          {stages.map((each, place) => {
            const { top, height } = plan.places[place] as Place;
            const heads = forHeads(each);
            const classes = [
              "station",
              each.stream && "stream",
              heads && "heads",
              each.name.includes("embedding") && "long",
              each.values.length > 16 && !heads && "dense",
              place === at && "picked",
              stage.inputs.includes(place) && "input",
            ];
            const hint = each.stream ? (each.made === "sum" ? "sum" : "scaled") : "";
            return (
              <div class={classes.filter(Boolean).join(" ")} style={{ top: `${top}px`, height: `${height}px` }}>
                <input
                  class="controls"
                  type="radio"
                  name="walk-stage"
                  id={`walk-stage-${place}`}
                  checked={place === at}
                  onInput={() => go(place)}
                />
                <label for={`walk-stage-${place}`}>
                  <code>
                    {each.name.split(/(?<=_)/).map((part) => (
                      <>
                        {part}
                        <wbr />
                      </>
                    ))}
                  </code>{" "}
                  <span class="hint">{hint}</span>
                  <span class="sr-only">, {HEADINGS[each.part](each.layer)}</span>
                </label>
                <div
                  class="tape"
                  aria-hidden="true"
                  onPointerDown={(event) => event.button === 0 && pointed(event, place)}
                >
                  {heads && <Letters walk={walk} />}
                  <Strip
                    values={each.values}
                    kind={each.kind}
                    limit={each.limit}
                    label={each.name}
                    columns={heads ? count : each.values.length}
                    narrow={heads ? count : each.values.length}
                    also={marked(place)}
                    picked={place === at ? index : null}
                  />
                </div>
              </div>
            );
          })}
        </div>
        <div class="panel">
          <Listing
            file={FILES}
            functions={walk.functions}
            line={stage.lines[0] as number}
            waiting={stage.lines.slice(1)}
            within={stage.within}
          />
          <div class="detail">
            <p class="says">{stage.says}</p>
            <div class="vector">
              {forHeads(stage) && <Letters walk={walk} />}
              <Strip
                id="walk-vector"
                values={stage.values}
                kind={stage.kind}
                limit={stage.limit}
                label={`The numbers in ${stage.name}`}
                {...(tokenwise && { names: dotted })}
                columns={columns}
                narrow={narrow}
                picked={index}
                onPick={pick}
                describe={(to) => `${nameOf(walk, stage, to)} = ${short(stage.values[to] as number)}`}
              />
            </div>
            <div class="head">
              <p class="title">{shown.title}</p>
              <span class="controls">
                <IconButton icon="back" says="One number back" off={index === 0} press={() => pick(index - 1)} />
                <IconButton
                  icon="on"
                  says="One number on"
                  off={index === stage.values.length - 1}
                  press={() => pick(index + 1)}
                />
              </span>
            </div>
            <p class="how" role="status">
              {shown.how}
            </p>
            <ul class="contributions" style={roleOf(stage.kind)}>
              {Array.from({ length: LISTED + 1 }, (_, place) => {
                const { rest } = shown;
                const part =
                  shown.parts[place] ??
                  (place === shown.parts.length && rest
                    ? { name: `${rest.count} others`, text: "", size: rest.size }
                    : undefined);
                if (part === undefined) return <li class="empty" aria-hidden="true" />;
                const result = stage.made === "weight" || stage.made === "chance";
                const share = widest > 0 ? Math.round((1000 * Math.abs(part.size)) / widest) / 20 : 0;
                return (
                  <li class={part.size < 0 ? "below" : result ? "result" : ""}>
                    <span class="name">{part.name}</span>
                    <span class="text">{part.text}</span>
                    <span class="size">{short(part.size)}</span>
                    <span class="track" aria-hidden="true">
                      <span class="bar-of-product" style={{ width: `${share}%` }} />
                    </span>
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      </div>
      <Player
        last={stages.length - 1}
        at={at}
        onMove={go}
        label="The forward pass, stage by stage"
        describe={(to) => `${stages[to]?.name}. ${stages[to]?.says}`}
      />
      <p class="note">
        The thick line is the residual stream. A dash marks a number below 0, an empty cell a 0, · stands for BOS.
        Vectors that are added have one scale; every other vector has its own.
      </p>
    </>
  );
}
