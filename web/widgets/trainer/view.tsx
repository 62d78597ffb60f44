/** The trainer: any model of the ladder, trained in the page, with its losses and its names. */

import { sort } from "d3-array";
import { useLayoutEffect, useState } from "preact/hooks";
import {
  DATASETS,
  type Dataset,
  defaultLearningRate,
  formatSetupForAddress,
  LADDER_MODELS,
  type LadderModel,
  ladderModelOf,
  ladderSetup,
  parseSetupFromAddress,
  type TrainingSetup,
} from "../../engine/training_setup.js";
import { groupThousands } from "../../parts/format.js";
import { Status } from "../../parts/status.js";
import { CopyLinkButton } from "../../parts/url_state.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { TrainerParameters, TrainerRuns } from "../types.js";
import { LossChart } from "./loss_chart.js";
import { describeRunProgress, isComplete, type RecordedRun, type Run, runFromRecord } from "./runs.js";
import { saveRun } from "./saved_run.js";
import { SetupForm } from "./setup_form.js";
import { useTrainer } from "./use_trainer.js";

const NAMES_TO_SEE_CHOICES = [1000, 3000, 10_000, 30_000, 100_000, 300_000];
const MAX_COMPARED_RUNS = 3;
/** The query parameter of the address that holds a set-up. */
const SETUP_PARAMETER = "train";

/** Return the address of this page with a set-up, left out if it is the default. */
function urlWithSetup(setup: TrainingSetup, defaults: TrainingSetup): URL {
  const url = new URL(location.href);
  url.searchParams.delete(SETUP_PARAMETER);
  const text = formatSetupForAddress(setup, defaults);
  if (text) url.searchParams.set(SETUP_PARAMETER, text);
  return url;
}

export default function TrainerWidget({ parameters, result }: WidgetProps<TrainerParameters, TrainerRuns>) {
  const isLimited = parameters.models !== undefined && parameters.models !== null;
  const models = parameters.models ?? (Object.keys(LADDER_MODELS) as LadderModel[]);
  const [run, setRun] = useState(() => runFromRecord(result.run as RecordedRun));
  const [compared, setCompared] = useState(() => (result.compared as RecordedRun[]).map(runFromRecord));
  const defaults = (result.run as RecordedRun).facts.setup;
  const [setup, setSetup] = useState(defaults);
  const [ownNames, setOwnNames] = useState(run.namesText);
  const { callTrainer, clearError, error, isTraining, stop, train } = useTrainer();
  useLayoutEffect(() => {
    const text = new URLSearchParams(location.search).get(SETUP_PARAMETER);
    const shared = text && parseSetupFromAddress(text, defaults);
    setSetup(shared && models.includes(ladderModelOf(shared)) ? shared : defaults);
  }, []);
  const saveWhenComplete = async (isCompleted: Promise<boolean>): Promise<void> => {
    const completed = (await isCompleted) && (await callTrainer((trainer) => trainer.savableModel()));
    if (completed) saveRun(completed);
  };
  const start = (newSetup: TrainingSetup): void => {
    /** Compare with the run before, unless it had the same name, never trained, or learnt other names. */
    const handleStart = (started: Run): void => {
      const hasTrained = run.evaluations.length > 1;
      const earlier = hasTrained ? [...compared.filter(({ name }) => name !== run.name), run] : compared;
      const isComparable = (other: Run): boolean =>
        other.name !== started.name &&
        other.namesText === started.namesText &&
        other.facts.setup.dataset === started.facts.setup.dataset;
      setCompared(earlier.filter(isComparable).slice(-MAX_COMPARED_RUNS));
      setSetup(newSetup);
      history.replaceState(history.state, "", urlWithSetup(newSetup, defaults));
    };
    const isCompleted = train([newSetup, ownNames], (updatedRun) => {
      if (updatedRun.evaluations.length === 0) handleStart(updatedRun);
      setRun(updatedRun);
    });
    void saveWhenComplete(isCompleted);
  };
  const model = ladderModelOf(setup);
  const setLadderSetup = (ladderModel: LadderModel, namesToSee = setup.namesToSee): void =>
    setSetup(ladderSetup(ladderModel, namesToSee, setup));
  const sentence = describeRunProgress(run, isTraining);
  const isSameSetup = JSON.stringify(setup) === JSON.stringify(run.facts.setup);
  return (
    <>
      <div class="wrapping-row run-controls controls" data-busy={isTraining}>
        <label>
          Model{" "}
          <select value={model} onInput={(event) => setLadderSetup(event.currentTarget.value as LadderModel)}>
            {models.map((key) => (
              <option value={key}>{LADDER_MODELS[key].name}</option>
            ))}
          </select>
        </label>
        {!isLimited && (
          <label>
            learns{" "}
            <select
              value={setup.dataset}
              onInput={(event) => {
                const base = { ...setup, dataset: event.currentTarget.value as Dataset };
                setSetup({ ...base, learningRate: defaultLearningRate(base) });
              }}
            >
              {Object.entries(DATASETS).map(([key, { name }]) => (
                <option value={key}>{name}</option>
              ))}
            </select>
          </label>
        )}
        <label>
          Lines seen{" "}
          <select
            value={setup.namesToSee}
            onInput={(event) => setLadderSetup(model, Number(event.currentTarget.value))}
          >
            {sort(new Set([...NAMES_TO_SEE_CHOICES, setup.namesToSee])).map((count) => (
              <option value={count}>{groupThousands(count)}</option>
            ))}
          </select>
        </label>
        <span class="wrapping-row">
          <button type="button" class="train-button" onClick={() => (isTraining ? stop() : start(setup))}>
            {isTraining ? "Stop" : "Train"}
          </button>
          {!isTraining && run.isTrainedHere && !isComplete(run) && isSameSetup && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                void saveWhenComplete(train(run, setRun));
                // This button goes away: the focus moves to the one that stops the run.
                (currentTarget.previousElementSibling as HTMLElement).focus();
              }}
            >
              Go on
            </button>
          )}
        </span>
      </div>
      <Status class="error-message">{error}</Status>
      <p class="caption">{sentence}</p>
      <LossChart {...{ run, compared }} />
      <SetupForm
        {...{ setup, ownNames, error }}
        choosesOptimizer={!isLimited && setup.model !== "counts"}
        onNamesChange={setOwnNames}
        onEdit={clearError}
        onTrain={start}
        onChange={(changed) => setSetup((previous) => ({ ...previous, ...changed }))}
      />
      <div class="controls">
        <CopyLinkButton getUrl={() => urlWithSetup(setup, defaults)} subject="set-up" />
      </div>
      <Status class="sr-only">{!isTraining && run.isTrainedHere && sentence}</Status>
    </>
  );
}
