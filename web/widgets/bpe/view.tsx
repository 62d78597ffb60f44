/** A name as letters, and as each byte-pair merge leaves it. */

import { roleOf } from "../../parts/kinds.js";
import { NameField } from "../../parts/name_field.js";
import { Player, usePlace } from "../../parts/player.js";
import { refusal } from "../../parts/refusal.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Bpe, BpeParameters, BpeStep } from "../types.js";

const EXAMPLES = ["christopher", "anandan", "maria", "zyx"];

function Row({ step, place }: { step: BpeStep; place: string }) {
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

export default function BpeWidget(given: Given<BpeParameters, Bpe>) {
  const python = usePython<BpeParameters, Bpe>("bpe", given, ({ name }) => refusal(name));
  const { result } = python;
  const last = result.steps.length - 1;
  // The page shows all merges of its own name; any other begins with its letters.
  const [at, move] = usePlace(result, last, 0);
  const over = at === last;
  const told = result.steps.map(
    ({ pieces, says, counts }) => `${says}: ${pieces.map(({ text }) => text).join(" ")}; ${counts}`,
  );
  return (
    <>
      <NameField id="bpe" python={python} examples={EXAMPLES} />
      <div class={python.stale ? "answer stale" : "answer"} style={roleOf("data")}>
        <Player
          last={last}
          at={at}
          onMove={move}
          label="Merges that fit this name"
          describe={(step) => told[step] ?? ""}
        />
        <ol class="rows" aria-label={`Merges of ${result.name}`}>
          {result.steps.map((step, row) => (
            <Row step={step} place={row > at ? "to-come" : row === at ? "now" : "past"} />
          ))}
        </ol>
        <p class={over ? "outcome" : "outcome to-come"} aria-hidden={!over}>
          {result.outcome}
        </p>
      </div>
    </>
  );
}
