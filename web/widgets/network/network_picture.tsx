/** The picture of a pair in the network: a strip for each vector, its gradient below, and lines between them. */

import { FORWARD_VECTOR_NAMES, GRADIENT_VECTOR_NAMES, type PairTrace, type VectorName } from "../../engine/network.js";
import { VectorStrip } from "../../parts/vector_strip.js";
import { cellName, formatThreeDigits, type NetworkFlow, topSource, type VectorCell } from "./describe.js";

const VECTOR_COLUMNS = { x: 16, hidden: 32, activated: 32, logits: 27, probabilities: 27 };
/** The probability of a full bar is at least this. */
const MIN_FULL_BAR_PROBABILITY = 0.2;

/** Return the index of a stage, −1 if the flow does not have it. */
export const stageIndex = ({ stages }: NetworkFlow, name: VectorName | "loss"): number => stages.indexOf(name);
/** Return the letter of a token; BOS is a dot, which fits in its place. */
export const tokenLetter = ({ tokens }: NetworkFlow, token: number): string => {
  const name = tokens[token] as string;
  return name.length > 1 ? "·" : name;
};
const columnCount = (name: VectorName): number => VECTOR_COLUMNS[name.replace("d_", "") as keyof typeof VECTOR_COLUMNS];

interface NetworkPictureProps {
  flow: NetworkFlow;
  pair: PairTrace;
  reachedStage: number;
  selectedCell: VectorCell | null;
  onSelectCell(cell: VectorCell): void;
}

/** A vector, empty until its stage is reached. */
function VectorRow(props: NetworkPictureProps & { name: VectorName; label: string }) {
  const { flow, pair, reachedStage, selectedCell, onSelectCell, name, label } = props;
  const isKnown = reachedStage >= stageIndex(flow, name);
  const values = pair.vectors[name];
  const hasTokenLabels = name === "logits" || name === "probabilities";
  const hasBars = name === "probabilities";
  const columns = columnCount(name);
  const kind = name === "x" ? "parameter" : name.startsWith("d_") ? "gradient" : "activation";
  const magnitudes = flow.pairs.flatMap((each) => each.vectors[name]).map(Math.abs);
  const classes = ["row", kind, !hasTokenLabels && values.length === columns && "single", !isKnown && "pending"];
  const targetStyle = { left: `${(100 * pair.target) / columns}%`, width: `${100 / columns}%` };
  return (
    <div class={classes.filter(Boolean).join(" ")}>
      <VectorStrip
        {...{ kind, columns }}
        hasBars={hasBars}
        id={`network-${name}`}
        values={isKnown ? values : values.map(() => 0)}
        maxMagnitude={Math.max(...magnitudes, hasBars ? MIN_FULL_BAR_PROBABILITY : 0) || 1}
        label={isKnown ? label : `${name}: not yet computed`}
        {...(hasTokenLabels && { cellLabels: flow.tokens.map((_, token) => tokenLetter(flow, token)) })}
        selected={selectedCell?.[0] === name && isKnown ? selectedCell[1] : null}
        {...(isKnown && { onSelect: (index: number) => onSelectCell([name, index]) })}
        describeCell={(index) => `${cellName(flow, [name, index])} = ${formatThreeDigits(values[index] as number)}`}
      />
      {hasTokenLabels && <span class="target" style={targetStyle} aria-hidden="true" />}
    </div>
  );
}

/** The lines between two strips, forward or back: to each cell one from the cell that contributes most to it. */
function ConnectionBand({ row, flow, pair, reachedStage, selectedCell }: NetworkPictureProps & { row: number }) {
  const vectorBelow = FORWARD_VECTOR_NAMES[row] as VectorName;
  const gradientAbove = `d_${FORWARD_VECTOR_NAMES[row - 1]}` as VectorName;
  const isBack =
    vectorBelow !== "probabilities" &&
    flow.stages.includes(gradientAbove) &&
    reachedStage >= stageIndex(flow, gradientAbove);
  const name = isBack ? gradientAbove : vectorBelow;
  const isKnown = reachedStage >= stageIndex(flow, name);
  const cellX = ([name, index]: VectorCell): string => {
    const columns = columnCount(name);
    return ((100 * ((index % columns) + 0.5)) / columns).toFixed(1);
  };
  const linePath = (to: VectorCell): string => {
    const from = topSource(flow, pair, to);
    return from ? `M${cellX(from)} ${isBack ? 100 : 0}L${cellX(to)} ${isBack ? 0 : 100}` : "";
  };
  const allLines = pair.vectors[name].map((_, index) => linePath([name, index])).join("");
  const isActive = reachedStage === stageIndex(flow, name);
  return (
    <div class={`band ${isBack ? "gradient" : "activation"}${isActive ? " active" : ""}`}>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" fill="none" aria-hidden="true">
        {isKnown && <path class="fan" d={allLines} />}
        {isKnown && selectedCell?.[0] === name && <path class="strong" d={linePath(selectedCell)} />}
      </svg>
    </div>
  );
}

/** Draws all vectors of a pair up to the reached stage. */
export function NetworkPicture(props: NetworkPictureProps) {
  const { flow, pair, reachedStage } = props;
  const { tokens } = flow;
  const { hidden, activated } = pair.vectors;
  const explanations = {
    x: `the embedding of ${tokens[pair.token]}, row ${pair.token} of wte`,
    hidden: `${hidden.length} dot products with the rows of fc1`,
    activated: `ReLU: ${activated.filter((a) => a === 0).length} of them become 0`,
    logits: `${tokens.length} dot products with the rows of fc2`,
    probabilities: "softmax of the logits",
  };
  return FORWARD_VECTOR_NAMES.map((name, row) => {
    const gradient = GRADIENT_VECTOR_NAMES.find((each) => each === `d_${name}` && flow.stages.includes(each));
    return (
      <>
        {row > 0 && <ConnectionBand row={row} {...props} />}
        <p class="note vector-title" aria-hidden="true">
          <span>
            <code>{name}</code> {explanations[name]}
          </span>
          {gradient && (
            <code class={reachedStage < stageIndex(flow, gradient) ? "gradient-name pending" : "gradient-name"}>
              ↑ {gradient}
            </code>
          )}
        </p>
        <VectorRow {...props} name={name} label={`${name}: ${explanations[name]}`} />
        {gradient && (
          <VectorRow {...props} name={gradient} label={`${gradient}: the slopes of the loss with respect to ${name}`} />
        )}
      </>
    );
  });
}
