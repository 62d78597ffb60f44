/** A name as tokens, and the questions that it asks of a model. */

import { useState } from "preact/hooks";
import type { Given } from "../live/widget.js";
import { roleOf } from "../parts/kinds.js";
import { PythonStatus } from "../parts/python_status.js";
import { TextField } from "../parts/text_field.js";
import { usePause } from "../parts/use_pause.js";
import { usePython } from "../parts/use_python.js";
import type { NamedToken, Tokens, TokensParameters } from "./types.js";

const EXAMPLES = ["emma", "ava", "zoë", "Zoe"];

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
  const python = usePython<TokensParameters, Tokens>("tokens", given);
  const [text, setText] = useState(given.parameters.name);
  const afterPause = usePause();
  const { document, pairs, decoded, says } = python.result;
  const ask = (name: string, wait: boolean): void => {
    setText(name);
    afterPause(() => python.ask({ name }), wait);
  };
  return (
    <>
      <TextField
        id="tokens"
        label="A name"
        value={text}
        onInput={(name) => ask(name, true)}
        onEnter={(name) => ask(name, false)}
        refusal={python.refusal}
      >
        <PythonStatus python={python} />
      </TextField>
      <div class="examples controls" role="group" aria-label="Names to type">
        {EXAMPLES.map((name) => (
          <button type="button" aria-pressed={name === text} onClick={() => ask(name, false)}>
            {name}
          </button>
        ))}
      </div>
      <div class={text === python.parameters.name ? "answer" : "answer stale"} style={roleOf("data")}>
        <p class="title">
          document(“{decoded}”): <span role="status">{says}</span>
        </p>
        <ol class="document" aria-label="Tokens">
          {document.map((token) => (
            <li>
              <Chip {...token} />
            </li>
          ))}
        </ol>
        <p class="title">The questions, each with its answer</p>
        <ol class="pairs" aria-label="Questions">
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
