/** How attention cuts its vectors into heads: the lines that run, and each head's part of every vector. */

import type { HTMLAttributes } from "preact";
import { useState } from "preact/hooks";
import { roleOf } from "../../parts/kinds.js";
import { Listing } from "../../parts/listing.js";
import { decimals, significant } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { PythonStatus } from "../../parts/python_status.js";
import { TextField } from "../../parts/text_field.js";
import { useAlive } from "../../parts/use_alive.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Heads, HeadsParameters, HeadsPosition, HeadsStep } from "../types.js";

/** With more heads than this, a band has no room for a number. */
const WRITTEN = 8;
/** Steps from the weakest to the strongest cell; 0 is a cell without colour. */
const SHADES = 10;

/** A vector in the picture, or the attention weights that a token has in each head. */
interface Row {
  /** What `takes` calls it. */
  name: string;
  label: string;
  /** In words, for the reading of a number. */
  says: string;
  values: number[];
  /** How many of the numbers are there already. */
  there: number;
  /** Whether heads have parts of it. */
  cut: boolean;
  /** The number at which a cell is strongest. */
  limit: number;
  /** Written above the row. */
  section?: string | undefined;
}

type Cell = [row: number, column: number];

const largest = (vectors: number[][]): number => Math.max(...vectors.flat().map(Math.abs));

function rowsOf(shown: Heads, position: number, step: HeadsStep): Row[] {
  const { tokens, keys, values, positions, head_dim } = shown;
  const now = positions[position] as HeadsPosition;
  const width = now.x.length;
  const holds = (name: string): number => (step.holds.includes(name) ? width : 0);
  const limitOf = (name: "x" | "query" | "gathered" | "output" | "returned"): number =>
    largest(positions.map((each) => each[name]));
  const single = (name: "x" | "query" | "output" | "returned", cut: boolean): Row => ({
    name,
    label: name,
    says: name === "returned" ? "what attention returns" : name,
    values: now[name],
    there: holds(name),
    cut,
    limit: limitOf(name),
  });
  const cached = (name: "keys" | "values", vectors: number[][]): Row[] =>
    tokens.map((token, index) => ({
      name,
      label: token,
      says: `${name.slice(0, -1)} of ${token} at position ${index}`,
      values: vectors[index] as number[],
      there: index < position ? width : index === position ? holds(name.slice(0, -1)) : 0,
      cut: true,
      limit: largest(vectors),
      section: index === 0 ? `${name} in the cache` : undefined,
    }));
  const weights = tokens.map(
    (token, index): Row => ({
      name: "weights",
      label: token,
      says: `attention weight of ${token} at position ${index}`,
      values: index <= position ? now.weights.map((head) => head[index] as number) : [],
      there: index <= position ? step.gathered / head_dim : 0,
      cut: true,
      limit: 1,
      section: index === 0 ? "attention weights" : undefined,
    }),
  );
  const gathered: Row = {
    name: "gathered",
    label: "gathered",
    says: "gathered",
    values: now.gathered,
    there: step.gathered,
    cut: true,
    limit: limitOf("gathered"),
  };
  return [
    single("x", false),
    single("query", true),
    ...cached("keys", keys),
    ...weights,
    ...cached("values", values),
    gathered,
    single("output", false),
    single("returned", false),
  ];
}

function shade(value: number, limit: number): number {
  if (value === 0) return 0;
  return 10 + 9 * Math.max(1, Math.ceil(Math.min(1, Math.abs(value) / limit) * SHADES));
}

/** A number in words: which it is, whose, and how much. */
function reading(row: Row, column: number, shown: Heads): string {
  const head = Math.floor(column / shown.head_dim);
  const weight = row.name === "weights";
  const index = weight ? head : column;
  const which = weight ? `in head ${head}` : `number ${column}${row.cut ? `, of head ${head},` : ""}`;
  const value = row.values[index];
  const is =
    index < row.there && value !== undefined
      ? `is ${weight ? decimals(value, 3) : significant(value, 3)}`
      : "is not there yet";
  return `${row.says}: ${which} ${is}`;
}

