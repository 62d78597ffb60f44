/** A name that the reader types, and how the trained model ranks it among its neighbours. */

import { roleOf } from "../../parts/kinds.js";
import { NameField } from "../../parts/name_field.js";
import { grouped, large } from "../../parts/numerals.js";
import { usePython } from "../../parts/use_python.js";
import type { Given } from "../../runtime/widget.js";
import type { JudgedName, Memorised, MemorisedParameters } from "../types.js";

const EXAMPLES = ["christopher", "mara", "emma", "qwerty"];
const SAYS: Record<JudgedName["kind"], string> = {
  trained: "trained on",
  "held out": "held out",
  new: "no",
};

function Row({ one, itself }: { one: JudgedName; itself: boolean }) {
  return (
    <tr class={itself ? "now" : ""}>
      <td>{one.rank}</td>
      <th scope="row">{one.name}</th>
      <td class="length">
        <span class="track" aria-hidden="true">
          <span class="fill" style={{ width: `${Math.round(1000 * one.share) / 10}%` }} />
        </span>
      </td>
      <td>{large(one.one_in)}</td>
      <td class={`kind ${one.kind.replace(" ", "-")}`}>{SAYS[one.kind]}</td>
    </tr>
  );
}

export default function MemorisedWidget(given: Given<MemorisedParameters, Memorised>) {
  const python = usePython<MemorisedParameters, Memorised>("memorised", given);
  const { name, step, loss, itself, likeliest, total, known, dataset, trained } = python.result;
  const verdict =
    itself.kind === "trained"
      ? `“${name}” is in the dataset, and step ${grouped(step)} trained on it.`
      : itself.kind === "held out"
        ? `“${name}” is in the dataset, but not among the ${grouped(trained)} names that were trained on.`
        : `“${name}” is none of the ${grouped(dataset)} names of the dataset.`;
  const among = itself.rank === 1 ? "is the likeliest" : `comes at place ${grouped(itself.rank)}`;
  return (
    <>
      <NameField id="memorised" python={python} examples={EXAMPLES} />
      <div class={python.stale ? "stale" : ""} style={roleOf("activation")}>
        <p class="says" role="status">
          {verdict} Its loss is {loss.toFixed(3)} nats per token. Of {grouped(total)} names, itself and all with another
          letter in one place, it {among}; {known === 0 ? "none" : known} of them {known === 1 ? "is" : "are"} in the
          dataset.
        </p>
        <div class="scroll" tabIndex={0}>
          <table class="readout">
            <caption>The likeliest of them</caption>
            <thead>
              <tr>
                <th scope="col">place</th>
                <th scope="col" class="name">
                  name
                </th>
                <td class="length" />
                <th scope="col">one name in</th>
                <th scope="col" class="kind">
                  in the dataset
                </th>
              </tr>
            </thead>
            <tbody>
              {likeliest.map((one) => (
                <Row one={one} itself={one.name === name} />
              ))}
            </tbody>
            <tfoot>
              {itself.rank > likeliest.length ? (
                <Row one={itself} itself />
              ) : (
                <tr aria-hidden="true">
                  <td colSpan={5}>&nbsp;</td>
                </tr>
              )}
            </tfoot>
          </table>
        </div>
      </div>
    </>
  );
}
