/** The parts of web/parts/, each under its name; docs/reference/parts.md says what each is for. */

import { type ComponentChildren, Fragment } from "preact";
import { useState } from "preact/hooks";
import { addressOf, CopyLink } from "../../parts/address.js";
import { Bars } from "../../parts/bars.js";
import { Choices } from "../../parts/choices.js";
import { Curves, useCursor } from "../../parts/curves.js";
import { ExpressionField } from "../../parts/expression_field.js";
import { GraphPicture } from "../../parts/graph_picture.js";
import { HeatMap, usePickedCell } from "../../parts/heat_map.js";
import { Listing } from "../../parts/listing.js";
import { Looks } from "../../parts/looks.js";
import { NameField } from "../../parts/name_field.js";
import { NumberForm } from "../../parts/number_form.js";
import { decimals, percent, significant } from "../../parts/numerals.js";
import { PairedBars } from "../../parts/paired_bars.js";
import { IconButton, Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { Slider } from "../../parts/slider.js";
import { Strip } from "../../parts/strip.js";
import { TextField } from "../../parts/text_field.js";
import { TokenPicker } from "../../parts/token_picker.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Parts, PartsParameters } from "../types.js";

const FIELDS: [key: "rate" | "steps", name: string][] = [
  ["rate", "learning rate"],
  ["steps", "steps"],
];
const EXAMPLES = [
  { name: "product", expression: "a = 2; b = 3; a * b" },
  { name: "square", expression: "a = 2; a * a" },
];

export default function AllParts(given: Given<PartsParameters, Parts>) {
  // Each asks for itself: what is refused in one field is told at that field.
  const named = usePython<PartsParameters, Parts>("parts", given);
  const drawn = usePython<PartsParameters, Parts>("parts", given);
  const computed = usePython<PartsParameters, Parts>("parts", given);
  const { tokens, first, last, letters, values, products } = named.result;
  const { nodes, edges } = drawn.result;
  const { losses, gradients, functions } = computed.result;
  const [token, setToken] = useState<number>(0);
  const [letter, setLetter] = useState<number | null>(0);
  const [asks, setAsks] = useState(Number.POSITIVE_INFINITY);
  const [step, setStep] = useState(0);
  const [word, setWord] = useState("emma");
  const [node, setNode] = useState<string | null>("0");
  const cell = usePickedCell([0, 0]);
  const cursor = useCursor(1, losses.length);
  const full = Math.max(...first, ...last);
  const moment = Math.min(step, losses.length - 1);
  const lines = functions[0]?.lines ?? [];
  const said = (at: number): string => `step ${at + 1}: loss ${significant(losses[at] ?? 0, 3)}`;
  const spelled = (index: number): string => `${letters[index]}: ${decimals(values[index], 3)}`;
  const product = (row: number, column: number): string =>
    `${letters[row]} times ${letters[column]}: ${decimals(products[row]?.[column], 3)}`;
  const { rate, steps } = computed.asked;

  const shown: [name: string, part: ComponentChildren][] = [
    [
      "NameField",
      <NameField
        id="parts-name"
        python={{ ...named, ask: ({ name }, wait) => named.ask({ ...named.asked, name }, wait) }}
        examples={["emma", "olivia"]}
      />,
    ],
    [
      "Strip",
      <Strip
        id="parts-strip"
        values={values}
        names={letters}
        kind="data"
        limit={1}
        columns={16}
        narrow={8}
        label="Place of each letter in the alphabet, from −1 to 1"
        picked={letter}
        onPick={setLetter}
        describe={spelled}
      />,
    ],
    [
      "HeatMap",
      <HeatMap
        rows={letters}
        columns={letters}
        values={products}
        scale="diverging"
        kind="attention"
        limit={1}
        picked={[Math.min(cell.at[0], letters.length - 1), Math.min(cell.at[1], letters.length - 1)]}
        onPick={cell.pick}
        onLook={cell.look}
        format={(value) => decimals(value, 1)}
        label="Products of these numbers"
        describe={product}
        down="one letter"
        across="the other"
        cell={26}
      />,
    ],
    [
      "Looks",
      <Looks
        tokens={letters}
        weights={letters.map((_, asks) => letters.slice(0, asks + 1).map(() => 1 / (asks + 1)))}
        asks={Math.min(asks, letters.length - 1)}
        onAsk={setAsks}
        label="A letter that listens to all so far alike"
      />,
    ],
    [
      "Bars",
      <Bars
        items={tokens.map((name, index) => ({ name, value: first[index] ?? 0, mark: index === token }))}
        max={full}
        kind="activation"
        format={percent}
        label="How many names begin with each letter"
      />,
    ],
    [
      "PairedBars",
      <PairedBars
        tokens={tokens}
        values={[first, last]}
        models={["begin with it", "end with it"]}
        keys={["names that begin with it", "names that end with it"]}
        full={full}
        label="How many names begin and end with each letter"
        mark={token}
      />,
    ],
    [
      "Choices",
      <Choices
        label="Some letters"
        choices={[...letters.keys()].map((at) => [at, letters[at]])}
        value={letter}
        onChoose={setLetter}
      />,
    ],
    ["TokenPicker", <TokenPicker tokens={tokens} picked={token} onPick={setToken} label="The letter that is marked" />],
    [
      "ExpressionField",
      <ExpressionField
        id="parts-expression"
        text={drawn.asked.expression}
        onText={(expression, wait) => drawn.ask({ ...drawn.asked, expression }, wait)}
        examples={EXAMPLES}
        refusal={drawn.refusal}
      />,
    ],
    [
      "GraphPicture",
      <div class="canvas" tabIndex={0} role="group" aria-label={`Graph of ${drawn.parameters.expression}`}>
        <GraphPicture
          label={`The graph of ${drawn.parameters.expression}`}
          nodes={nodes.map(({ title, operation, data, grad }, index) => ({
            id: String(index),
            title,
            note: operation,
            rows: [
              { label: "data", value: data, kind: "data" },
              { label: "grad", value: grad, kind: "gradient" },
            ],
            room: 8,
            says: `${title}: data ${data}, grad ${grad}`,
          }))}
          edges={edges.map(({ source, target, local_grad }) => ({
            from: String(source),
            to: String(target),
            label: local_grad,
            room: 6,
          }))}
          picked={node}
          onPick={setNode}
        />
      </div>,
    ],
    [
      "NumberForm",
      <NumberForm
        id="parts-numbers"
        fields={FIELDS}
        values={{ rate, steps }}
        onRun={(typed) => computed.ask({ ...computed.asked, ...typed })}
        run="Compute"
        refusal={computed.refusal}
      >
        the last loss is {significant(computed.result.losses.at(-1) ?? 0, 3)}
        <PythonStatus python={computed} />
      </NumberForm>,
    ],
    [
      "Curves",
      <Curves
        panels={[
          {
            title: "loss",
            series: [{ name: "loss", kind: "s1", values: losses }],
            height: 120,
            axis: "linear",
            least: [0, 1],
          },
          {
            title: "gradient",
            series: [{ name: "gradient", kind: "s2", values: gradients }],
            height: 90,
            axis: "linear",
            mark: "sticks",
          },
        ]}
        steps={losses.length}
        last={losses.length}
        cursor={cursor}
        label="Loss and gradient of each step"
        describe={(at) => said(at - 1)}
      />,
    ],
    [
      "Player",
      <Player last={losses.length - 1} at={moment} onMove={setStep} label="Steps of the descent" describe={said} />,
    ],
    [
      "Listing",
      <Listing file="parts/model.py" functions={functions} line={lines[moment % lines.length]?.number ?? 0} />,
    ],
    [
      "Slider",
      <div class="controls">
        <Slider
          label="step"
          value={moment + 1}
          min={1}
          max={losses.length}
          step={1}
          onInput={(value) => setStep(value - 1)}
        />
      </div>,
    ],
    [
      "IconButton",
      <div class="controls">
        <IconButton icon="first" says="Begin again" press={() => setStep(0)} />
      </div>,
    ],
    [
      "TextField",
      <TextField
        id="parts-text"
        label="A word"
        value={word}
        onInput={setWord}
        onEnter={setWord}
        refusal={/^[a-z]*$/.test(word) ? null : { reason: "letters from a to z only" }}
      />,
    ],
    [
      "CopyLink",
      <div class="controls">
        <CopyLink
          address={() => addressOf("parts", { name: named.parameters.name }, { name: named.asked.name })}
          of="page"
        />
      </div>,
    ],
    ["PythonStatus", <PythonStatus python={drawn} />],
  ];
  return (
    <>
      {shown.map(([name, part]) => (
        <Fragment key={name}>
          <h3>{name}</h3>
          {part}
        </Fragment>
      ))}
    </>
  );
}
