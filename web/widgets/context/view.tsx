/** What is expected next at a place of a name, by a network that sees one letter and one that sees all. */

import { useState } from "preact/hooks";
import { NameField } from "../../parts/name_field.js";
import { decimals } from "../../parts/numerals.js";
import { PairedBars } from "../../parts/paired_bars.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { Context, ContextParameters, ContextPlace } from "../types.js";

const EXAMPLES = ["maria", "anna", "hannah"];
/** What a full bar may stand for. */
const SCALES = [0.4, 0.6, 0.8, 1];
const NETWORKS: [string, string] = ["Step 2", "Step 3"];

/** The place that is looked at first: the last. */
const firstPlace = ({ places }: Context): number => places.length - 1;

export default function ContextWidget(given: Given<ContextParameters, Context>) {
  const python = usePython<ContextParameters, Context>("context", given);
  const context = python.result;
  const { tokens, places, means } = context;
  const [chosen, choose] = useState({ of: given.result, at: firstPlace(given.result) });
  const [acted, setActed] = useState(false);
  const at = chosen.of === context ? chosen.at : firstPlace(context);
  const place = places[at] as ContextPlace;
  const name = (token: number): string => tokens[token] as string;
  const read = places
    .slice(0, at + 1)
    .map(({ token }) => name(token))
    .join(" ");
  const largest = Math.max(...places.flatMap(({ one, all }) => [...one, ...all]));
  const full = SCALES.find((scale) => scale >= largest) ?? 1;
  const others = place.alike.map((index) => `place ${index}`).join(" and ");
  const says =
    `Step 2's network sees ${name(place.token)}, and Step 3's has read ${read}. ` +
    (others
      ? `At ${others}, the first has to answer the same.`
      : "No other place of the name looks like this one to the first.");
  return (
    <>
      <NameField id="context" python={python} examples={EXAMPLES} />
      <div class="places controls" role="radiogroup" aria-label="The place after which to guess">
        {places.map(({ token }, index) => (
          <label
            class={["place", index === at && "picked", place.alike.includes(index) && "alike"]
              .filter(Boolean)
              .join(" ")}
          >
            <input
              type="radio"
              name="context-place"
              checked={index === at}
              aria-label={`place ${index}, after ${name(token)}`}
              onInput={() => {
                setActed(true);
                choose({ of: context, at: index });
              }}
            />
            <span class="letter">{name(token)}</span>
            <span class="index">{index}</span>
          </label>
        ))}
      </div>
      <div class={python.stale ? "stale" : ""}>
        <p class="says">{says}</p>
        <span class="sr-only" role="status">
          {acted && says}
        </span>
        <PairedBars
          tokens={tokens}
          values={[place.one, place.all]}
          models={NETWORKS}
          keys={[`${NETWORKS[0]}: one letter`, `${NETWORKS[1]}: all letters so far`]}
          full={full}
          label={`What comes after ${read}`}
          mark={place.target}
        />
        <p class="note">A full bar is {100 * full}&nbsp;%. The token that comes next in this name is underlined.</p>
        <table class="readout">
          <caption>Loss at each place, in nats</caption>
          <thead>
            <tr>
              <td />
              <th scope="col">after</th>
              <th scope="col">comes</th>
              {NETWORKS.map((network) => (
                <th scope="col">{network}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {places.map(({ token, target, losses }, index) => (
              <tr class={index === at ? "now" : ""} aria-current={index === at ? "true" : undefined}>
                <td>{index}</td>
                <td>{name(token)}</td>
                <td>{name(target)}</td>
                {losses.map((loss, which) => (
                  <td class={loss < (losses[1 - which] as number) ? "lower" : ""}>{decimals(loss, 2)}</td>
                ))}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row" colSpan={3}>
                mean
              </th>
              {means.map((mean, which) => (
                <td class={mean < (means[1 - which] as number) ? "lower" : ""}>{decimals(mean, 2)}</td>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
    </>
  );
}
