/** The flow as a picture: a strip for each vector, its slopes below, and what leads from one to the next. */

import { type Pair, SLOPES, VECTORS, type VectorName } from "../../engine/network.js";
import type { Kind } from "../../parts/kinds.js";
import { Strip } from "../../parts/strip.js";
import { type Cell, nameOf, products, rowOf } from "./detail.js";
import { type Flow, three } from "./says.js";

const COLUMNS = { x: 16, hidden: 32, activated: 32, logits: 27, probabilities: 27 };
/** The height of what lies between two strips, of any unit. */
const HIGH = 100;
/** A full bar stands for this probability at least. */
const LIKELY = 0.2;

export const stage = ({ stages }: Flow, name: string): number => stages.indexOf(name);
/** BOS is a point where there is room for a letter. */
export const letter = ({ tokens }: Flow, token: number): string => {
  const name = tokens[token] as string;
  return name.length > 1 ? "·" : name;
};

/** Where a cell stands across its strip, from 0 to 100. */
function across([name, index]: Cell): number {
  const columns = COLUMNS[VECTORS[rowOf(name)] as keyof typeof COLUMNS];
  return Math.round((1000 * ((index % columns) + 0.5)) / columns) / 10;
}

/** For each cell of a vector, a line from the cell that has most say in it, or from the one that it copies. */
function fan(flow: Flow, pair: Pair, name: VectorName): string {
  const copies = { activated: "hidden", probabilities: "logits", d_hidden: "d_activated" }[name as string];
  const lines = pair.vectors[name].map((value, index) => {
    if (value === 0) return "";
    const from = copies ? ([copies, index] as Cell) : products(flow, pair, [name, index], 1)[0]?.cell;
    return from ? line(from, [name, index]) : "";
  });
  return lines.join("");
}

function line(from: Cell, to: Cell): string {
  const down = rowOf(from[0]) < rowOf(to[0]);
  return `M${across(from)} ${down ? 0 : HIGH}L${across(to)} ${down ? HIGH : 0}`;
}

interface Props {
  flow: Flow;
  pair: Pair;
  at: number;
  picked: Cell | null;
  /** The cells that the picked one rests on. */
  also: Cell[];
  onPick(cell: Cell): void;
}

interface RowProps extends Props {
  name: VectorName;
  kind: Kind;
  label: string;
}

/** A vector, empty until its stage has come. */
function Row({ flow, pair, at, picked, also, onPick, name, kind, label }: RowProps) {
  const here = stage(flow, name);
  const known = at >= here;
  const values = pair.vectors[name];
  const named = name === "logits" || name === "probabilities";
  const columns = COLUMNS[VECTORS[rowOf(name)] as keyof typeof COLUMNS];
  const all = flow.pairs.flatMap((each) => each.vectors[name]).map(Math.abs);
  const limit = Math.max(...all, name === "probabilities" ? LIKELY : 0) || 1;
  return (
    <div
      class={["row", kind, !named && values.length === columns && "single", !known && "coming", at === here && "now"]
        .filter(Boolean)
        .join(" ")}
    >
      <Strip
        id={`network-${name}`}
        values={known ? values : values.map(() => 0)}
        kind={kind}
        limit={limit}
        label={known ? label : `${name}: not yet computed`}
        {...(named && { names: flow.tokens.map((_, token) => letter(flow, token)) })}
        {...(name === "probabilities" && { tall: true })}
        columns={columns}
        also={also.flatMap(([of, index]) => (of === name && known ? [index] : []))}
        picked={picked?.[0] === name && known ? picked[1] : null}
        {...(known && { onPick: (index: number) => onPick([name, index]) })}
        describe={(index) => `${nameOf(flow, [name, index])} = ${three(values[index] as number)}`}
      />
      {named && (
        <span
          class="target"
          style={{ left: `${(100 * pair.target) / columns}%`, width: `${100 / columns}%` }}
          aria-hidden="true"
        />
      )}
    </div>
  );
}

/** What leads from the strip above to that below, and back. */
function Band({ row, ...props }: Props & { row: number }) {
  const { flow, pair, at, picked, also } = props;
  const [above, below] = [VECTORS[row - 1] as VectorName, VECTORS[row] as VectorName];
  const back = `d_${above}` as VectorName;
  const [forth, returned] = [stage(flow, below), stage(flow, back)];
  const isBack = returned > 0 && row < VECTORS.length - 1 && at >= returned;
  const known = at >= forth;
  const strong = also.flatMap((other) => {
    if (!known || !picked) return [];
    const rows = [rowOf(picked[0]), rowOf(other[0])];
    return Math.min(...rows) === row - 1 && Math.max(...rows) === row ? [line(other, picked)] : [];
  });
  const state = at === (isBack ? returned : forth) ? "now" : "";
  return (
    <div class={`band ${isBack ? "gradient" : "activation"} ${state}`}>
      <svg viewBox={`0 0 100 ${HIGH}`} preserveAspectRatio="none" fill="none" aria-hidden="true">
        {known && <path class="fan" d={fan(flow, pair, isBack ? back : below)} />}
        {strong.length > 0 && <path class="strong" d={strong.join("")} />}
      </svg>
    </div>
  );
}

export function Picture(props: Props) {
  const { flow, pair } = props;
  const { tokens } = flow;
  const made = {
    x: `the embedding of ${tokens[pair.token]}, row ${pair.token} of wte`,
    hidden: `${pair.vectors.hidden.length} dot products with the rows of fc1`,
    activated: `ReLU: ${pair.vectors.activated.filter((a) => a === 0).length} of them become 0`,
    logits: `${tokens.length} dot products with the rows of fc2`,
    probabilities: "softmax of the logits",
  };
  return (
    <>
      {VECTORS.map((name, row) => {
        const slopes = SLOPES.find((each) => each === `d_${name}` && flow.stages.includes(each));
        return (
          <>
            {row > 0 && <Band row={row} {...props} />}
            <p class="note what" aria-hidden="true">
              <span>
                <code>{name}</code> {made[name]}
              </span>
              {slopes && <code class={props.at < stage(flow, slopes) ? "slopes coming" : "slopes"}>↑ {slopes}</code>}
            </p>
            <Row
              {...props}
              name={name}
              kind={name === "x" ? "parameter" : "activation"}
              label={`${name}: ${made[name]}`}
            />
            {slopes && (
              <Row
                {...props}
                name={slopes}
                kind="gradient"
                label={`${slopes}: the slopes of the loss with respect to ${name}`}
              />
            )}
          </>
        );
      })}
    </>
  );
}
