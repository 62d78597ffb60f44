/** The whole model, trained in the page, and what there is in it after some of the steps. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { Curves, type Series, useCursor } from "../../parts/curves.js";
import { type Cell, HeatMap } from "../../parts/heat_map.js";
import { NumberForm } from "../../parts/number_form.js";
import { decimals, grouped, significant } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { TrainingTable } from "../../parts/training_table.js";
import { useAlive } from "../../parts/use_alive.js";
import { usePause } from "../../parts/use_pause.js";
import { type Runs, type Training, useTraining } from "../../parts/use_training.js";
import type { Given } from "../../runtime/widget.js";
import type { TrainGpt, TrainGptParameters, TrainGptState } from "../types.js";

/** Rows of the table of looks that have room from the start. */
const ROOM = 5;
/** Of a file, no more than this is read, in bytes: what is longer, Python refuses anyway. */
const MOST = { names: 4_100_000, run: 20_000_000 };
/** The largest cell of the matrices, and of attention, whose maps take the room that there is; in pixels. */
const SIDE = { matrix: 9, attention: 100 };
const NAMES = ["emma", "anna", "mohammed", "christopher"];

const short = (matrix: string): string => matrix.replace("layer0.", "");

/** A file of the reader's, read here; nothing is sent anywhere. */
function FileButton(props: { label: string; accept: string; most: number; take(text: string): void }) {
  const { label, accept, most, take } = props;
  return (
    <label class="file">
      {label}
      <input
        type="file"
        accept={accept}
        onInput={async ({ currentTarget: input }) => {
          const file = input.files?.[0];
          if (file === undefined) return;
          const text = await file.slice(0, most).text();
          input.value = ""; // so that the same file can be chosen again
          take(text);
        }}
      />
    </label>
  );
}

