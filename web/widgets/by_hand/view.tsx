/** `analytic_gradient` for one pair of a name: each line, and the vector that it writes. */

import { useEffect, useState } from "preact/hooks";
import { HeatMap, type PickedCell, usePickedCell } from "../../parts/heat_map.js";
import type { Kind } from "../../parts/kinds.js";
import { Listing } from "../../parts/listing.js";
import { significant } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { ByHand, ByHandMatrix, ByHandParameters, ByHandStep } from "../types.js";

/** What goes forward, and the slopes of the loss in its numbers. */
const ROWS: [vector: string, slopes: string][] = [
  ["x", "d_x"],
  ["hidden", "d_hidden"],
  ["activated", "d_activated"],
  ["probabilities", "d_logits"],
];
/** What the largest number of a matrix stands as. */
const WHOLE = 99;
/** The largest side of a cell, in pixels. */
const CELL = 12;
const SMALL = 4;

type State = ByHandParameters["weights"];

const nothing = (size: number): string[] => Array.from({ length: size }, () => "");

/** The place of the number that is furthest from 0. */
function strongest(steps: ByHandStep[], name: string): number {
  const sizes = (steps.findLast(({ wrote }) => wrote === name)?.values ?? [0]).map(Math.abs);
  return sizes.indexOf(Math.max(...sizes));
}

interface StripProps {
  name: string;
  kind: Kind;
  /** What is written there by now, if anything. */
  values: number[] | null;
  /** What will be written there. */
  size: number;
  now: boolean;
  /** What its numbers are for. */
  names: string[];
  cell: PickedCell;
}

/** A vector, a cell for each number; empty until a line writes it. */
function Strip({ name, kind, values, size, now, names, cell }: StripProps) {
  const index = cell.at[1];
  const at = names[index] ?? "";
  const says = (column: number): string =>
    `${name}, ${names[column]}: ${values === null ? "not yet written" : significant(values[column] ?? 0, 4)}`;
  return (
    <div class={["vector", values === null && "unwritten", now && "now"].filter(Boolean).join(" ")}>
      <p class="head">
        <code>{name}</code>
        <span class="of">{at}</span>
        <span class="number">{values === null ? "–" : significant(values[index] ?? 0, 4)}</span>
      </p>
      <HeatMap
        rows={[""]}
        columns={nothing(size)}
        values={[values ?? nothing(size).map(() => 0)]}
        scale={name === "probabilities" ? "sequential" : "diverging"}
        kind={kind}
        picked={[0, index]}
        onPick={cell.pick}
        onLook={cell.look}
        format={(value) => significant(value, 4)}
        describe={(_, column) => says(column)}
        label={`${name}: ${values === null ? "not yet written" : `${size} numbers`}`}
        cell={CELL}
      />
    </div>
  );
}

interface GradientProps {
  matrix: ByHandMatrix;
  grown: boolean;
  now: boolean;
  /** The row of the pair's token or target, which is named. */
  row: number | undefined;
  tokens: string[];
}

/** The gradient of a matrix, as far as it has been added up. */
function Gradient({ matrix, grown, now, row, tokens }: GradientProps) {
  const { name, limit, before, after } = matrix;
  const values = grown ? after : before;
  const columns = values[0]?.length ?? 0;
  const shown = (value: number): string => significant((value * limit) / WHOLE, 2);
  return (
    <div class={now ? `gradient-of ${name} now` : `gradient-of ${name}`}>
      <p class="head">
        <code>{`gradient["${name}"]`}</code>
        <span class="of">
          {values.length} × {columns}, up to ±{significant(limit, 2)}
        </span>
      </p>
      <HeatMap
        rows={values.map((_, index) => (index === row ? (tokens[index] as string) : ""))}
        columns={nothing(columns)}
        values={values}
        scale="diverging"
        kind="gradient"
        limit={WHOLE}
        picked={null}
        format={shown}
        label={
          `Gradient of ${name}, ${values.length} by ${columns}, ` +
          (grown ? "this pair's part added" : "before this pair's part is added")
        }
        cell={SMALL}
      />
    </div>
  );
}

export default function ByHandSteps(given: Given<ByHandParameters, ByHand>) {
  const python = usePython<ByHandParameters, ByHand>("by_hand", given);
  const { tokens, pairs, token, target, steps, matrices } = python.result;
  const [place, move] = useState(given.result.steps.length - 1);
  const at = Math.min(place, steps.length - 1);
  const step = steps[at] as ByHandStep;
  const embedding = usePickedCell([0, 0]);
  const unit = usePickedCell([0, strongest(given.result.steps, "d_hidden")]);
  const logit = usePickedCell([0, given.result.target]);
  const cells = [embedding, unit, unit, logit];
  const { asked } = python;
  const ask = (changed: Partial<ByHandParameters>, wait = false): void => python.ask({ ...asked, ...changed }, wait);
  // The target of another pair is another logit.
  useEffect(() => {
    if (python.result !== given.result) logit.pick(0, target);
  }, [python.result]);
  const soFar = steps.slice(0, at + 1);
  const strip = (name: string, kind: Kind, index: number) => {
    const all = steps.filter(({ wrote }) => wrote === name);
    const size = all[0]?.values.length ?? 0;
    const names = [
      (i: number) => `number ${i}`,
      (i: number) => `hidden unit ${i}`,
      (i: number) => `hidden unit ${i}`,
      (i: number) => (i === target ? `${tokens[i]}, the target` : (tokens[i] as string)),
    ][index] as (i: number) => string;
    return (
      <Strip
        name={name}
        kind={kind}
        values={soFar.findLast(({ wrote }) => wrote === name)?.values ?? null}
        size={size}
        now={step.wrote === name}
        names={Array.from({ length: size }, (_, i) => names(i))}
        cell={cells[index] as PickedCell}
      />
    );
  };
  return (
    <>
      <TextField
        id="by-hand"
        label="A name"
        value={asked.name}
        onInput={(name) => ask({ name, pair: 1 }, true)}
        onEnter={(name) => ask({ name, pair: 1 })}
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <div class="pairs controls" role="group" aria-label="Pairs of the name">
        {pairs.map((pair, index) => (
          <button
            type="button"
            aria-pressed={index + 1 === python.parameters.pair}
            onClick={() => ask({ name: python.parameters.name, pair: index + 1 })}
          >
            {pair}
          </button>
        ))}
        <label class="choice">
          <span class="sr-only">Network</span>
          <select value={asked.weights} onInput={({ currentTarget }) => ask({ weights: currentTarget.value as State })}>
            <option value="untrained">untrained network</option>
            <option value="trained">after 1,000 steps</option>
          </select>
        </label>
      </div>
      <div class={python.stale ? "by-line stale" : "by-line"}>
        <Listing file={python.result.file} functions={python.result.functions} line={step.line} />
        <div class="strips">
          {ROWS.map(([vector, slopes], index) => (
            <div class="twins">
              {strip(vector, "activation", index)}
              {strip(slopes, "gradient", index)}
            </div>
          ))}
        </div>
      </div>
      <p class="words">{step.says}</p>
      <Player
        last={steps.length - 1}
        at={at}
        onMove={move}
        label="analytic_gradient, line by line"
        describe={(to) => (steps[to] as ByHandStep).says}
      />
      <div class="gradients">
        {matrices.map((matrix) => (
          <Gradient
            matrix={matrix}
            grown={soFar.some((one) => one.matrix === matrix.name)}
            now={step.matrix === matrix.name}
            row={{ wte: token, fc2: target }[matrix.name]}
            tokens={tokens}
          />
        ))}
      </div>
    </>
  );
}
