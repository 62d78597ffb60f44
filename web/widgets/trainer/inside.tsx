/** A model at the moment that is shown: where its heads look, and what it invents. */

import { useEffect, useId, useState } from "preact/hooks";
import type { Moment } from "../../engine/training.js";
import { Choices } from "../../parts/choices.js";
import { Looks } from "../../parts/looks.js";
import { grouped } from "../../parts/numerals.js";
import { listed } from "../../parts/readout.js";
import type { Runs } from "./use_trainer.js";

interface Props {
  runs: Runs;
  moment: Moment | undefined;
  /** The name that is read at first. */
  first: string;
}

export function Inside({ runs, moment, first }: Props) {
  const { run, work } = runs;
  const id = useId();
  const [open, setOpen] = useState(false);
  const [name, setName] = useState(first);
  const [head, setHead] = useState(0);
  const [looked, setLooked] = useState<{ tokens: string[]; layers: number[][][][] }>({ tokens: [], layers: [] });
  const [refusal, setRefusal] = useState("");
  const [letter, setLetter] = useState(Number.POSITIVE_INFINITY); // the last
  const { model, layers, heads, off } = run.begun.setup;
  const looks = model === "gpt" && !off.includes("attention");
  const index = moment?.index ?? -1;
  const ready = open && looks && run.own && work === null && index >= 0;
  useEffect(() => {
    if (!ready) return;
    let current = true;
    setRefusal("");
    runs
      .look((trainer) => trainer.attention(index, name))
      .then(
        (all) => current && setLooked(all),
        (error) => current && setRefusal((error as Error).message),
      );
    return () => {
      current = false;
    };
  }, [ready, index, name, run.begun]);
  const chosen = Math.min(head, layers * heads - 1);
  const weights = looked.layers[Math.floor(chosen / heads)]?.[chosen % heads] ?? [];
  const called = (i: number): string =>
    `${layers > 1 ? `layer ${Math.floor(i / heads) + 1}, ` : ""}head ${(i % heads) + 1}`;
  return (
    <details class="inside controls" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Look inside, after {grouped(moment?.seen ?? 0)} names</summary>
      {!looks && <p>This model has no head that looks anywhere.</p>}
      {looks && !run.own && <p>Press Train: the page has no weights of the recorded run.</p>}
      {ready && (
        <>
          <label for={`${id}-name`}>Where does each letter look, in</label>{" "}
          <input
            id={`${id}-name`}
            type="text"
            value={name}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            onInput={(event) => setName(event.currentTarget.value)}
          />
          <p class="refusal" role="status">
            {refusal}
          </p>
          <Choices
            label="Head"
            class="choices"
            choices={Array.from({ length: layers * heads }, (_, i) => [i, called(i)] as const)}
            value={chosen}
            onChoose={setHead}
          />
          {weights.length > 0 && (
            <Looks
              tokens={["start", ...looked.tokens.slice(1)]}
              weights={weights}
              asks={Math.min(letter, weights.length - 1)}
              onAsk={setLetter}
            />
          )}
        </>
      )}
      {run.invented.length > 0 && (
        <p class="note">Complete, it invents these from the run’s own random numbers: {listed(run.invented)}.</p>
      )}
    </details>
  );
}
