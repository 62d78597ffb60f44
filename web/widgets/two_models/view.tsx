/** What comes after a token, according to the count table and to the network. */

import { useState } from "preact/hooks";
import { Choices } from "../../parts/choices.js";
import { NameField } from "../../parts/name_field.js";
import { decimals, grouped } from "../../parts/numerals.js";
import { PairedBars, percent } from "../../parts/paired_bars.js";
import { TokenPicker } from "../../parts/token_picker.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { TrainedNetwork, TwoModels, TwoModelsParameters } from "../types.js";

const EXAMPLES = ["emma", "anna", "xavier"];
/** What a full bar may stand for. */
const SCALES = [0.2, 0.4, 1];

export default function TwoModelsWidget(given: Given<TwoModelsParameters, TwoModels>) {
  const python = usePython<TwoModelsParameters, TwoModels>("two_models", given);
  const { tokens, learnt, pairs, table, table_loss, networks } = python.result;
  const [token, setToken] = useState(tokens.indexOf("m"));
  const [which, setWhich] = useState(networks.length - 1);
  const [acted, setActed] = useState(false);
  const network = networks[which] as TrainedNetwork;
  const [counted, guessed] = [table[token] as number[], network.rows[token] as number[]];
  // The scale is that of all three rows, so that bars of one can be compared with another's.
  const largest = Math.max(...counted, ...networks.flatMap(({ rows }) => rows[token] as number[]));
  const full = SCALES.find((scale) => scale >= largest) ?? 1;
  const act = (change: () => void): void => {
    setActed(true);
    change();
  };
  const name = python.parameters.name.trim();
  const seen = pairs[token] ?? 0;
  const says =
    `After ${tokens[token]}: the table has counted ${grouped(seen)} pairs. ` +
    `The ${network.title} network places ${percent(network.apart[token] ?? 0)} of its probability differently from the table.`;
  const losses: [head: string, loss: number][] = [
    ["count table", table_loss],
    ...networks.map(({ title, loss }): [string, number] => [`network, ${title}`, loss]),
  ];
  return (
    <>
      <TokenPicker
        tokens={tokens}
        picked={token}
        onPick={(picked) => act(() => setToken(picked))}
        label="Current token"
      />
      <Choices
        label="Network"
        choices={networks.map(({ title }, index) => [index, title])}
        value={which}
        onChoose={(index) => act(() => setWhich(index))}
        word="Network"
      />
      <p class="says">{says}</p>
      <span class="sr-only" role="status">
        {acted && says}
      </span>
      <PairedBars
        tokens={tokens}
        values={[counted, guessed]}
        models={["table", "network"]}
        keys={[`count table, ${grouped(learnt)} names`, `network, ${network.title}`]}
        full={full}
        label={`What comes after ${tokens[token]}`}
      />
      <p class="note">
        A full bar is {100 * full}
        {"\u00a0"}%.
      </p>
      <table class={python.stale ? "readout stale" : "readout"}>
        <caption>Loss of “{name}”, in nats</caption>
        <tbody>
          {losses.map(([head, loss]) => (
            <tr>
              <th scope="row">{head}</th>
              <td>{decimals(loss, 4)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <NameField id="two-models" python={python} examples={EXAMPLES} />
    </>
  );
}