function download(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** A button that cannot be pressed now keeps its place, and the focus. */
function Action({ off, press, children }: { off: boolean; press(): void; children: ComponentChildren }) {
  return (
    <button type="button" aria-disabled={off} onClick={() => off || press()}>
      {children}
    </button>
  );
}

interface NamesProps {
  own: boolean;
  choose(own: boolean): void;
  text: string;
  type(text: string): void;
}

function OwnNames({ own, choose, text, type }: NamesProps) {
  const id = useId();
  return (
    <>
      <div class="choices" role="group" aria-label="Names to learn from">
        <span>Learn from</span>
        <button type="button" aria-pressed={!own} onClick={() => choose(false)}>
          the guide’s names
        </button>
        <button type="button" aria-pressed={own} onClick={() => choose(true)}>
          your own
        </button>
      </div>
      {own && (
        <div class="own">
          <label for={id}>Your names, one on each line</label>
          <textarea
            id={id}
            rows={5}
            spellcheck={false}
            autocapitalize="none"
            autocomplete="off"
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <p class="note">
            <FileButton label="Take them from a file" accept=".txt,text/plain" most={MOST.names} take={type} /> They
            stay in this page: nothing is sent anywhere.
          </p>
        </div>
      )}
    </>
  );
}

function Progress({ training, busy }: { training: Training; busy: boolean }) {
  const { run, step, pace, left, own } = training;
  const working = busy && own && step < run.steps;
  const time = left >= 90 ? `${Math.ceil(left / 60)} min` : `${Math.ceil(left)} s`;
  const words = [
    `step ${grouped(step)} of ${grouped(run.steps)}`,
    own && pace > 0 && `${significant(1000 * pace, 2)} ms a step`,
    working && pace > 0 && `${time} left`,
  ];
  return (
    <div class="progress">
      <progress aria-label="Steps taken" max={run.steps} value={step} />
      <span>{words.filter(Boolean).join(" · ")}</span>
    </div>
  );
}

/** What the reader can do with the run, in words; empty when nothing has to be said. */
function saying({ own, run, step, saved, file }: Training, busy: boolean): string {
  if (!own || busy) return "";
  if (step === run.steps) return `The run of ${grouped(run.steps)} steps is complete.`;
  if (file === "") return "";
  return step === saved
    ? `The run stands at step ${grouped(step)} of ${grouped(run.steps)}, and can go on from there.`
    : `Stopped after step ${grouped(step)}. Step ${grouped(saved)} is kept: the run can go on from there, and its losses will be the same.`;
}

export default function TrainGptWidget(given: Given<TrainGptParameters, TrainGpt>) {
  const runs = useTraining(given);
  const { training, work } = runs;
  const { own, run, losses, means, looks, step } = training;
  const recorded = given.result;
  const [theirs, setTheirs] = useState(false);
  const [text, setText] = useState("");
  const names = theirs ? text || "\n" : "";
  const cursor = useCursor(recorded.losses.length, Math.max(1, losses.length));
  useEffect(() => {
    if (own) cursor.choose(run.steps);
  }, [run]);
  const at = cursor.at - 1;
  const beside = recorded.means.slice(0, run.steps);
  // Drawn once scripts run: the page is smaller without its thousand points.
  const alive = useAlive();
  const series: Series[] = [
    ...(alive ? [{ name: "each", kind: "each", values: losses }] : []),
    { name: "recorded", kind: own ? "s1 under" : "s1", values: beside },
    ...(own ? [{ name: "yours", kind: "s2", values: means }] : []),
  ];
  const describe = (step: number): string =>
    `step ${step} of ${run.steps}: loss of its name ${decimals(losses[step - 1], 3)}, ` +
    `mean of the last 100 ${decimals(means[step - 1], 3)}`;
  const says = saying(training, work.busy);
  const about =
    `${grouped(run.names)} names${run.cut > 0 ? `, of which ${grouped(run.cut)} are too long and cut` : ""} · ` +
    `${run.vocabulary.length} tokens · ${grouped(run.parameters)} parameters`;
  return (
    <>
      <div class="settings controls">
        <OwnNames own={theirs} choose={setTheirs} text={text} type={setText} />
        <NumberForm
          id="train-gpt"
          fields={[
            ["steps", "steps"],
            ["seed", "seed"],
          ]}
          values={{ steps: run.steps, seed: run.seed }}
          onRun={({ steps = Number.NaN, seed = Number.NaN }) => runs.train({ steps, seed, names })}
          run="Train"
          refusal={work.refusal}
        >
          <PythonStatus python={work} />
        </NumberForm>
        <div class="choices">
          <Action off={work.busy || training.file === "" || training.saved === run.steps} press={runs.goOn}>
            Go on
          </Action>
          <Action off={training.file === ""} press={() => download(training.file, "microgpt-run.json")}>
            Save the run
          </Action>
          <FileButton
            label="Open a run"
            accept=".json,application/json"
            most={MOST.run}
            take={(file) => runs.open(file || " ", names)}
          />
        </div>
      </div>
      <p class="about">
        <strong>{own ? "Your run" : "The recorded run"}</strong>: {about}
      </p>
      <Progress training={training} busy={work.busy} />
      <p class="says controls" role="status">
        {says}
      </p>
      <Curves
        panels={[
          {
            title: "loss of each name (thin), and mean of the last 100 (nats)",
            series,
            height: 220,
            axis: "linear",
            least: [2, 3.4],
          },
        ]}
        steps={run.steps}
        last={Math.max(1, losses.length)}
        cursor={cursor}
        label={`Losses of the run. At ${describe(Math.max(1, losses.length))}`}
        describe={describe}
      />
      <table class="readout">
        <caption>Step {grouped(cursor.at)}</caption>
        <thead>
          <tr>
            <td />
            <th scope="col">
              <span class="key s1" /> recorded
            </th>
            <th scope="col">
              <span class="key s2" /> yours
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">loss of its name</th>
            <td>{decimals(recorded.losses[at], 3)}</td>
            <td>{own ? decimals(losses[at], 3) : "–"}</td>
          </tr>
          <tr>
            <th scope="row">mean of the last 100</th>
            <td>{decimals(beside[at], 3)}</td>
            <td>{own ? decimals(means[at], 3) : "–"}</td>
          </tr>
        </tbody>
      </table>
      <TrainingTable
        caption={
          run.held_out > 0
            ? `Loss on ${run.held_out} held-out names (nats per token), and names that it invents`
            : "Names that it invents; every name is learnt from, so none is held out"
        }
        losses={["held-out"]}
        samples="invented, at temperature 0.5"
        looks={looks.map((look) => ({ ...look, losses: [look.held_out] }))}
        room={ROOM}
      />
      <Inside runs={runs} />
      <span class="sr-only" role="status">
        {own && step === run.steps && !work.busy && `Trained. ${describe(run.steps)}`}
      </span>
    </>
  );
}

/** The model after one of the steps that were kept. */
function Inside({ runs }: { runs: Runs }) {
  const { training, reading, fetch } = runs;
  const { own, run, states } = training;
  const steps = own ? states.map(({ step }) => step) : run.kept;
  const [chosen, choose] = useState<number | null>(null); // null follows the last
  useEffect(() => choose(null), [run]);
  const place = Math.min(chosen ?? steps.length - 1, steps.length - 1);
  const found = states.findIndex(({ step }) => step === steps[place]);
  const missing = found < 0;
  useEffect(() => {
    if (missing) fetch();
  }, [missing]);
  const shown = missing ? states.length - 1 : found;
  const state = states[shown] as TrainGptState;
  const describe = (index: number): string => `after step ${grouped(steps[index] ?? 0)}`;
  return (
    <div class="inside">
      <p class="title">Inside the model, after step {grouped(state.step)}</p>
      <Player
        last={Math.max(1, steps.length - 1)}
        at={place}
        onMove={(index) => choose(index >= steps.length - 1 ? null : index)}
        label="The model after some of the steps"
        describe={describe}
      />
      <div class={missing ? "stale" : ""}>
        <Matrices state={state} states={states} vocabulary={run.vocabulary} fetch={fetch} />
        <Attention runs={runs} shown={shown} />
      </div>
      <PythonStatus python={reading} />
    </div>
  );
}

interface MatricesProps {
  state: TrainGptState;
  states: TrainGptState[];
  vocabulary: string[];
  fetch(): void;
}

const largest = (values: number[]): number => Math.max(...values, 1e-12);
const flat = (matrix: number[][] | undefined): number[] => (matrix ?? []).flat().map(Math.abs);
const transposed = (matrix: number[][]): number[][] =>
  (matrix[0] ?? []).map((_, column) => matrix.map((row) => row[column] as number));

/** Every matrix with its size and that of its gradient; one of them, cell by cell. */
function Matrices({ state, states, vocabulary, fetch }: MatricesProps) {
  const [wanted, setWanted] = useState(Object.keys(state.weights)[0] as string);
  // Of the recorded run, the page has one matrix; Python has the others.
  const missing = !(wanted in state.weights);
  useEffect(() => {
    if (missing) fetch();
  }, [missing]);
  const name = missing ? (Object.keys(state.weights)[0] as string) : wanted;
  const [picked, pick] = useState<Cell>([0, 0]);
  const [seen, look] = useState<Cell | null>(null);
  const weights = state.weights[name] as number[][];
  const gradient = state.gradient[name] as number[][];
  const [rows, columns] = [weights.length, weights[0]?.length ?? 0];
  // All are drawn as wide as they are high, or wider: a tall one lies on its side.
  const lies = rows > 2 * columns;
  const within = ([row, column]: Cell): Cell => [Math.min(row, rows - 1), Math.min(column, columns - 1)];
  const [row, column] = within(seen ?? picked);
  const tokens = rows === vocabulary.length && (name === "wte" || name === "lm_head");
  const rowNames = tokens ? vocabulary : weights.map((_, index) => String(index));
  // Where each row has its letter, there is no room for a number at each column.
  const columnNames = Array.from({ length: columns }, (_, index) => (tokens && index % 8 > 0 ? "" : String(index)));
  const down = tokens ? "token" : name === "wpe" ? "position" : "row";
  const turned = (cell: Cell | null): Cell | null => cell && (lies ? [cell[1], cell[0]] : cell);
  const side = (cell: Cell): Cell => turned(cell) as Cell;
  const cell = ([row, column]: Cell): string =>
    `${name}[${row}][${column}]: weight ${decimals(weights[row]?.[column], 3)}, ` +
    `gradient ${significant(gradient[row]?.[column] ?? 0, 2)}`;
  const widest = { sizes: largest(Object.values(state.sizes)), slopes: largest(Object.values(state.slopes)) };
  const map = (kind: "parameter" | "gradient", values: number[][], limit: number, title: string) => (
    <div>
      <p class="what">{title}</p>
      <HeatMap
        rows={lies ? columnNames : rowNames}
        columns={lies ? rowNames : columnNames}
        values={lies ? transposed(values) : values}
        scale="diverging"
        kind={kind}
        limit={limit}
        picked={side(within(picked))}
        onPick={(y, x) => pick(side([y, x]))}
        onLook={(at) => look(turned(at))}
        format={(value) => (kind === "parameter" ? decimals(value, 2) : significant(value, 2))}
        label={`${title} of ${name}, ${rows} by ${columns}`}
        describe={(y, x) => cell(side([y, x]))}
        down={lies ? "column" : down}
        across={lies ? down : "column"}
        cell={SIDE.matrix}
        every={tokens ? 1 : 8}
      />
    </div>
  );
  return (
    <>
      <table class="readout matrices">
        <caption>Root mean square of every matrix, and of its gradient for “{state.document}”, the next name</caption>
        <thead>
          <tr>
            <th scope="col">matrix</th>
            <th scope="col">weights</th>
            <th scope="col">gradient</th>
          </tr>
        </thead>
        <tbody>
          {Object.keys(state.sizes).map((each) => (
            <tr class={each === wanted ? "picked" : ""}>
              <th scope="row">
                <label>
                  <input
                    class="controls"
                    type="radio"
                    name="train-gpt-matrix"
                    checked={each === wanted}
                    onInput={() => setWanted(each)}
                  />
                  {short(each)}
                </label>
              </th>
              {(["sizes", "slopes"] as const).map((which) => (
                <td class={which}>
                  <span class="length" aria-hidden="true">
                    <span style={{ width: `${(100 * (state[which][each] ?? 0)) / widest[which]}%` }} />
                  </span>
                  {significant(state[which][each] ?? 0, 2)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="here">{cell([row, column])}</p>
      <div class={`maps${columns > 2 * rows || lies ? " wide" : ""}${missing ? " stale" : ""}`}>
        {map("parameter", weights, largest(states.flatMap(({ weights }) => flat(weights[name]))), "weights")}
        {map("gradient", gradient, largest(flat(gradient)), "gradient")}
      </div>
    </>
  );
}

interface Looked {
  head: number;
  cell: Cell;
}

/** How much each token of a name takes from those before, head by head. */
function Attention({ runs, shown }: { runs: Runs; shown: number }) {
  const { training, reading, name, read } = runs;
  const { tokens } = training;
  const heads = training.attention[shown] ?? [];
  const afterPause = usePause();
  const [typed, setTyped] = useState(name);
  useEffect(() => setTyped(name), [name]);
  const [picked, pick] = useState<Looked>({ head: 0, cell: [tokens.length - 1, 0] });
  const [seen, look] = useState<Looked | null>(null);
  const within = ([row, column]: Cell): Cell => [Math.min(row, tokens.length - 1), Math.min(column, tokens.length - 1)];
  const says = (head: number, cell: Cell): string => {
    const [row, column] = within(cell);
    return column > row
      ? `head ${head}: ${tokens[column]} comes after ${tokens[row]}, which cannot see it`
      : `head ${head}: ${tokens[row]} at position ${row} takes ${decimals(heads[head]?.[row]?.[column], 2)} ` +
          `from ${tokens[column]} at position ${column}`;
  };
  const at = seen ?? picked;
  return (
    <div class={name === training.name ? "attention" : "attention stale"}>
      <p class="title">Attention in “{training.name}”</p>
      <p class="what">What each token, a row, takes from itself and those before it. A row adds up to 1.</p>
      <div class="heads">
        {heads.map((table, head) => (
          <div>
            <p class="what">head {head}</p>
            <HeatMap
              rows={tokens.map((token) => (token === "BOS" ? "·" : token))}
              columns={tokens.map((token) => (token === "BOS" ? "·" : token))}
              values={table}
              scale="sequential"
              kind="attention"
              limit={1}
              picked={picked.head === head ? within(picked.cell) : null}
              onPick={(row, column) => {
                look(null);
                pick({ head, cell: [row, column] });
              }}
              onLook={(cell) => look(cell && { head, cell })}
              format={(value) => decimals(value, 2)}
              label={`Attention of head ${head} in ${training.name}`}
              describe={(row, column) => says(head, [row, column])}
              cell={SIDE.attention}
              legend={false}
            />
          </div>
        ))}
      </div>
      <p class="here">{says(at.head, at.cell)}</p>
      <TextField
        id="train-gpt-name"
        label="A name"
        value={typed}
        onInput={(text) => {
          setTyped(text);
          afterPause(() => read(text.trim()), true);
        }}
        onEnter={(text) => afterPause(() => read(text.trim()), false)}
        refusal={name === training.name ? null : reading.refusal}
      />
      <Choices label="Names to read" choices={NAMES} value={name} onChoose={read} class="examples controls" />
    </div>
  );
}
