/** Attention over a name: with a cache that grows, and as one matrix with and without a mask. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { roleOf } from "../../parts/kinds.js";
import { NameField } from "../../parts/name_field.js";
import { decimals, fixed, scientific } from "../../parts/numerals.js";
import { Player } from "../../parts/player.js";
import { Strip } from "../../parts/strip.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { CacheAttention, CacheMask, CacheMaskParameters } from "../types.js";

const WAYS: [key: "cache" | "unmasked" | "masked", name: string][] = [
  ["cache", "token by token"],
  ["unmasked", "all at once, no mask"],
  ["masked", "all at once, masked"],
];
type Way = (typeof WAYS)[number][0];
type Shown = "weights" | "scores";
const SHOWN: Shown[] = ["weights", "scores"];

const largest = (rows: number[][]): number => Math.max(...rows.flat().map(Math.abs));
const few = (value: number): string => (value === 0 ? "0" : scientific(value, 1));
const apartText = (value: number): string => (value !== 0 && value < 1e-3 ? few(value) : decimals(value, 3));

interface MatrixProps {
  tokens: string[];
  attention: CacheAttention;
  way: Way;
  shown: Shown;
  /** Rows that are there already. */
  done: number;
}

/** A row for each token that reads, a column for each that is read. */
function Matrix({ tokens, attention, way, shown, done }: MatrixProps) {
  const rows = attention[shown];
  const limit = largest(rows);
  const cell = (row: number, column: number) => {
    const later = column > row;
    if (row >= done) return <td class="none" />;
    if (later && way === "cache") return <td class="none" />;
    if (later && way === "masked") return <td class="masked">{shown === "scores" ? "−∞" : "0"}</td>;
    const value = rows[row]?.[column] ?? 0;
    const share = Math.round((42 * Math.abs(value)) / limit);
    return (
      <td
        class={later ? "later" : value < 0 ? "below" : ""}
        style={{ ...roleOf("attention"), "--share": `${value > 0 ? share : 0}%` }}
      >
        {fixed(value, 2)}
      </td>
    );
  };
  return (
    <table class="matrix">
      <caption>{shown === "weights" ? "Attention weights" : "Scores"}: each row reads, each column is read</caption>
      <thead>
        <tr>
          <td />
          {tokens.map((token) => (
            <th scope="col">{token}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {tokens.map((token, row) => (
          <tr class={way === "cache" && row === done - 1 ? "now" : ""}>
            <th scope="row">{token}</th>
            {tokens.map((_, column) => cell(row, column))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export default function CacheMaskWidget(given: Given<CacheMaskParameters, CacheMask>) {
  const python = usePython<CacheMaskParameters, CacheMask>("cache_mask", given);
  const result = python.result;
  const { tokens } = result;
  const [way, setWay] = useState<Way>("cache");
  const [shown, show] = useState<Shown>("weights");
  const [chosen, setChosen] = useState(given.result.tokens.length);
  // A name that has come since may be shorter.
  const at = Math.min(chosen, tokens.length);
  const done = way === "cache" ? at : tokens.length;
  const attention = result[way];
  const limits = [largest(result.keys), largest(result.values)] as [number, number];
  const furthest = Math.max(...attention.apart);
  const describe = (count: number): string =>
    count === 0
      ? "Nothing is read yet, the cache is empty"
      : `Token ${count}, ${tokens[count - 1]}, is read; it attends to ${count === 1 ? "itself" : `${count} tokens`}`;
  const differ = tokens.filter((_, row) => (attention.apart[row] as number) > 0);
  const verdict = {
    cache:
      `${describe(at)}. Linear layers so far: ${result.cached[at]}; without a cache it would ` +
      `have been ${result.anew[at]}.`,
    unmasked:
      `Each token attends to all ${tokens.length}. The logits of ${differ.length} of them are others than with the ` +
      `cache, by ${apartText(furthest)} at most; the loss of the name is ${decimals(attention.loss, 4)} ` +
      `instead of ${decimals(result.cache.loss, 4)}.`,
    masked:
      `What is later has the score −∞ and no weight. Largest difference from the cache, in any logit: ` +
      `${few(furthest)}. The loss of the name is ${decimals(attention.loss, 4)} both ways.`,
  }[way];
  return (
    <>
      <NameField id="cache-mask" python={python} examples={["emma", "anna", "oliver"]} />
      <Choices label="How the name is read" choices={WAYS} value={way} onChoose={setWay} />
      <Choices label="What the matrix shows" choices={SHOWN} value={shown} onChoose={show} word="Shown" />
      <div class={way === "cache" ? "steps" : "steps away"}>
        <Player last={tokens.length} at={at} onMove={setChosen} label="Tokens read" describe={describe} />
      </div>
      <div class={python.stale ? "whole stale" : "whole"}>
        <Matrix tokens={tokens} attention={attention} way={way} shown={shown} done={done} />
        <p class="verdict">{verdict}</p>
        <div class="kept">
          <p class="title">
            {way === "cache" ? `The cache: ${done} keys, ${done} values` : "Keys and values, all computed at once"}
          </p>
          <div class="heads" aria-hidden="true">
            <span />
            <span>key</span>
            <span>value</span>
          </div>
          {tokens.map((token, row) => (
            <div class={row < done ? "entry" : "entry none"} aria-hidden={row >= done}>
              <span class="name">{token}</span>
              {[result.keys, result.values].map((vectors, which) => (
                <Strip
                  values={vectors[row] as number[]}
                  kind="activation"
                  limit={limits[which] as number}
                  label={`${which === 0 ? "key" : "value"} of ${token}`}
                  columns={16}
                  narrow={16}
                />
              ))}
            </div>
          ))}
          <p class="note">{result.kept[done]} numbers. A dash marks one below 0.</p>
        </div>
      </div>
      <span class="sr-only" role="status">
        {way === "cache" ? "" : verdict}
      </span>
    </>
  );
}
