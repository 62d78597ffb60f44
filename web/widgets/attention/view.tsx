/** Attention, seen: who asks whom, what comes of it, and the sum behind each number. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { HeatMap } from "../../parts/heat_map.js";
import { roleOf } from "../../parts/kinds.js";
import { Listing } from "../../parts/listing.js";
import { decimals, fixed as withDecimals } from "../../parts/numerals.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Attention, AttentionHead, AttentionModel, AttentionParameters } from "../types.js";

type Stage = "scores" | "weights" | "outputs";
type Program = AttentionModel["program"];
type State = AttentionModel["weights"];

const STATES: State[] = ["untrained", "trained"];
const PROGRAMS: [program: Program, name: string][] = [
  ["step3", "Step 3"],
  ["step6", "the whole model"],
];

/** Who asks, who is asked, which number of the output, and the matrix that is looked at. */
interface Picked {
  row: number;
  key: number;
  index: number;
  stage: Stage;
}

/** A number as Python rounded it, of one width. */
const fixed = (value: number | undefined): string => (value === undefined ? "–" : withDecimals(value, 3));
/** Minus a number, whatever its sign. */
const less = (value: number): string => (value < 0 ? `+ ${fixed(-value)}` : `− ${fixed(value)}`);
const short = (value: number): string => decimals(value, 2);
const largest = (rows: number[][]): number => Math.max(...rows.flat().map(Math.abs));
const at = <T,>(list: T[], index: number): T => list[index] as T;

function headsOf(seen: Attention, program: Program, weights: State): AttentionHead[] {
  const found = seen.models.find((model) => model.program === program && model.weights === weights);
  return (found as AttentionModel).heads;
}

/** The last letter asks, and the one that it listens to most. */
function first({ weights }: AttentionHead): Picked {
  const row = weights.length - 1;
  const last = at(weights, row);
  return { row, key: last.indexOf(Math.max(...last)), index: 0, stage: "scores" };
}

interface DetailProps {
  tokens: string[];
  head: AttentionHead;
  picked: Picked;
}

const called = (tokens: string[], place: number): string => `${tokens[place]} (${place})`;

/** What made the number that is looked at, in a sentence. */
function says(tokens: string[], head: AttentionHead, { row, key, index, stage }: Picked): string {
  const [asks, asked] = [called(tokens, row), called(tokens, key)];
  const score = at(at(head.scores, row), key);
  if (stage === "scores") {
    const dot = at(at(head.dots, row), key);
    return (
      `${asks} asks, ${asked} is asked: the products add up to ${fixed(dot)}. Times ${head.scale}, ` +
      `that is the score ${fixed(score)}.`
    );
  }
  if (stage === "weights") {
    const exp = at(at(head.exps, row), key);
    return (
      `exp(${fixed(score)} ${less(at(head.largest, row))}) is ${fixed(exp)}. Of ${fixed(at(head.total, row))}, ` +
      `the sum for all whom ${asks} asks, that is the weight ${fixed(at(at(head.weights, row), key))} of ${asked}.`
    );
  }
  const column = head.values.slice(0, row + 1).map((value) => at(value, index));
  const [low, high] = [Math.min(...column), Math.max(...column)];
  return (
    `Number ${index} of the output for ${asks}: the number ${index} of each value, times its weight, added up. ` +
    `${fixed(at(at(head.outputs, row), index))} lies between the least, ${fixed(low)}, and the greatest, ${fixed(high)}.`
  );
}

/** Query and key number by number, each pair written as a multiplication. */
function Products({ tokens, head, picked: { row, key, stage } }: DetailProps) {
  const query = at(head.queries, row);
  const answer = at(head.keys, key);
  const products = query.map((q, index) => q * at(answer, index));
  const widest = largest([products]);
  return (
    <div
      class={stage === "scores" ? "products lit" : "products"}
      style={{ "--columns": String(Math.min(8, query.length)) }}
    >
      <p class="what">
        query of {called(tokens, row)} × key of {called(tokens, key)}, number by number
      </p>
      <ol>
        {products.map((product, index) => {
          const share = widest === 0 ? 0 : Math.abs(product) / widest;
          return (
            <li class={product < 0 ? "below" : ""}>
              <span>{fixed(query[index])}</span>
              <span>
                <span class="sign">×</span>
                {fixed(answer[index])}
              </span>
              <span class="product" style={{ "--share": `${Math.round(100 * share)}%` }}>
                {fixed(product)}
              </span>
            </li>
          );
        })}
      </ol>
      <p class="sum">
        sum <b>{fixed(at(at(head.dots, row), key))}</b>
        <span>
          × {head.scale} (1/√{query.length}) = score <b>{fixed(at(at(head.scores, row), key))}</b>
        </span>
      </p>
    </div>
  );
}

