/** A run of the whole model: it grows part by part, stops, goes on, and can be taken away. */

import { useEffect, useState } from "preact/hooks";
import type { Given } from "../runtime/widget.js";
import type { TrainGpt, TrainGptLook, TrainGptParameters, TrainGptRun, TrainGptState } from "../widgets/types.js";
import { type Call, useCall } from "./use_call.js";

/** What there is of a run so far. */
export interface Training {
  /** Trained or opened by the reader, not recorded. */
  own: boolean;
  /** The names that it learns from, as the reader gave them; empty for those of the guide. */
  names: string;
  run: TrainGptRun;
  /** At step 1, 2, 3, …; NaN where another run, from a file, has taken the step. */
  losses: number[];
  means: number[];
  looks: TrainGptLook[];
  states: TrainGptState[];
  /** For each state, a table for each head; `tokens` are those of `name`. */
  attention: number[][][][];
  name: string;
  tokens: string[];
  /** The last step taken. */
  step: number;
  /** The run's file, and the step after which it was written. */
  file: string;
  saved: number;
  pace: number;
  left: number;
}

export interface Settings {
  steps: number;
  seed: number;
  names: string;
}

export interface Runs {
  training: Training;
  /** Training, or opening a file. */
  work: Call<TrainGptParameters>;
  /** Reading a name, or fetching what was recorded. */
  reading: Call<TrainGptParameters>;
  /** The name whose attention the reader wants. */
  name: string;
  train(settings: Settings): void;
  goOn(): void;
  open(file: string, names: string): void;
  read(name: string): void;
  /** Fetch the states of the recorded run. */
  fetch(): void;
}

/** As a run is before its first part, or as it was after the step that it goes on from. */
function begun(before: Training, part: TrainGpt, asked: TrainGptParameters): Training {
  const goesOn = asked.task === "train" && Boolean(asked.checkpoint) && before.own;
  const until = <T extends { step: number }>(all: T[]): T[] => all.filter(({ step }) => step <= part.step);
  const states = goesOn ? until(before.states) : [];
  const gap = Array<number>(part.step).fill(Number.NaN);
  return {
    ...before,
    own: true,
    names: asked.names ?? "",
    losses: goesOn ? before.losses.slice(0, part.step) : gap,
    means: goesOn ? before.means.slice(0, part.step) : gap,
    looks: goesOn ? until(before.looks) : [],
    states,
    attention: before.attention.slice(0, states.length),
    file: asked.checkpoint ?? "",
    saved: part.step,
    pace: 0,
    left: 0,
  };
}

function grown(before: Training, part: TrainGpt, asked: TrainGptParameters): Training {
  // Asked for while the recorded run was shown, and answered after the reader's own.
  if (asked.task === "recorded" && before.own) return before;
  if (asked.task === "recorded" || asked.task === "attention") {
    const { name, tokens, attention } = part;
    return { ...before, name, tokens, attention, ...(asked.task === "recorded" && { states: part.states }) };
  }
  const now = part.run === null ? before : begun(before, part, asked);
  return {
    ...now,
    run: part.run ?? now.run,
    losses: now.losses.concat(part.losses),
    means: now.means.concat(part.means),
    looks: now.looks.concat(part.looks),
    states: now.states.concat(part.states),
    attention: now.attention.concat(part.attention),
    name: part.name || now.name,
    tokens: part.tokens.length > 0 ? part.tokens : now.tokens,
    step: part.step,
    file: part.checkpoint || now.file,
    saved: part.checkpoint ? part.step : now.saved,
    pace: part.pace || now.pace,
    left: part.left,
  };
}

export function useTraining(given: Given<TrainGptParameters, TrainGpt>): Runs {
  const { parameters, result } = given;
  const [training, setTraining] = useState<Training>(() => ({
    ...result,
    own: false,
    names: "",
    run: result.run as TrainGptRun,
    file: "",
    saved: 0,
  }));
  const hear = (part: TrainGpt, asked: TrainGptParameters): void => setTraining((before) => grown(before, part, asked));
  const work = useCall<TrainGptParameters, TrainGpt>("train_gpt", "training", hear, true);
  const reading = useCall<TrainGptParameters, TrainGpt>("train_gpt", "computing", hear);
  const [name, setName] = useState(parameters.name);
  const { own, run, states, names } = training;
  const whole = own || states.length === run.kept.length;
  const task = (more: Partial<TrainGptParameters>): TrainGptParameters => ({
    steps: run.steps,
    seed: run.seed,
    name: training.name,
    names,
    ...more,
  });
  // Python does one thing at a time: a name that is typed while it trains is read afterwards.
  const unread = !work.busy && name !== training.name;
  useEffect(() => {
    if (!unread) return;
    if (!whole) reading.ask(task({ name, task: "recorded" }));
    else reading.ask(task({ name, task: "attention", weights: states.map(({ weights }) => weights) }));
  }, [unread, name]);
  // Where the model does not know the letters of a name, Python has taken another.
  useEffect(() => setName(training.name), [run]);
  return {
    training,
    work,
    reading,
    name,
    train: (settings) => work.ask({ ...settings, name, task: "train" }),
    goOn: () =>
      work.ask(
        task({
          task: "train",
          checkpoint: training.file,
          losses: training.losses.slice(0, training.saved).filter(Number.isFinite),
        }),
      ),
    open: (file, names) => work.ask(task({ task: "open", checkpoint: file, names })),
    read: setName,
    fetch: () => whole || reading.busy || reading.ask(task({ task: "recorded" })),
  };
}
