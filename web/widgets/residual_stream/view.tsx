/** A token's way through the model: one vector, and what is added to it. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Bars } from "../../parts/bars.js";
import { Choices } from "../../parts/choices.js";
import type { Kind } from "../../parts/kinds.js";
import { NameField } from "../../parts/name_field.js";
import { decimals, significant } from "../../parts/numerals.js";
import { Strip } from "../../parts/strip.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { ResidualStream, ResidualStreamParameters, StreamToken, StreamVector } from "../types.js";

const STATES = ["untrained", "trained"] as const;
/** The places at which the stream is looked at, in the order of Python's `stream`. */
const PLACES = ["the sum", "after RMSNorm", "after attention", "after the MLP"];
const END = PLACES.length - 1;
/** So many of the likeliest tokens stand beside the stream. */
const NAMED = 3;

interface RowProps {
  /** What happens to the stream here. */
  part: "enters" | "adds" | "place";
  children: ComponentChildren;
}

/** Something beside the stream; the stream itself is a line at the left. */
function Row({ part, children }: RowProps) {
  return (
    <div class={`along ${part}`}>
      {part !== "place" && (
        <span class="plus" aria-hidden="true">
          +
        </span>
      )}
      {children}
    </div>
  );
}

interface VectorProps {
  vector: StreamVector;
  kind: Kind;
  limit: number;
  label: string;
}

function Vector({ vector, kind, limit, label }: VectorProps) {
  return (
    <div class="vector">
      <Strip values={vector.numbers} kind={kind} limit={limit} label={label} columns={16} narrow={16} />
      <span class="length">{decimals(vector.length, 2)}</span>
    </div>
  );
}

const largest = (vectors: StreamVector[]): number =>
  Math.max(...vectors.flatMap(({ numbers }) => numbers.map(Math.abs)));

/** The tokens that the last layer finds likeliest, at one place. */
function likeliest(probabilities: number[], tokens: string[]): string {
  return probabilities
    .map((p, token): [number, number] => [p, token])
    .toSorted(([a], [b]) => b - a)
    .slice(0, NAMED)
    .map(([p, token]) => `${tokens[token]} ${significant(p, 2)}`)
    .join(", ");
}

export default function ResidualStreamWidget(given: Given<ResidualStreamParameters, ResidualStream>) {
  const python = usePython<ResidualStreamParameters, ResidualStream>("residual_stream", given);
  const [state, setState] = useState<(typeof STATES)[number]>("trained");
  const [picked, setPicked] = useState(given.result.trained.length - 1);
  const [at, setAt] = useState(END);
  const { tokens } = python.result;
  const ways = python.result[state];
  const index = Math.min(picked, ways.length - 1);
  const way = ways[index] as StreamToken;
  const [token, next] = [tokens[way.token], tokens[way.next]] as [string, string];
  const [attention, mlp] = way.added as [StreamVector, StreamVector];
  const place = way.stream[at] as StreamToken["stream"][number];
  // All tokens of a name, before and after training, are drawn on one scale.
  const both = [...python.result.untrained, ...python.result.trained];
  const limit = largest(both.flatMap((each) => each.stream));
  const limits = { wte: largest(both.map((each) => each.embeddings[0] as StreamVector)) };
  const says =
    `${PLACES[at]}: ${next} comes next, with p ${significant(place.probabilities[way.next] as number, 3)}, ` +
    `loss ${decimals(place.loss, 3)}`;
  const stop = (where: number, title: string) => (
    <Row part="place">
      <label class={where === at ? "stop picked" : "stop"}>
        <input
          class="controls"
          type="radio"
          name="residual-stream-place"
          checked={where === at}
          onInput={() => setAt(where)}
        />
        <span>
          x {title}
          <span class="guess">
            <span class="sr-only">; likeliest: </span>
            {likeliest((way.stream[where] as StreamToken["stream"][number]).probabilities, tokens)}
          </span>
        </span>
      </label>
      <Vector
        vector={way.stream[where] as StreamVector}
        kind="activation"
        limit={limit}
        label={`the stream ${title}`}
      />
    </Row>
  );
  return (
    <>
      <NameField id="residual-stream" python={python} examples={["emma", "anna", "oliver"]} />
      <Choices
        label="The token that is read"
        choices={ways.map((each, position) => [position, tokens[each.token]])}
        value={index}
        onChoose={setPicked}
        word="Reads"
      />
      <Choices label="Weights" choices={STATES} value={state} onChoose={setState} word="Weights" />
      <div class={python.stale ? "whole stale" : "whole"}>
        <p class="title">
          {token} at position {index}, {state}; {next} comes next
        </p>
        <div class="stream" role="radiogroup" aria-label="Where the last layer reads the stream">
          <div class="heads" aria-hidden="true">
            <span>length</span>
          </div>
          <Row part="enters">
            <p class="what">
              <code>wte</code> of {token}
            </p>
            <Vector
              vector={way.embeddings[0] as StreamVector}
              kind="parameter"
              limit={limits.wte}
              label={`the embedding of ${token}`}
            />
          </Row>
          <Row part="enters">
            <p class="what">
              <code>wpe</code> of position {index}
            </p>
            <Vector
              vector={way.embeddings[1] as StreamVector}
              kind="parameter"
              limit={limits.wte}
              label={`the embedding of position ${index}`}
            />
          </Row>
          {stop(0, "as the sum")}
          {stop(1, "after RMSNorm")}
          <Row part="adds">
            <p class="what">attention reads x, and adds</p>
            <Vector vector={attention} kind="activation" limit={limit} label="what attention adds" />
          </Row>
          {stop(2, "after attention")}
          <Row part="adds">
            <p class="what">the MLP reads x, and adds</p>
            <Vector vector={mlp} kind="activation" limit={limit} label="what the MLP adds" />
          </Row>
          {stop(3, "after the MLP")}
        </div>
        <p class="note">
          A dash marks a number below 0. The embeddings have a scale of their own; all other strips share one.
        </p>
        <p class="verdict" role="status">
          What <code>lm_head</code> and softmax make of the stream, {says}.
        </p>
        <Bars
          items={place.probabilities.map((value, each) => ({
            name: tokens[each] as string,
            value,
            mark: each === way.next,
          }))}
          max={Math.max(...way.stream.flatMap(({ probabilities }) => probabilities))}
          kind="activation"
          format={(value) => significant(value, 2)}
          room={9}
          label="The probability of each token, if the stream ended here"
        />
      </div>
    </>
  );
}
