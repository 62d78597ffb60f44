/** A mixing desk: a few parameters of the untrained network, and the loss of a name. */

import { useMemo, useState } from "preact/hooks";
import { documentOf, initialWeights, pairsOf, TOKENS } from "../../engine/network.js";
import { mean, type Vector } from "../../engine/vectors.js";
import { decimals } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import type { Sliders } from "../types.js";
import { Meter, Verdict } from "./says.js";

const NAME = "emma";
/** The one whose embedding is on the desk. */
const LETTER = "m";
/** Its numbers whose best places are far apart. */
const COLUMNS = [3, 7, 9, 12, 13, 15];
const REACH = 60;

export function MixingDesk({ names }: Sliders) {
  const weights = useMemo(() => initialWeights(names), []);
  const letter = TOKENS.indexOf(LETTER);
  const embeddings = weights["wte"] as Vector[];
  const start = embeddings[letter] as Vector;
  const lossOf = (x: Vector): number =>
    mean(pairsOf({ ...weights, wte: embeddings.with(letter, x) }, documentOf(NAME)).map(({ loss }) => loss));
  const [x, setX] = useState(start);
  const first = lossOf(start);
  const [best, setBest] = useState(first);
  const move = (column: number, to: number): void => {
    const moved = x.with(column, to);
    setX(moved);
    setBest(Math.min(best, lossOf(moved)));
  };
  return (
    <>
      <div class="columns controls" role="group" aria-label={`Numbers in the embedding of ${LETTER}`}>
        {COLUMNS.map((column) => (
          <Slider
            label={`number ${column}`}
            value={x[column] as number}
            min={-REACH}
            max={REACH}
            digits={0}
            onInput={(to) => move(column, to)}
          />
        ))}
      </div>
      <Meter label={`loss of “${NAME}”`} loss={lossOf(x)} />
      <Verdict>
        Lowest so far: {decimals(best, 3)}. Starting loss: {decimals(first, 3)}.
      </Verdict>
      <button type="button" onClick={() => setX(start)}>
        Back to the start
      </button>
    </>
  );
}
