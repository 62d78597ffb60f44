/** The flow as a picture: a strip for each vector, its slopes below, and what leads from one to the next. */

import { FORWARD_VECTORS, GRADIENT_VECTORS, type PairTrace, type VectorName } from "../../engine/network.js";
import { VectorStrip } from "../../parts/vector_strip.js";
import { type Cell, type Flow, nameOf, sourceOf, three } from "./describe.js";

const COLUMNS = { x: 16, hidden: 32, activated: 32, logits: 27, probabilities: 27 };
/** A full bar stands for this probability at least. */
const LIKELY = 0.2;

export const stage = ({ stages }: Flow, name: string): number => stages.indexOf(name);
/** BOS is a point where there is room for a letter. */
export const letter = ({ tokens }: Flow, token: number): string => {
  const name = tokens[token] as string;
  return name.length > 1 ? "·" : name;
};
const columnsOf = (name: VectorName): number => COLUMNS[name.replace("d_", "") as keyof typeof COLUMNS];

interface Props {
  flow: Flow;
  pair: PairTrace;
  at: number;
  picked: Cell | null;
  onPick(cell: Cell): void;
}

/** A vector, empty until its stage has come. */
function Row({ flow, pair, at, picked, onPick, name, label }: Props & { name: VectorName; label: string }) {
  const known = at >= stage(flow, name);
  const values = pair.vectors[name];
  const named = name === "logits" || name === "probabilities";
  const tall = name === "probabilities";
  const columns = columnsOf(name);
  const kind = name === "x" ? "parameter" : name.startsWith("d_") ? "gradient" : "activation";
  const all = flow.pairs.flatMap((each) => each.vectors[name]).map(Math.abs);
  const looks = ["row", kind, !named && values.length === columns && "single", !known && "coming"];
  return (
    <div class={looks.filter(Boolean).join(" ")}>
      <VectorStrip
        id={`network-${name}`}
        values={known ? values : values.map(() => 0)}
        kind={kind}
        maxMagnitude={Math.max(...all, tall ? LIKELY : 0) || 1}
        label={known ? label : `${name}: not yet computed`}
        {...(named && { cellLabels: flow.tokens.map((_, token) => letter(flow, token)) })}
        hasBars={tall}
        columns={columns}
        selected={picked?.[0] === name && known ? picked[1] : null}
        {...(known && { onSelect: (index: number) => onPick([name, index]) })}
        describeCell={(index) => `${nameOf(flow, [name, index])} = ${three(values[index] as number)}`}
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

/** What leads from the strip above to that below, and back: to each cell a line from the one it owes most. */
function Band({ row, flow, pair, at, picked }: Props & { row: number }) {
  const [above, below] = [FORWARD_VECTORS[row - 1] as VectorName, FORWARD_VECTORS[row] as VectorName];
  const back = `d_${above}` as VectorName;
  const isBack = below !== "probabilities" && flow.stages.includes(back) && at >= stage(flow, back);
  const name = isBack ? back : below;
  const known = at >= stage(flow, name);
  const across = ([name, index]: Cell): string => {
    const columns = columnsOf(name);
    return ((100 * ((index % columns) + 0.5)) / columns).toFixed(1);
  };
  const line = (to: Cell): string => {
    const from = sourceOf(flow, pair, to);
    const [start, end] = isBack ? [100, 0] : [0, 100];
    return from ? `M${across(from)} ${start}L${across(to)} ${end}` : "";
  };
  const fan = pair.vectors[name].map((_, index) => line([name, index])).join("");
  return (
    <div class={`band ${isBack ? "gradient" : "activation"}${at === stage(flow, name) ? " now" : ""}`}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" fill="none" aria-hidden="true">
        {known && <path class="fan" d={fan} />}
        {known && picked?.[0] === name && <path class="strong" d={line(picked)} />}
      </svg>
    </div>
  );
}

export function Picture(props: Props) {
  const { flow, pair, at } = props;
  const { tokens } = flow;
  const { hidden, activated } = pair.vectors;
  const made = {
    x: `the embedding of ${tokens[pair.token]}, row ${pair.token} of wte`,
    hidden: `${hidden.length} dot products with the rows of fc1`,
    activated: `ReLU: ${activated.filter((a) => a === 0).length} of them become 0`,
    logits: `${tokens.length} dot products with the rows of fc2`,
    probabilities: "softmax of the logits",
  };
  return FORWARD_VECTORS.map((name, row) => {
    const slopes = GRADIENT_VECTORS.find((each) => each === `d_${name}` && flow.stages.includes(each));
    return (
      <>
        {row > 0 && <Band row={row} {...props} />}
        <p class="note what" aria-hidden="true">
          <span>
            <code>{name}</code> {made[name]}
          </span>
          {slopes && <code class={at < stage(flow, slopes) ? "slopes coming" : "slopes"}>↑ {slopes}</code>}
        </p>
        <Row {...props} name={name} label={`${name}: ${made[name]}`} />
        {slopes && <Row {...props} name={slopes} label={`${slopes}: the slopes of the loss with respect to ${name}`} />}
      </>
    );
  });
}
