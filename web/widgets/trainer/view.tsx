/** Any rung of the ladder, trained in the page: its losses, and its names. */

import { useLayoutEffect, useState } from "preact/hooks";
import {
  LADDER,
  type LadderModel,
  ladderModelOf,
  ladderSetup,
  parseSetup,
  type TrainingSetup,
  formatSetup as writtenSetup,
} from "../../engine/training_setup.js";
import { groupThousands } from "../../parts/format.js";
import { CopyLinkButton } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Trainer, TrainerParameters } from "../types.js";
import { Losses } from "./losses.js";
import { keepRun } from "./own_run.js";
import { complete, type Recorded, type Run, recordedRun, saying } from "./runs.js";
import { SetUp } from "./set_up.js";
import { useTrainer } from "./use_trainer.js";

const SEEN = [1000, 3000, 10_000, 30_000, 100_000, 300_000];
/** Runs that stand beside the newest, at most. */
const BESIDE = 3;
/** What an address calls a set-up. */
const PARAMETER = "train";

/** The address of this page with a set-up, if it is not the usual one. */
function addressOf(wanted: TrainingSetup, usual: TrainingSetup): URL {
  const address = new URL(location.href);
  address.searchParams.delete(PARAMETER);
  const text = writtenSetup(wanted, usual);
  if (text) address.searchParams.set(PARAMETER, text);
  return address;
}

export default function TrainerWidget({ result }: WidgetProps<TrainerParameters, Trainer>) {
  const [run, setRun] = useState(() => recordedRun(result.run as Recorded));
  const [beside, setBeside] = useState(() => (result.compared as Recorded[]).map(recordedRun));
  const usual = (result.run as Recorded).facts.setup;
  const [setup, setSetup] = useState(usual);
  const [names, setNames] = useState(run.text);
  const { ask, busy, forget, refusal, stop, train } = useTrainer();
  useLayoutEffect(() => {
    const asked = new URLSearchParams(location.search).get(PARAMETER);
    setSetup((asked && parseSetup(asked, usual)) || usual);
  }, []);
  const finish = async (completed: Promise<boolean>): Promise<void> => {
    const own = (await completed) && (await ask((trainer) => trainer.completedRun()));
    if (own) keepRun(own);
  };
  const begin = (wanted: TrainingSetup): void => {
    /** What was there before stands beside, unless it was the same, never began, or read other names. */
    const accepted = (now: Run): void => {
      const before = run.evaluations.length > 1 ? [...beside.filter(({ name }) => name !== run.name), run] : beside;
      setBeside(before.filter(({ name, text }) => name !== now.name && text === now.text).slice(-BESIDE));
      setSetup(wanted);
      history.replaceState(history.state, "", addressOf(wanted, usual));
    };
    const show = (now: Run): void => {
      if (now.evaluations.length === 0) accepted(now);
      setRun(now);
    };
    void finish(train([wanted, names], show));
  };
  const says = saying(run, busy);
  const unchanged = JSON.stringify(setup) === JSON.stringify(run.facts.setup);
  return (
    <>
      <div class="wrap choose controls" data-busy={busy}>
        <label>
          Model{" "}
          <select
            value={ladderModelOf(setup)}
            onInput={(event) => setSetup(ladderSetup(event.currentTarget.value as LadderModel, setup.seen, setup))}
          >
            {Object.entries(LADDER).map(([key, { name }]) => (
              <option value={key}>{name}</option>
            ))}
          </select>
        </label>
        <label>
          Names seen{" "}
          <select
            value={setup.seen}
            onInput={(event) => setSetup(ladderSetup(ladderModelOf(setup), Number(event.currentTarget.value), setup))}
          >
            {[...new Set([...SEEN, setup.seen])]
              .sort((a, b) => a - b)
              .map((seen) => (
                <option value={seen}>{groupThousands(seen)}</option>
              ))}
          </select>
        </label>
        <span class="wrap">
          <button type="button" class="train" onClick={() => (busy ? stop() : begin(setup))}>
            {busy ? "Stop" : "Train"}
          </button>
          {!busy && run.own && !complete(run) && unchanged && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                void finish(train(run, setRun));
                // The button goes away; what stops the run is the one before it.
                (currentTarget.previousElementSibling as HTMLElement).focus();
              }}
            >
              Go on
            </button>
          )}
        </span>
      </div>
      <p class="error-message" role="status">
        {refusal}
      </p>
      <p class="says">{says}</p>
      <Losses {...{ run, beside }} />
      <SetUp
        {...{ setup, names, setNames, refusal, forget, train: begin }}
        change={(changed) => setSetup((before) => ({ ...before, ...changed }))}
      />
      <div class="controls">
        <CopyLinkButton getUrl={() => addressOf(setup, usual)} subject="set-up" />
      </div>
      <span class="sr-only" role="status">
        {!busy && run.own && says}
      </span>
    </>
  );
}