/** The row of the one who asks: from scores to weights to one number of the output. */
function Row({ tokens, head, picked: { row, key, index, stage } }: DetailProps) {
  const lit = (...stages: Stage[]): string => (stages.includes(stage) ? "lit" : "");
  const weights = at(head.weights, row);
  return (
    <div class="scroll" tabIndex={0}>
      <table class="readout row">
        <caption>{called(tokens, row)} asks</caption>
        <thead>
          <tr>
            <th scope="col">key of</th>
            <th scope="col" class={lit("scores")}>
              score
            </th>
            <th scope="col" class={lit("weights")}>
              exp
            </th>
            <th scope="col" class={lit("weights", "outputs")}>
              weight
            </th>
            <th scope="col" class={lit("outputs")}>
              × value[{index}]
            </th>
            <th scope="col" class={lit("outputs")}>
              product
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((_, other) => {
            const read = other <= row;
            const weight = weights[other];
            const value = read ? at(at(head.values, other), index) : undefined;
            return (
              <tr
                class={`${other === key ? "now" : ""}${read ? "" : " future"}`}
                aria-current={other === key ? "true" : undefined}
              >
                <th scope="row">{called(tokens, other)}</th>
                <td class={lit("scores")}>{fixed(at(head.scores, row)[other])}</td>
                <td class={lit("weights")}>{fixed(at(head.exps, row)[other])}</td>
                <td
                  class={`weight ${lit("weights", "outputs")}`}
                  style={{ "--share": `${Math.round(100 * (weight ?? 0))}%` }}
                >
                  {fixed(weight)}
                </td>
                <td class={lit("outputs")}>{fixed(value)}</td>
                <td class={lit("outputs")}>
                  {fixed(weight === undefined || value === undefined ? undefined : weight * value)}
                </td>
              </tr>
            );
          })}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">sum</th>
            <td class={lit("scores")} />
            <td class={lit("weights")}>{fixed(at(head.total, row))}</td>
            <td class={lit("weights", "outputs")}>{fixed(at(head.weights_sum, row))}</td>
            <td class={lit("outputs")} />
            <td class={lit("outputs")}>{fixed(at(at(head.outputs, row), index))}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

interface ChoiceProps {
  id: string;
  label: string;
  options: string[];
  chosen: number;
  onChoose(index: number): void;
}

/** A list to choose from: larger than a cell, for who cannot hit one. */
function Choice({ id, label, options, chosen, onChoose }: ChoiceProps) {
  return (
    <span class="choice">
      <label for={id}>{label}</label>{" "}
      <select id={id} value={chosen} onInput={(event) => onChoose(Number(event.currentTarget.value))}>
        {options.map((option, index) => (
          <option value={index}>{option}</option>
        ))}
      </select>
    </span>
  );
}

export default function AttentionWidget(given: Given<AttentionParameters, Attention>) {
  const python = usePython<AttentionParameters, Attention>("attention", given);
  const { asked, ask, result: seen } = python;
  const { tokens } = seen;
  const [program, setProgram] = useState(given.parameters.program);
  const [weights, setWeights] = useState(given.parameters.weights);
  const [wanted, setWanted] = useState(given.parameters.head ?? 0);
  const heads = headsOf(seen, program, weights);
  const place = Math.min(wanted, heads.length - 1);
  const head = at(heads, place);
  const width = at(head.values, 0).length;
  // What was picked belongs to a name; with another, the last letter asks again.
  const [{ of, picked: chosen }, setPicked] = useState({ of: seen, picked: first(head) });
  const [missing, setMissing] = useState("");
  const [said, say] = useState("");
  const begun = of === seen ? chosen : { ...first(head), stage: chosen.stage };
  const picked = { ...begun, index: Math.min(begun.index, width - 1) };
  const { row, key, index, stage } = picked;

  const pick = (change: Partial<Picked>): void => {
    setMissing("");
    setPicked({ of: seen, picked: { ...picked, ...change } });
  };
  const aloud = (change: Partial<Picked>): void => {
    pick(change);
    say(says(tokens, head, { ...picked, ...change }));
  };
  const none = (to: number, other: number): string =>
    `There is no such number: when ${called(tokens, to)} asks, ${called(tokens, other)} has not been read yet.`;
  const choose = (which: Stage) => (to: number, other: number) => {
    pick({ row: to, key: Math.min(other, to), stage: which });
    if (other > to) setMissing(none(to, other));
  };
  const cell = (name: string, values: number[][]) => (to: number, other: number) =>
    other > to
      ? none(to, other)
      : `${called(tokens, to)} asks ${called(tokens, other)}: ${name} ${fixed(at(at(values, to), other))}`;

  const models = seen.models.filter((model) => model.program === program);
  const limit = (of: "scores" | "outputs"): number =>
    Math.max(...models.flatMap((model) => model.heads).map((each) => largest(each[of]))) || 1;
  const places = tokens.map((_, each) => called(tokens, each));
  const numbers = Array.from({ length: width }, (_, each) => String(each));
  const lit = (which: Stage): string => (which === stage ? "map lit" : "map");
  const name = heads.length > 1 ? `layer ${head.layer}, head ${head.head}` : "its one head";
  return (
    <>
      <TextField
        id="attention"
        label="A name"
        value={asked.name}
        onInput={(text) => ask({ ...asked, name: text }, true)}
        onEnter={(text) => ask({ ...asked, name: text })}
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <div class="pickers controls">
        <Choices label="Model" choices={PROGRAMS} value={program} onChoose={setProgram} class="choices" />
        <Choices label="Weights" choices={STATES} value={weights} onChoose={setWeights} class="choices" />
        <Choices
          label="Head"
          choices={heads.map((each, other) => [other, other === 0 ? `head ${each.head}` : each.head])}
          value={place}
          onChoose={setWanted}
          class="choices"
        />
      </div>
      <div class={python.stale ? "seen stale" : "seen"}>
        <p class="title" role="status">
          {tokens.slice(1).join("")}, {program === "step3" ? "Step 3" : "the whole model"}, {weights}: {name}, {width}{" "}
          numbers wide
        </p>
        <div class={tokens.length > 8 ? "maps many" : "maps"} style={{ "--row": tokens.length > 8 ? "22px" : "28px" }}>
          <div class={lit("scores")}>
            <p class="what">scores</p>
            <HeatMap
              rows={tokens}
              columns={tokens}
              values={head.scores}
              scale="diverging"
              kind="attention"
              limit={limit("scores")}
              picked={[row, key]}
              onPick={choose("scores")}
              format={short}
              label="Scores: rows ask, columns are asked"
              describe={cell("score", head.scores)}
              down="asks"
              across="is asked"
              cell={40}
              every={1}
            />
          </div>
          <div class={lit("weights")}>
            <p class="what">weights</p>
            <HeatMap
              rows={tokens}
              columns={tokens}
              values={head.weights}
              scale="sequential"
              kind="attention"
              limit={1}
              picked={[row, key]}
              onPick={choose("weights")}
              format={short}
              label="Weights: rows ask, columns are asked"
              describe={cell("weight", head.weights)}
              down="asks"
              across="is asked"
              cell={40}
              every={1}
            />
          </div>
          <div class={lit("outputs")}>
            <p class="what">outputs</p>
            <HeatMap
              rows={tokens}
              columns={numbers}
              values={head.outputs}
              scale="diverging"
              kind="activation"
              limit={limit("outputs")}
              picked={[row, index]}
              onPick={(to, other) => pick({ row: to, key: Math.min(key, to), index: other, stage: "outputs" })}
              format={short}
              label="Outputs: a row for each token that asks"
              describe={(to, other) =>
                `output for ${called(tokens, to)}, number ${other}: ${fixed(at(at(head.outputs, to), other))}`
              }
              down="asks"
              across="number"
              cell={40}
              every={width > 8 ? 5 : 1}
            />
          </div>
        </div>
        <Listing
          file={seen.file}
          functions={seen.functions}
          line={stage === "outputs" ? seen.lines.outputs : seen.lines.weights}
        />
        <div class="pickers controls">
          <Choice
            id="attention-asks"
            label="asks"
            options={places}
            chosen={row}
            onChoose={(to) => aloud({ row: to, key: Math.min(key, to) })}
          />
          <Choice
            id="attention-asked"
            label="is asked"
            options={places.slice(0, row + 1)}
            chosen={key}
            onChoose={(to) => aloud({ key: to })}
          />
          <Choice
            id="attention-number"
            label="number of the output"
            options={numbers}
            chosen={index}
            onChoose={(to) => aloud({ index: to })}
          />
        </div>
        <p class="says">{missing || says(tokens, head, picked)}</p>
        <span class="sr-only" role="status">
          {said}
        </span>
        <Products tokens={tokens} head={head} picked={picked} />
        <Row tokens={tokens} head={head} picked={picked} />
        <p class="note" style={roleOf("attention")}>
          Behind each letter stands its position. Hatched: numbers that do not exist, because the letter had not been
          read. exp is taken of each score minus the largest of the row, {fixed(at(head.largest, row))} here. Numbers
          are rounded; sums were taken before.
        </p>
      </div>
    </>
  );
}