interface PictureProps {
  shown: Heads;
  rows: Row[];
  step: HeadsStep;
  picked: Cell | null;
  onPick(cell: Cell): void;
  onLook(cell: Cell | null): void;
}

function Picture({ shown, rows, step, picked, onPick, onLook }: PictureProps) {
  const alive = useAlive();
  const { n_head, head_dim } = shown;
  const width = n_head * head_dim;
  const bands = Array.from({ length: n_head }, (_, head) => head);
  const pointed = (event: PointerEvent): Cell | null => {
    const at = (event.target as HTMLElement).closest<HTMLElement>("[data-row] .entry");
    const row = at?.closest<HTMLElement>("[data-row]");
    if (!at || !row) return null;
    const index = Array.from(row.querySelectorAll(".entry")).indexOf(at);
    const place = Number(row.dataset.row);
    return [place, rows[place]?.name === "weights" ? index * head_dim : index];
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const [row, column] = picked ?? [0, 0];
    const stride = rows[row]?.name === "weights" ? head_dim : 1;
    const to: Cell | undefined = (
      {
        ArrowLeft: [row, column - stride],
        ArrowRight: [row, column + stride],
        ArrowUp: [row - 1, column],
        ArrowDown: [row + 1, column],
        Home: [row, 0],
        End: [row, width - 1],
      } as Record<string, Cell>
    )[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onLook(null);
    if (rows[to[0]] && to[1] >= 0 && to[1] < width) onPick(to);
  };
  const handlers: HTMLAttributes<HTMLDivElement> = alive
    ? {
        role: "application",
        "aria-roledescription": "table of vectors",
        tabIndex: 0,
        onFocus: () => picked ?? onPick([0, 0]),
        onKeyDown,
        onPointerDown: (event: PointerEvent) => {
          const cell = event.button === 0 ? pointed(event) : null;
          if (cell) onPick(cell);
        },
        onPointerMove: (event: PointerEvent) => {
          if (event.pointerType === "mouse") onLook(pointed(event));
        },
        onPointerLeave: () => onLook(null),
      }
    : { role: "img" };
  const isPicked = (row: number, head: number, column: number | null): boolean =>
    picked !== null &&
    picked[0] === row &&
    (column === null ? Math.floor(picked[1] / head_dim) === head : picked[1] === column);
  return (
    <div
      class="vectors"
      style={{ "--heads": String(n_head), "--dim": String(head_dim) }}
      aria-label={`Vectors of ${width} numbers, cut into heads: ${n_head}`}
      {...handlers}
    >
      <div class="row numbers-of-heads" aria-hidden="true">
        <span class="label">head</span>
        <span class="bands">
          {bands.map((head) => (
            <span class={head === step.head ? "band turn" : "band"}>{head}</span>
          ))}
        </span>
      </div>
      {rows.map((row, place) => {
        const taken = step.takes.includes(row.name);
        return (
          <>
            {row.section && <p class="section">{row.section}</p>}
            <div class={row.cut ? "row cut" : "row whole"} data-row={place} data-name={row.name}>
              <span class="label">{row.label}</span>
              <span
                class={taken && !row.cut ? "bands taken" : "bands"}
                style={roleOf(row.name === "weights" ? "attention" : "activation")}
              >
                {bands.map((head) => {
                  const turn = head === step.head;
                  const marked = taken && row.cut && (turn || step.head < 0);
                  const classes = ["band", row.cut && turn && "turn", marked && "taken"].filter(Boolean).join(" ");
                  if (row.name === "weights") {
                    const weight = head < row.there ? row.values[head] : undefined;
                    return (
                      <span class={classes}>
                        <i class={isPicked(place, head, null) ? "entry weight picked" : "entry weight"}>
                          {weight !== undefined && (
                            <i class="fill" style={{ width: `${Math.round(weight * 1000) / 10}%` }} />
                          )}
                          {weight !== undefined && n_head <= WRITTEN && <b>{weight.toFixed(2)}</b>}
                        </i>
                      </span>
                    );
                  }
                  return (
                    <span class={classes}>
                      {Array.from({ length: head_dim }, (_, index) => {
                        const column = head * head_dim + index;
                        const value = column < row.there ? (row.values[column] as number) : 0;
                        const strength = shade(value, row.limit);
                        const classes = ["entry", value < 0 && "below", isPicked(place, head, column) && "picked"];
                        return (
                          <i
                            class={classes.filter(Boolean).join(" ")}
                            style={strength === 0 ? undefined : { "--shade": `${strength}%` }}
                          />
                        );
                      })}
                    </span>
                  );
                })}
              </span>
            </div>
          </>
        );
      })}
    </div>
  );
}

interface Place {
  of: Heads;
  at: number;
  position: number;
}

const atEnd = (of: Heads): Place => ({ of, at: of.steps.length - 1, position: of.positions.length - 1 });

/** Where a reader is in another answer: at its end if there before, and at the same token of the same name. */
function carried(from: Place, to: Heads): Place {
  const end = atEnd(to);
  const at = from.at === from.of.steps.length - 1 ? end.at : 0;
  const same = from.of.tokens.join(" ") === to.tokens.join(" ");
  return { of: to, at, position: same ? from.position : end.position };
}

export default function HeadsSteps(given: Given<HeadsParameters, Heads>) {
  const python = usePython<HeadsParameters, Heads>("heads", given);
  const { asked, ask, result: shown } = python;
  const [place, setPlace] = useState(atEnd(given.result));
  const [picked, setPicked] = useState<Cell | null>(null);
  const [seen, setSeen] = useState<Cell | null>(null);
  const here = place.of === shown ? place : carried(place, shown);
  const { at, position } = here;
  const step = shown.steps[at] as HeadsStep;
  const { says } = shown.positions[position] as HeadsPosition;
  const rows = rowsOf(shown, position, step);
  const inside = (cell: Cell | null): Cell | null => (cell && rows[cell[0]] ? cell : null);
  const read = inside(seen) ?? inside(picked);
  return (
    <>
      <TextField
        id="heads"
        label="A name"
        value={asked.name}
        onInput={(name) => ask({ ...asked, name }, true)}
        onEnter={(name) => ask({ ...asked, name })}
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <div class="choices controls" role="group" aria-label="Number of heads">
        <span aria-hidden="true">Heads</span>
        {shown.choices.map((n_head) => (
          <button type="button" aria-pressed={n_head === asked.n_head} onClick={() => ask({ ...asked, n_head })}>
            {n_head}
          </button>
        ))}
      </div>
      <div class="choices controls" role="group" aria-label="The token that attention reads">
        <span aria-hidden="true">Read</span>
        {shown.tokens.map((token, index) => (
          <button
            type="button"
            aria-label={`${token} at position ${index}`}
            aria-pressed={index === position}
            onClick={() => setPlace({ ...here, position: index })}
          >
            {token}
          </button>
        ))}
      </div>
      <div class={python.stale ? "walk stale" : "walk"}>
        <div class="picture-of-heads">
          <Picture shown={shown} rows={rows} step={step} picked={picked} onPick={setPicked} onLook={setSeen} />
          <p class="reading controls">
            {read ? reading(rows[read[0]] as Row, read[1], shown) : "Point at a number to read it."}
          </p>
          <span class="sr-only" role="status">
            {picked && inside(picked) ? reading(rows[picked[0]] as Row, picked[1], shown) : ""}
          </span>
        </div>
        <Listing file={shown.file} functions={shown.functions} line={step.line} />
      </div>
      <p class="words">{says[at]}</p>
      <Player
        last={shown.steps.length - 1}
        at={at}
        onMove={(to) => setPlace({ ...here, at: to })}
        label="attention, line by line"
        describe={(to) => says[to] as string}
      />
      <p class="note">
        How things stand just before the lit line runs; outlined is what it takes. Grey cells with a dash are below 0.
        These are the weights that were trained with {shown.trained} heads, however many cut them here.
      </p>
    </>
  );
}
