/** The slope of the loss along one parameter, measured with a nudge that the reader chooses. */

import { scaleLinear } from "d3-scale";
import { useState } from "preact/hooks";
import { significant } from "../../parts/numerals.js";
import { IconButton } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Nudge, NudgeParameters, Nudges } from "../types.js";

const STATES: NudgeParameters["weights"][] = ["untrained", "trained"];
/** The window of the curve, in nudges. */
const LEFT = -0.5;
const RIGHT = 1.5;
/** Sizes of the coordinates in which curves are drawn, before they are stretched. */
const WIDTH = 1000;
const GLASS = 220;
const ERRORS = 150;
/** Errors from 1 down to this power of 10 have room; smaller ones stand at the foot. */
const LEAST_ERROR = -12;

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

interface ErrorsProps {
  result: Nudges;
  at: number;
  choose(at: number): void;
}

/** The error of each nudge; a point of it can be chosen by mouse or touch. */
function Errors({ result, at, choose }: ErrorsProps) {
  const [pressed, setPressed] = useState(false);
  const { nudges, usual } = result;
  const last = nudges.length - 1;
  const height = (error: number): number => {
    const exponent = error > 0 ? Math.log10(error) : LEAST_ERROR;
    return round(ERRORS * Math.min(1, Math.max(0, exponent / LEAST_ERROR)));
  };
  const across = (index: number): number => round((WIDTH * index) / last);
  const pointed = (event: PointerEvent & { currentTarget: HTMLElement }): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const index = Math.round((last * (event.clientX - box.left)) / box.width);
    choose(Math.max(0, Math.min(last, index)));
  };
  const curve = nudges.map(({ error }, index) => `${across(index)} ${height(error)}`);
  const decades = nudges.flatMap(({ epsilon }, index) => (index % 10 === 0 ? [[index, epsilon] as const] : []));
  return (
    <div class="errors">
      <p class="title">Error of the measured slope, for each ε (logarithmic scales)</p>
      <div
        class="plane"
        style={{ height: `${ERRORS}px` }}
        role="img"
        aria-label={`The error falls from ${power((nudges[0] as Nudge).error || 1)} to its least at ε = ${written((nudges[result.best] as Nudge).epsilon)}, and grows again`}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          setPressed(true);
          pointed(event);
        }}
        onPointerMove={(event) => pressed && pointed(event)}
        onPointerUp={() => setPressed(false)}
        onPointerCancel={() => setPressed(false)}
      >
        {[0, -3, -6, -9, -12].map((exponent) => (
          <span class="tick" style={{ top: `${height(10 ** exponent)}px` }}>
            {exponent === 0 ? "1" : power(10 ** exponent)}
          </span>
        ))}
        <svg viewBox={`0 0 ${WIDTH} ${ERRORS}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
          <path
            class="grid"
            d={[0, -3, -6, -9, -12].map((exponent) => `M0 ${height(10 ** exponent)}H${WIDTH}`).join("")}
          />
          <path class="usual" d={`M${across(usual)} 0V${ERRORS}`} />
          <path class="error" d={`M${curve.join("L")}`} />
        </svg>
        <span class="usual-name" style={{ left: percent(usual / last) }}>
          the program’s ε
        </span>
        <span class="point" style={{ left: percent(at / last), top: `${height((nudges[at] as Nudge).error)}px` }} />
        {decades.map(([index, epsilon]) => (
          <span class="foot" style={{ left: percent(index / last) }}>
            {epsilon === 1 ? "ε = 1" : power(epsilon)}
          </span>
        ))}
      </div>
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

export default function NudgeWidget(given: Given<NudgeParameters, Nudges>) {
  const python = usePython<NudgeParameters, Nudges>("nudge", given);
  const result = python.result;
  const { asked } = python;
  const [at, setAt] = useState(0);
  const [said, say] = useState("");
  const nudge = result.nudges[at] as Nudge;
  const last = result.nudges.length - 1;
  const ask = (changed: Partial<NudgeParameters>, wait = false): void => {
    const parameters = { ...asked, ...changed };
    const [rows, columns] = result.shapes[parameters.matrix] as [number, number];
    parameters.row = Math.min(parameters.row, rows - 1);
    parameters.column = Math.min(parameters.column, columns - 1);
    python.ask(parameters, wait);
  };
  const describe = (index: number): string => {
    const { epsilon, slope, says } = result.nudges[index] as Nudge;
    return `ε = ${written(epsilon)}, measured slope ${significant(slope, 4)}. ${says}`;
  };
  const go = (index: number): void => {
    const to = Math.max(0, Math.min(last, index));
    setAt(to);
    say(describe(to));
  };
  const [rows, columns] = result.shapes[asked.matrix] as [number, number];
  const numbered = (count: number, name: (index: number) => string): [number, string][] =>
    Array.from({ length: count }, (_, index) => [index, name(index)]);
  const ofTokens = rows === result.tokens.length;
  const facts: [head: string, value: string][] = [
    ["ε", written(nudge.epsilon)],
    ["loss without the nudge", significant(result.loss, 6)],
    ["loss with it", significant(nudge.loss, 6)],
    ["difference", power(nudge.rise, 3)],
    ["measured slope: difference / ε", significant(nudge.slope, 6)],
    ["true slope", significant(result.slope, 6)],
    ["error", power(nudge.error, 1)],
  ];
  return (
    <>
      <TextField
        id="nudge"
        label="A name"
        value={asked.name}
        onInput={(name) => ask({ name }, true)}
        onEnter={(name) => ask({ name })}
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <div class="parameter controls" role="group" aria-label="The parameter that is nudged">
        <Choice
          label="weights"
          value={asked.weights}
          options={STATES.map((state) => [state, state])}
          onChoose={(weights) => ask({ weights: weights as NudgeParameters["weights"] })}
        />
        <Choice
          label="matrix"
          value={asked.matrix}
          options={Object.keys(result.shapes).map((name) => [name, name])}
          onChoose={(matrix) => ask({ matrix })}
        />
        <Choice
          label="row"
          value={asked.row}
          options={numbered(rows, (row) => (ofTokens ? `${row} · ${result.tokens[row]}` : String(row)))}
          onChoose={(row) => ask({ row: Number(row) })}
        />
        <Choice
          label="column"
          value={asked.column}
          options={numbered(columns, String)}
          onChoose={(column) => ask({ column: Number(column) })}
        />
      </div>
      <div class={python.stale ? "measured stale" : "measured"}>
        <p class="belongs">
          <code>{result.called}</code>: {result.belongs}, {python.parameters.weights}
        </p>
        <Glass result={result} at={at} />
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
        <Errors result={result} at={at} choose={setAt} />
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
    </>
  );
}
