/** The slope of the loss along one parameter, measured with a nudge that the reader chooses. */

import { scaleLinear } from "d3-scale";
import { useEffect, useState } from "preact/hooks";
import { significant } from "../../parts/numerals.js";
import { IconButton } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import type { Given } from "../../runtime/widget.js";
import type { Flow, Network, NetworkParameters, Nudge, Nudges } from "../types.js";
import type { Parameter } from "./detail.js";
import { usePanel } from "./use_panel.js";

/** The window of the curve, in nudges. */
const LEFT = -0.5;
const RIGHT = 1.5;
/** Sizes of the coordinates in which curves are drawn, before they are stretched. */
const WIDTH = 1000;
const GLASS = 200;
/** So many digits fill a bar. */
const DIGITS = 8;

const round = (value: number): number => Math.round(value * 10) / 10;
const percent = (share: number): string => `${round(100 * share)}%`;
/** A number as a programmer writes it: 1.17e-2. */
const power = (value: number, digits = 0): string =>
  value === 0 ? "0" : value.toExponential(digits).replace(/^-/, "−").replace("e+", "e");
/** An epsilon, written out where that is short. */
const written = (value: number): string => (value >= 0.001 ? String(value) : power(value));

/** The curve around the parameter, as large as the nudge makes it. */
function Glass({ result, at }: { result: Nudges; at: number }) {
  const { nudges, slope, spacing } = result;
  const { epsilon, rise, curve } = nudges[at] as Nudge;
  const tangent = [LEFT, RIGHT].map((t) => slope * epsilon * t);
  const secant = [LEFT, RIGHT].map((t) => rise * t);
  const ends = [...curve, ...secant, 0];
  const [low, high] = [Math.min(...ends, -spacing / 2), Math.max(...ends, spacing / 2)];
  const room = 0.06 * (high - low);
  const y = scaleLinear([low - room, high + room], [GLASS, 0]);
  const x = scaleLinear([LEFT, RIGHT], [0, WIDTH]);
  const place = (t: number, value: number): string => `${round(x(t))} ${round(y(value))}`;
  const points = curve.map((value, index) => place(LEFT + ((RIGHT - LEFT) * index) / (curve.length - 1), value));
  const straight = ([from = 0, to = 0]: number[]): string => `M${place(LEFT, from)}L${place(RIGHT, to)}`;
  const top = (value: number): string => `${round(y(value))}px`;
  const apart = Math.abs(y(rise) - y(0)) > 18;
  return (
    <div class="glass">
      <p class="title">
        Loss along {result.called}, in a window {written(2 * epsilon)} wide
      </p>
      <div class="plane" style={{ height: `${GLASS}px` }}>
        <span class="tick" style={{ top: top(0) }}>
          {significant(result.loss, 6)}
        </span>
        {apart && (
          <span class="tick" style={{ top: top(rise) }}>
            {rise < 0 ? "" : "+"}
            {power(rise, 1)}
          </span>
        )}
        <svg viewBox={`0 0 ${WIDTH} ${GLASS}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
          <path class="grid" d={`M${x(0)} 0V${GLASS}M${x(1)} 0V${GLASS}M0 ${round(y(0))}H${WIDTH}`} />
          <path class="loss" d={`M${points.join("L")}`} />
          <path class="tangent" d={straight(tangent)} />
          <path class="secant" d={straight(secant)} />
        </svg>
        <span class="point" style={{ left: percent((0 - LEFT) / (RIGHT - LEFT)), top: top(0) }} />
        <span class="point" style={{ left: percent((1 - LEFT) / (RIGHT - LEFT)), top: top(rise) }} />
        <span class="foot" style={{ left: percent((0 - LEFT) / (RIGHT - LEFT)) }}>
          {significant(result.value, 3)}
        </span>
        <span class="foot" style={{ left: percent((1 - LEFT) / (RIGHT - LEFT)) }}>
          + ε
        </span>
      </div>
      <p class="keys">
        <span class="key loss" /> loss <span class="key secant" /> through both points <span class="key tangent" /> true
        slope
      </p>
    </div>
  );
}

/** How many digits of the slope each nudge gets right. */
function Digits({ result, at }: { result: Nudges; at: number }) {
  return (
    <div class="digits" aria-hidden="true">
      {result.nudges.map(({ digits }, index) => (
        <span class={index === at ? "picked" : ""}>
          <span class="right" style={{ height: `${Math.round(Math.min(100, (100 * digits) / DIGITS))}%` }} />
        </span>
      ))}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  value: string | number;
  options: [value: string | number, name: string][];
  onChoose(value: string): void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onInput={(event) => onChoose(event.currentTarget.value)}>
        {options.map(([each, name]) => (
          <option value={each}>{name}</option>
        ))}
      </select>
    </label>
  );
}

interface Props {
  given: Given<NetworkParameters, Network>;
  /** What flows through the network, and the parameter that its picked cell rests on most. */
  flow: Flow | undefined;
  parameter: Parameter | undefined;
}

export function NudgePanel({ given, flow, parameter }: Props) {
  const of = flow && { name: flow.name, weights: flow.weights };
  const { python, shown, ask } = usePanel(given, "nudge", "nudge", of);
  const [at, setAt] = useState(0);
  const [said, say] = useState("");
  useEffect(() => {
    if (of && shown && (shown.name !== of.name || shown.weights !== of.weights)) ask(of);
  }, [of?.name, of?.weights]);
  if (shown === null) return <PythonStatus python={python} />;
  const { asked } = python;
  const matrix = asked.matrix ?? shown.matrix;
  const [rows, columns] = shown.shapes[matrix] as [number, number];
  const take = (matrix: string, row: number, column: number): void => {
    const [rows, columns] = shown.shapes[matrix] as [number, number];
    ask({ matrix, row: Math.min(row, rows - 1), column: Math.min(column, columns - 1) });
  };
  const row = asked.row ?? shown.row;
  const column = asked.column ?? shown.column;
  const nudge = shown.nudges[at] as Nudge;
  const last = shown.nudges.length - 1;
  const describe = (index: number): string => {
    const { epsilon, slope, says } = shown.nudges[index] as Nudge;
    return `ε = ${written(epsilon)}, measured slope ${significant(slope, 4)}. ${says}`;
  };
  const go = (index: number): void => {
    const to = Math.max(0, Math.min(last, index));
    setAt(to);
    say(describe(to));
  };
  const numbered = (count: number, name: (index: number) => string): [number, string][] =>
    Array.from({ length: count }, (_, index) => [index, name(index)]);
  const ofTokens = rows === shown.tokens.length;
  const facts: [head: string, value: string][] = [
    ["loss without the nudge", significant(shown.loss, 6)],
    ["loss with it", significant(nudge.loss, 6)],
    ["difference", power(nudge.rise, 3)],
    ["measured slope: difference / ε", significant(nudge.slope, 6)],
    ["true slope", significant(shown.slope, 6)],
  ];
  const strongest = parameter && `${parameter[0]}[${parameter[1]}][${parameter[2]}]`;
  return (
    <div class="nudge-panel">
      <div class="parameter controls" role="group" aria-label="The parameter that is nudged">
        <Choice
          label="matrix"
          value={matrix}
          options={Object.keys(shown.shapes).map((name) => [name, name])}
          onChoose={(chosen) => take(chosen, row, column)}
        />
        <Choice
          label="row"
          value={row}
          options={numbered(rows, (index) => (ofTokens ? `${index} · ${shown.tokens[index]}` : String(index)))}
          onChoose={(chosen) => take(matrix, Number(chosen), column)}
        />
        <Choice
          label="column"
          value={column}
          options={numbered(columns, String)}
          onChoose={(chosen) => take(matrix, row, Number(chosen))}
        />
        {parameter && strongest !== shown.called && (
          <button type="button" onClick={() => take(...parameter)}>
            take {strongest}, from the picked cell
          </button>
        )}
        <PythonStatus python={python} />
      </div>
      <p class="refusal" role="status">
        {python.refusal?.reason}
      </p>
      <div class={python.stale ? "measured stale" : "measured"}>
        <p class="belongs">
          <code>{shown.called}</code>: {shown.belongs}, {shown.weights}, with the loss of “{shown.name}”
        </p>
        <Glass result={shown} at={at} />
        <p class="title">Digits of the slope that each nudge gets right, from ε = 1 to 1e-15</p>
        <Digits result={shown} at={at} />
        <div class="size controls" role="group" aria-label="Size of the nudge">
          <IconButton icon="back" says="A larger nudge" off={at === 0} press={() => go(at - 1)} />
          <input
            type="range"
            min={0}
            max={last}
            value={at}
            aria-label="ε, from 1 down"
            aria-valuetext={describe(at)}
            onInput={(event) => {
              setAt(event.currentTarget.valueAsNumber);
              say("");
            }}
          />
          <IconButton icon="on" says="A smaller nudge" off={at === last} press={() => go(at + 1)} />
          <span class="epsilon">ε = {written(nudge.epsilon)}</span>
          <span class="sr-only" role="status">
            {said}
          </span>
        </div>
        <p class="says">{nudge.says}</p>
        <table class="readout">
          <caption class="sr-only">The nudge in numbers</caption>
          <tbody>
            {facts.map(([head, value]) => (
              <tr>
                <th scope="row">{head}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
