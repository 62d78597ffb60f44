/** What is in an open box. */

import { TOKENS } from "../../engine/network.js";
import { Bars } from "../../parts/bars.js";
import { fixed, percent } from "../../parts/numerals.js";
import { Readout } from "../../parts/readout.js";
import { Strip } from "../../parts/strip.js";
import type { Transformer } from "../types.js";
import type { Box } from "./boxes.js";
import { Cells } from "./cells.js";

interface DetailProps {
  given: Transformer;
  box: Box;
  index: number;
  pick(index: number): void;
  close(): void;
}

/** All its numbers, and where one of them comes from. */
export function Detail({ given, box, index, pick, close }: DetailProps) {
  const named = box.values.length === TOKENS.length;
  const each = (i: number): string => (named ? `${TOKENS[i]} ` : "") + fixed(box.values[i] as number, 2);
  const order = [...box.values.keys()].sort((i, j) => (box.values[j] as number) - (box.values[i] as number));
  const rows = given.matrices[box.matrix ?? ""];
  return (
    <div class="panel" id="transformer-panel" role="group" aria-label={box.title}>
      <div class="inner">
        <button type="button" class="close controls" aria-label="Close" onClick={close}>
          ×
        </button>
        <p class="title">{box.title}</p>
        <p class="says">{box.says}</p>
        {Object.entries(box.from ?? {}).map(([name, values]) => (
          <p class="from">
            <span>{name}</span>
            <Cells
              of={{ values, limit: name === "before" ? Math.max(...values.map(Math.abs)) : box.limit, kind: box.kind }}
            />
          </p>
        ))}
        {box.id === "softmax" ? (
          <Bars
            items={order.map((i) => ({ name: TOKENS[i] as string, value: box.values[i] as number }))}
            max={box.values[order[0] as number] as number}
            kind={box.kind}
            format={percent}
            picked={order.indexOf(index)}
            onPick={(place) => pick(order[place] as number)}
            label="The probability of each token"
          />
        ) : (
          <Strip
            id="transformer-number"
            values={box.values}
            kind={box.kind}
            limit={box.limit}
            label={`Its ${box.values.length} numbers`}
            names={box.values.map((_, i) => each(i))}
            columns={named ? 5 : Math.min(8, box.values.length)}
            picked={index}
            onPick={pick}
            describe={(i) => `number ${i}: ${each(i)}`}
          />
        )}
        {box.looks && (
          <Readout
            head={["token", "score", "weight", `value[${index}]`]}
            rows={box.looks(index).map(([token, ...numbers]) => [token, ...numbers.map((number) => fixed(number, 2))])}
          />
        )}
        <p class="how">
          <b>{named ? TOKENS[index] : `number ${index}`}</b>
          {box.how(index).map((line) => (
            <span>{line}</span>
          ))}
        </p>
        {rows && (
          <p class="note matrix">
            weights: <code>{box.matrix}</code>, {rows.length} × {rows[0]?.length}
          </p>
        )}
      </div>
    </div>
  );
}
