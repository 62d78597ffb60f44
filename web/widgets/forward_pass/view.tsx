/** From a name to its loss: the lines that run, what the variables hold, the losses. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import type { Kind } from "../../parts/kinds.js";
import { Listing } from "../../parts/listing.js";
import { decimals, significant } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Strip } from "../../parts/strip.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { ForwardPair, ForwardPass, ForwardPassParameters, ForwardStep } from "../types.js";

const STATES: ForwardPassParameters["weights"][] = ["untrained", "trained"];
/** The variables of each function, in the order in which they get their values. */
const VARIABLES: [within: string, names: string[]][] = [
  ["mean_loss", ["token", "target", "probabilities", "losses"]],
  ["forward", ["x", "hidden", "activated"]],
  ["softmax", ["logits", "largest", "exps", "total"]],
];
/** So many numbers of a vector are written out. */
const WRITTEN = 3;

/** The variables that a line of this pair has given a value: `within.name`. */
function filled({ steps }: ForwardPass, at: number): Set<string> {
  const { pair } = steps[at] as ForwardStep;
  const names = steps
    .slice(0, at + 1)
    .filter((step) => step.pair === pair)
    .flatMap(({ holds }) => Object.entries(holds))
    .flatMap(([within, held]) => held.map((name) => `${within}.${name}`));
  return new Set(names);
}

function Value({ walk, at, name }: { walk: ForwardPass; at: number; name: string }) {
  const { pair: place, losses } = walk.steps[at] as ForwardStep;
  const pair = walk.pairs[place] as ForwardPair;
  if (name === "losses") {
    const last = walk.pairs.slice(0, losses).map(({ loss }) => decimals(loss, 2));
    const few = last.length > 4 ? ["…", ...last.slice(-4)] : last;
    return <span class="value">[{few.join(", ")}]</span>;
  }
  if (name === "token" || name === "target") {
    return (
      <span class="value">
        {pair[name]} ({walk.tokens[pair[name]]})
      </span>
    );
  }
  if (name === "largest" || name === "total") return <span class="value">{significant(pair[name], 3)}</span>;
  const vector = pair.vectors[name] as number[];
  const kind: Kind = name === "x" ? "parameter" : "activation";
  const first = vector.slice(0, WRITTEN).map((value) => significant(value, 2));
  return (
    <>
      <span class="value">
        {vector.length}: {first.join(" ")} …
      </span>
      <Strip
        values={vector}
        kind={kind}
        limit={Math.max(...vector.map(Math.abs))}
        label={`${name}, ${vector.length} numbers`}
        columns={vector.length}
        narrow={vector.length}
      />
    </>
  );
}

function Variables({ walk, at }: { walk: ForwardPass; at: number }) {
  const { holds } = walk.steps[at] as ForwardStep;
  const known = filled(walk, at);
  return (
    <div class="variables" role="group" aria-label="What the variables hold">
      {VARIABLES.map(([within, names]) => (
        <div class={within in holds ? "within active" : "within"}>
          <p>{within}</p>
          <dl>
            {names.map((name) => {
              const has = known.has(`${within}.${name}`);
              const vector = name in (walk.pairs[0] as ForwardPair).vectors;
              return (
                <div class={vector ? "variable vector" : "variable"}>
                  <dt>{name}</dt>
                  <dd>{has ? <Value walk={walk} at={at} name={name} /> : "–"}</dd>
                </div>
              );
            })}
          </dl>
        </div>
      ))}
    </div>
  );
}

/** The pairs and their losses, as far as they are known. */
function Losses({ walk, at }: { walk: ForwardPass; at: number }) {
  const step = walk.steps[at] as ForwardStep;
  const highest = Math.max(walk.blind, ...walk.pairs.map(({ loss }) => loss));
  // The line of a blind guess never stands at the very end.
  const width = (loss: number): string => `${Math.round((900 * loss) / highest) / 10}%`;
  const end = step.line === 0;
  return (
    <table class="readout losses">
      <caption class="sr-only">The loss of each pair</caption>
      <thead>
        <tr>
          <th scope="col">after</th>
          <th scope="col">comes</th>
          <th scope="col">p</th>
          <th scope="col">loss</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {walk.pairs.map(({ token, target, p, loss }, index) => {
          const has = index < step.losses;
          return (
            <tr
              class={index === step.pair && !end ? "now" : ""}
              aria-current={index === step.pair && !end ? "step" : undefined}
            >
              <td>{walk.tokens[token]}</td>
              <td>{walk.tokens[target]}</td>
              <td>{has ? decimals(p, 4) : "–"}</td>
              <td>{has ? decimals(loss, 4) : "–"}</td>
              <td aria-hidden="true">
                <span class="track">
                  <span class="fill" style={{ width: has ? width(loss) : "0" }} />
                  <span class="blind" style={{ left: width(walk.blind) }} />
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={3}>
            mean of the losses
          </th>
          <td>{end ? decimals(walk.mean, 4) : "–"}</td>
          <td aria-hidden="true">
            <span class="track">
              <span class="fill" style={{ width: end ? width(walk.mean) : "0" }} />
              <span class="blind" style={{ left: width(walk.blind) }} />
            </span>
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

export default function ForwardPassSteps(given: Given<ForwardPassParameters, ForwardPass>) {
  const python = usePython<ForwardPassParameters, ForwardPass>("forward_pass", given);
  const walk = python.result;
  const { asked, ask } = python;
  // The page begins with the whole name done; another name is walked from its start.
  const [{ of, at: moved }, setPlace] = useState({ of: given.result, at: given.result.steps.length - 1 });
  const at = of === walk ? moved : 0;
  const step = walk.steps[at] as ForwardStep;
  return (
    <>
      <TextField
        id="forward-pass"
        label="A name"
        value={asked.name}
        onInput={(name) => ask({ ...asked, name }, true)}
        onEnter={(name) => ask({ ...asked, name })}
        refusal={python.refusal}
      >
        <Choices
          label="Weights"
          choices={STATES}
          value={asked.weights}
          onChoose={(weights) => ask({ ...asked, weights })}
          class="states"
        />
        <PythonStatus python={python} />
      </TextField>
      <div class={python.stale ? "walk stale" : "walk"}>
        <Variables walk={walk} at={at} />
        <Listing file={walk.file} functions={walk.functions} line={step.line} waiting={step.waiting} />
      </div>
      <p class="words">{step.says}</p>
      <Player
        last={walk.steps.length - 1}
        at={at}
        onMove={(to) => setPlace({ of: walk, at: to })}
        label="mean_loss, line by line"
        describe={(to) => (walk.steps[to] as ForwardStep).says}
      />
      <Losses walk={walk} at={at} />
      <p class="note">
        The line across the bars is at {decimals(walk.blind, 4)}, the loss of a blind guess. Variables of a function
        that has returned are pale.
      </p>
    </>
  );
}
