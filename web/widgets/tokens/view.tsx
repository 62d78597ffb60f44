/** A name as tokens, and the questions that it asks of a model. */

import { pairs } from "d3-array";
import { documentOf, TOKENS } from "../../engine/network.js";
import { roleOf } from "../../parts/kinds.js";
import { NameField, useName } from "../../parts/name_field.js";
import { plural } from "../../parts/numerals.js";
import { refusal } from "../../parts/refusal.js";
import type { Given } from "../../runtime/widget.js";
import type { TokensParameters } from "../types.js";

const EXAMPLES = ["emma", "ava", "zoë"];

function Chip({ token }: { token: number }) {
  const name = TOKENS[token];
  return (
    <span class={name === "BOS" ? "chip end" : "chip"}>
      <span class="name">{name}</span>
      <span class="sr-only"> is token </span>
      <span class="number">{token}</span>
    </span>
  );
}

export default function TokensWidget({ parameters }: Given<TokensParameters, null>) {
  const field = useName(parameters.name, (name) => name && refusal(name));
  const { name } = field;
  const document = documentOf(name);
  const letters = name === "" ? "no letters" : plural(name.length, "letter");
  return (
    <>
      <NameField id="tokens" field={field} examples={EXAMPLES} />
      <div class={field.reason ? "answer stale" : "answer"} style={roleOf("data")}>
        <p class="title">
          document(“{name}”):{" "}
          <span role="status">
            {letters}, {plural(document.length, "token")}, {plural(document.length - 1, "question")}
          </span>
        </p>
        <ol class="chips document" aria-label="Tokens">
          {document.map((token) => (
            <li class="wrap">
              <Chip token={token} />
            </li>
          ))}
        </ol>
        <p class="title">The questions, each with its answer</p>
        <ol class="wrap pairs" aria-label="Questions">
          {pairs(document).map(([question, answer]) => (
            <li class="wrap">
              <Chip token={question} />
              <span class="arrow" aria-hidden="true">
                →
              </span>
              <span class="sr-only">, then </span>
              <Chip token={answer} />
            </li>
          ))}
        </ol>
      </div>
    </>
  );
}
