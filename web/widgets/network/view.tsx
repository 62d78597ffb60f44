/** What flows through the network when a letter goes in, and where each number comes from. */

import { useState } from "preact/hooks";
import type { Kind } from "../../parts/kinds.js";
import { significant } from "../../parts/numerals.js";
import { IconButton } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Strip } from "../../parts/strip.js";
import { TokenPicker } from "../../parts/token_picker.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Network, NetworkParameters } from "../types.js";

/** How many contributions to a number are listed. */
const LISTED = 5;
const STATES: NetworkParameters["weights"][] = ["untrained", "trained"];
const STRIPS = ["x", "hidden", "activated", "logits", "probabilities"] as const;
type StripName = (typeof STRIPS)[number];
type Cell = [strip: StripName, index: number];

interface Contribution {
  /** The cell that it comes from, or goes to. */
  cell: Cell;
  name: string;
  text: string;
  /** How far its bar reaches, of any unit. */
  size: number;
}

interface Detail {
  title: string;
  says: string;
  contributions: Contribution[];
}

const largest = (rows: number[][]): number => Math.max(...rows.flat().map(Math.abs));

/** The vectors of a token, as Python gave them. */
function vectors(network: Network, token: number): Record<StripName, number[]> {
  const hidden = network.hidden[token] as number[];
  const passes = network.passes[token] as string;
  return {
    x: network.wte[token] as number[],
    hidden,
    activated: hidden.map((value, unit) => (passes[unit] === "1" ? value : 0)),
    logits: network.logits[token] as number[],
    probabilities: network.probabilities[token] as number[],
  };
}

/** The factors of a dot product, those of the largest products first. */
function products(
  strip: StripName,
  inputs: number[],
  weights: number[],
  name: (index: number) => string,
): Contribution[] {
  return inputs
    .map((input, index): Contribution => {
      const weight = weights[index] as number;
      const text = `${significant(input, 3)} × ${significant(weight, 3)}`;
      return { cell: [strip, index], name: name(index), text, size: input * weight };
    })
    .filter(({ size }) => size !== 0)
    .toSorted((a, b) => Math.abs(b.size) - Math.abs(a.size))
    .slice(0, LISTED);
}

const column = (matrix: number[][], index: number): number[] => matrix.map((row) => row[index] as number);

function detail(network: Network, token: number, [strip, index]: Cell): Detail {
  const all = vectors(network, token);
  const { tokens } = network;
  const value = all[strip][index] as number;
  const is = `= ${significant(value, 3)}`;
  const logit = (other: number): string => `to ${tokens[other]}`;
  if (strip === "x") {
    const out = Array<number>(network.fc1.length).fill(value);
    return {
      title: `x[${index}] ${is}`,
      says: `This is wte[${token}][${index}], a parameter, looked up for ${tokens[token]}. Where it weighs most:`,
      contributions: products("hidden", out, column(network.fc1, index), (unit) => `hidden[${unit}]`),
    };
  }
  if (strip === "hidden") {
    return {
      title: `hidden[${index}] ${is}`,
      says: `The dot product of x with row ${index} of fc1. The largest of its ${all.x.length} products, x times weight:`,
      contributions: products("x", all.x, network.fc1[index] as number[], (place) => `x[${place}]`),
    };
  }
  if (strip === "activated") {
    const out = Array<number>(network.fc2.length).fill(value);
    const before = significant(all.hidden[index] as number, 3);
    return {
      title: `activated[${index}] ${is}`,
      says:
        value === 0
          ? `hidden[${index}] is ${before}, below 0, so ReLU makes it 0. It adds nothing to any logit.`
          : `hidden[${index}] is ${before}, above 0, so ReLU lets it pass. The logits to which it adds or from which it takes most:`,
      contributions: products("logits", out, column(network.fc2, index), logit),
    };
  }
  if (strip === "logits") {
    return {
      title: `logit of ${tokens[index]} ${is}`,
      says:
        `The dot product of activated with row ${index} of fc2: ${all.activated.length} products, of which ` +
        `${network.off[token]} are 0. The largest, activated times weight:`,
      contributions: products("activated", all.activated, network.fc2[index] as number[], (unit) => `unit ${unit}`),
    };
  }
  const likeliest = all.probabilities
    .map(
      (p, other): Contribution => ({
        cell: ["logits", other],
        name: tokens[other] as string,
        text: significant(p, 3),
        size: p,
      }),
    )
    .toSorted((a, b) => b.size - a.size)
    .slice(0, LISTED);
  return {
    title: `probability of ${tokens[index]} ${is}`,
    says: `softmax made it of the logit ${significant(all.logits[index] as number, 3)} and all other logits. The likeliest tokens:`,
    contributions: likeliest,
  };
}

