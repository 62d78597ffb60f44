/** A name as tokens, and the questions that it asks of a model. */

import { roleOf } from "../../parts/kinds.js";
import { NameField } from "../../parts/name_field.js";
import { refusal } from "../../parts/refusal.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { NamedToken, Tokens, TokensParameters } from "../types.js";

const EXAMPLES = ["emma", "ava", "zoë"];

function Chip({ name, token }: NamedToken) {
  return (
    <span class={name.length > 1 ? "chip end" : "chip"}>
      <span class="name">{name}</span>
      <span class="sr-only"> is token </span>
      <span class="number">{token}</span>
    </span>
  );
}

export default function TokensWidget(given: Given<TokensParameters, Tokens>) {
  const python = usePython<TokensParameters, Tokens>("tokens", given, ({ name }) => name && refusal(name));
  const { document, pairs, decoded, says } = python.result;
  return (
    <>
      <NameField id="tokens" python={python} examples={EXAMPLES} />
      <div class={python.stale ? "answer stale" : "answer"} style={roleOf("data")}>
        <p class="title">
          document(“{decoded}”): <span role="status">{says}</span>
        </p>
        <ol class="chips document" aria-label="Tokens">
          {document.map((token) => (
            <li>
              <Chip {...token} />
            </li>
          ))}
        </ol>
        <p class="title">The questions, each with its answer</p>
        <ol class="wrap pairs" aria-label="Questions">
          {pairs.map(({ question, answer }) => (
            <li>
              <Chip {...question} />
              <span class="arrow" aria-hidden="true">
                →
              </span>
              <span class="sr-only">, then </span>
              <Chip {...answer} />
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
