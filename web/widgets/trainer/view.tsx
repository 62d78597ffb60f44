/** Any rung of the ladder, trained in the page: its losses, its names, and where its heads look. */

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import {
  GRID,
  RUNGS,
  type Rung,
  readSetup,
  rungOf,
  type Setup,
  setupOf,
  written as writtenSetup,
} from "../../engine/setup.js";
import { CopyLink } from "../../parts/address.js";
import { useCursor } from "../../parts/curves.js";
import { grouped } from "../../parts/numerals.js";
import { listed, Readout } from "../../parts/readout.js";
import type { Given } from "../../runtime/widget.js";
import type { Trainer, TrainerParameters } from "../types.js";
import { Inside } from "./inside.js";
import { Losses, labelOf, reached } from "./losses.js";
import { complete, momentAt, type Recorded, saying, textOf, written } from "./runs.js";
import { SetUp } from "./set_up.js";
import { useTrainer } from "./use_trainer.js";

const SEEN = [1000, 3000, 10_000, 30_000, 100_000, 300_000];
/** What an address calls a set-up. */
const PARAMETER = "train";

/** The address of this page with a set-up, if it is not the usual one. */
function addressOf(wanted: Setup, usual: Setup): URL {
  const address = new URL(location.href);
  address.searchParams.delete(PARAMETER);
  const text = writtenSetup(wanted, usual);
  if (text) address.searchParams.set(PARAMETER, text);
  return address;
}

export default function TrainerWidget({ result }: Given<TrainerParameters, Trainer>) {
  const first = result.run as Recorded;
  const runs = useTrainer(first, result.beside as Recorded[]);
  const { run, beside, seeds, work } = runs;
  const usual = first.begun.setup;
  const [setup, setSetup] = useState(usual);
  const [names, setNames] = useState(() => textOf(first));
  useLayoutEffect(() => {
    const asked = new URLSearchParams(location.search).get(PARAMETER);
    setSetup((asked && readSetup(asked, usual)) || usual);
  }, []);
  const shown = [...beside, run];
  const cursor = useCursor(GRID.length, reached(shown));
  useEffect(() => cursor.pick(GRID.length), [run.begun]);
  const at = cursor.at - 1;
  const says = saying(run, seeds, work);
  const train = (wanted: Setup): void => {
    void runs.train(wanted, names, () => {
      setSetup(wanted);
      history.replaceState(history.state, "", addressOf(wanted, usual));
    });
  };
  const idle = work === null && run.own;
  const unchanged = JSON.stringify(setup) === JSON.stringify(run.begun.setup);
  return (
    <>
      <div class="wrap choose controls" data-busy={work !== null}>
        <label>
          Model{" "}
          <select
            value={rungOf(setup)}
            onInput={(event) => setSetup(setupOf(event.currentTarget.value as Rung, setup.seen, setup))}
          >
            {Object.entries(RUNGS).map(([key, { name }]) => (
              <option value={key}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Names seen{" "}
          <select
            value={setup.seen}
            onInput={(event) => setSetup(setupOf(rungOf(setup), Number(event.currentTarget.value), setup))}
          >
            {[...new Set([...SEEN, setup.seen])]
              .sort((a, b) => a - b)
              .map((seen) => (
                <option value={seen}>{grouped(seen)}</option>
              ))}
          </select>
        </label>
        <span class="wrap">
          <button type="button" class="train" onClick={() => (work === null ? train(setup) : runs.stop())}>
            {work === null ? "Train" : "Stop"}
          </button>
          {idle && !complete(run) && unchanged && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                void runs.goOn();
                // The button goes away; what stops the run is the one before it.
                (currentTarget.previousElementSibling as HTMLElement).focus();
              }}
            >
              Go on
            </button>
          )}
          <button
            type="button"
            aria-disabled={!(idle && complete(run))}
            title="Train the same model ten times, each from other random numbers"
            onClick={() => idle && complete(run) && void runs.trySeeds()}
          >
            Ten seeds
          </button>
        </span>
      </div>
      <p class="refusal" role="status">
        {runs.refusal}
      </p>
      <p class="says">{says}</p>
      <Losses {...{ run, beside, seeds, cursor }} />
      <Readout
        invented
        caption="Names that they invent, at temperature 0.5, from the same random numbers"
        head={["model", "names seen", "held-out", "invents"]}
        rows={shown.toReversed().map((each) => {
          const moment = momentAt(each, at);
          const seen = moment ? grouped(moment.seen) : "–";
          return [labelOf(each, shown), seen, written(moment?.heldOut), listed(moment?.names)];
        })}
      />
      <SetUp
        {...{ setup, names, setNames, runs, train }}
        change={(changed) => setSetup((before) => ({ ...before, ...changed }))}
      />
      <Inside runs={runs} moment={momentAt(run, at)} first={first.doubled ? "cafecafe" : "emma"} />
      <div class="controls">
        <CopyLink address={() => addressOf(setup, usual)} of="set-up" />
      </div>
      <span class="sr-only" role="status">
        {idle && says}
      </span>
    </>
  );
}