export default function NetworkWidget(given: Given<NetworkParameters, Network>) {
  const python = usePython<NetworkParameters, Network>("network", given);
  const network = python.result;
  const { tokens } = network;
  const [token, setToken] = useState(given.result.token);
  const all = vectors(network, token);
  const [[strip, index], pick] = useState<Cell>(() => {
    const first = given.result.logits[given.result.token] as number[];
    return ["logits", first.indexOf(Math.max(...first))];
  });
  const shown = detail(network, token, [strip, index]);
  const marked = (name: StripName): number[] =>
    shown.contributions.flatMap(({ cell }) => (cell[0] === name ? [cell[1]] : []));
  const widest = Math.max(...shown.contributions.map(({ size }) => Math.abs(size)));
  const name = tokens[token];
  const rows: [name: StripName, kind: Kind, ofAllTokens: number[][], says: string][] = [
    ["x", "parameter", network.wte, `row ${token} of wte, ${all.x.length} numbers`],
    ["hidden", "activation", network.hidden, `${all.hidden.length} dot products of x with rows of fc1`],
    ["activated", "activation", network.hidden, `ReLU: ${network.off[token]} of them become 0`],
    ["logits", "activation", network.logits, `${tokens.length} dot products of activated with rows of fc2`],
    ["probabilities", "activation", network.probabilities, "softmax of the logits"],
  ];
  const count = all[strip].length;
  return (
    <>
      <TokenPicker tokens={tokens} picked={token} onPick={setToken} label="The letter that goes in" />
      <div class="states controls" role="group" aria-label="Weights">
        {STATES.map((each) => (
          <button
            type="button"
            aria-pressed={each === python.asked.weights}
            onClick={() => python.ask({ ...given.parameters, weights: each })}
          >
            {each}
          </button>
        ))}
        <PythonStatus python={python} />
      </div>
      <div class={python.stale ? "flow stale" : "flow"}>
        <p class="title">
          {name} through the {python.parameters.weights} network
        </p>
        {rows.map(([each, kind, ofAllTokens, says]) => {
          const values = all[each];
          const tokenwise = values.length === tokens.length;
          return (
            <div>
              <p class="what">
                <code>{each}</code> <span>{says}</span>
              </p>
              <Strip
                id={`network-${each}`}
                values={values}
                kind={kind}
                limit={largest(ofAllTokens)}
                label={`${each}: ${says}`}
                {...(tokenwise && { names: tokens.map((one) => (one.length > 1 ? "·" : one)) })}
                columns={tokenwise ? tokens.length : Math.min(32, values.length)}
                narrow={tokenwise ? 14 : 16}
                also={marked(each)}
                picked={each === strip ? index : null}
                onPick={(to) => pick([each, to])}
                describe={(to) => detail(network, token, [each, to]).title}
              />
            </div>
          );
        })}
        <p class="note">
          Each strip has its own scale, the same for all letters. A dash marks a number below 0, an empty cell a 0, and
          · stands for BOS.
        </p>
      </div>
      <div class="detail">
        <div class="head">
          <p class="title">{shown.title}</p>
          <span class="controls">
            <IconButton icon="back" says="One cell back" off={index === 0} press={() => pick([strip, index - 1])} />
            <IconButton icon="on" says="One cell on" off={index === count - 1} press={() => pick([strip, index + 1])} />
          </span>
        </div>
        <p class="says" role="status">
          {shown.says}
        </p>
        <ul class="contributions">
          {Array.from({ length: LISTED }, (_, place) => {
            const one = shown.contributions[place];
            if (one === undefined) return <li class="empty" aria-hidden="true" />;
            const share = `${Math.round((1000 * Math.abs(one.size)) / widest) / 20}%`;
            return (
              <li class={one.size < 0 ? "below" : ""}>
                <span class="name">{one.name}</span>
                <span class="text">{one.text}</span>
                <span class="track" aria-hidden="true">
                  <span class="bar-of-product" style={{ width: share }} />
                </span>
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}
