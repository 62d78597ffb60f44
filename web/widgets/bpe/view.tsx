/** A name as letters, and as each byte-pair merge leaves it. */

import { TOKENS } from "../../engine/network.js";
import { roleOf } from "../../parts/kinds.js";
import { NameField, useName } from "../../parts/name_field.js";
import { plural } from "../../parts/numerals.js";
import { Player, usePlace } from "../../parts/player.js";
import type { Given } from "../../runtime/widget.js";
import type { BpeParameters, Merge } from "../types.js";

const EXAMPLES = ["christopher", "anandan", "maria", "zyx"];

/** A token: whether the merge of its row has made it, and whether that of the next row takes it. */
interface Piece {
  text: string;
  made: boolean;
  next: boolean;
}

/** A name after a merge that changes it, and what there is to say about that. */
interface Step {
  pieces: Piece[];
  says: string;
  counts: string;
}

/** The name in letters, then as each merge that fits leaves it. */
function stepsOf(name: string, merges: Merge[]): Step[] {
  const stepOf = (pieces: Piece[], says: string, learnt: number): Step => {
    return { pieces, says, counts: `${plural(pieces.length, "token")}, vocabulary ${TOKENS.length + learnt}` };
  };
  let pieces = [...name].map((text): Piece => ({ text, made: false, next: false }));
  const steps = [stepOf(pieces, "letters", 0)];
  for (const [i, { left, right, times }] of merges.entries()) {
    const merged: Piece[] = [];
    let before: Piece | undefined;
    for (const piece of pieces) {
      if (before?.text === left && piece.text === right && !before.next) {
        before.next = piece.next = true;
        merged[merged.length - 1] = { text: left + right, made: true, next: false };
      } else merged.push({ text: piece.text, made: false, next: false });
      before = piece;
    }
    if (merged.length === pieces.length) continue;
    steps.push(stepOf(merged, `merge ${i + 1}: ${left} + ${right}, ${times} times in the names`, i + 1));
    pieces = merged;
  }
  return steps;
}

function Row({ step, place }: { step: Step; place: string }) {
  return (
    <li class={place} aria-hidden={place === "to-come"}>
      <p class="says">
        {step.says} <span class="counts">({step.counts})</span>
      </p>
      <ol class="chips" aria-label="Tokens">
        {step.pieces.map(({ text, made, next }) => (
          <li class={`chip${made ? " made" : ""}${next ? " next" : ""}`}>
            {text}
            {made && <span class="sr-only">, new</span>}
          </li>
        ))}
      </ol>
    </li>
  );
}

export default function BpeWidget({ parameters, result: merges }: Given<BpeParameters, Merge[]>) {
  const field = useName(parameters.name);
  const { name } = field;
  const steps = stepsOf(name, merges);
  const last = steps.length - 1;
  // The page shows all merges of its own name; any other begins with its letters.
  const [at, move] = usePlace(name, last, 0);
  const over = at === last;
  const told = steps.map(
    ({ pieces, says, counts }) => `${says}: ${pieces.map(({ text }) => text).join(" ")}; ${counts}`,
  );
  return (
    <>
      <NameField id="bpe" field={field} examples={EXAMPLES} />
      <div class={field.reason ? "answer stale" : "answer"} style={roleOf("data")}>
        <Player
          last={last}
          at={at}
          onMove={move}
          label="Merges that fit this name"
          describe={(step) => told[step] ?? ""}
        />
        <ol class="rows" aria-label={`Merges of ${name}`}>
          {steps.map((step, row) => (
            <Row step={step} place={row > at ? "to-come" : row === at ? "now" : "past"} />
          ))}
        </ol>
        <p class={over ? "outcome" : "outcome to-come"} aria-hidden={!over}>
          {plural(name.length, "letter")}, {plural((steps[last] as Step).pieces.length, "token")} after {merges.length}{" "}
          merges.
        </p>
      </div>
    </>
  );
}
