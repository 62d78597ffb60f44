/** The network of Step 1: a pair of a name on its way through it, stage by stage. */

import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { encodeName, type Matrices, type PairTrace, TOKEN_LABELS, tracePairs } from "../../engine/network.js";
import { mean } from "../../engine/vectors.js";
import { Choices } from "../../parts/choices.js";
import { formatNumber } from "../../parts/format.js";
import { useLastValidName } from "../../parts/name_field.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { StepPlayer } from "../../parts/step_player.js";
import { TextField } from "../../parts/text_field.js";
import { CopyLinkButton, readUrlState, urlWithState, useSyncUrl } from "../../parts/url_state.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { Network, NetworkParameters } from "../types.js";
import { type Cell, type Flow, madeOf, says, three } from "./describe.js";
import { letter, Picture, stage } from "./network_picture.js";

const STATES = ["untrained", "trained"] as const;

interface NameProps {
  flow: Flow;
  picked: number;
  pick(pair: number): void;
}

/** The name as letters, and between two of them an arrow that lets this pair flow. */
function Name({ flow, picked, pick }: NameProps) {
  const alive = useHydrated();
  const Arrow = alive ? "button" : "span";
  const { pairs, tokens } = flow;
  const at = (place: number, token: number) => (
    <span class={["letter goes", "letter comes"][place - picked] ?? "letter"} aria-hidden={alive}>
      {letter(flow, token)}
    </span>
  );
  return (
    <div class="wrap name-of-pairs" role="group" aria-label="The pairs of the name">
      {at(0, (pairs[0] as PairTrace).token)}
      {pairs.map((pair, index) => {
        const loss = formatNumber(pair.loss, 2);
        const says = {
          type: "button" as const,
          "aria-pressed": index === picked,
          "aria-label": `${tokens[pair.token]} → ${tokens[pair.target]}, loss ${loss}`,
          onClick: () => pick(index),
        };
        return (
          <>
            <Arrow
              class={alive ? "pair" : "pair button"}
              {...(alive ? says : { "aria-current": index === picked || undefined })}
            >
              <span aria-hidden="true">→</span>
              <span class="loss-of-pair">{loss}</span>
            </Arrow>
            {at(index + 1, pair.target)}
          </>
        );
      })}
      <span class="note mean">
        mean loss <b>{formatNumber(mean(pairs.map(({ loss }) => loss)), 2)}</b>, a blind guess{" "}
        {formatNumber(Math.log(tokens.length), 2)}
      </span>
    </div>
  );
}

export default function NetworkWidget({ result: given }: WidgetProps<NetworkParameters, Network>) {
  const { stages } = given;
  const usual = { name: given.name, pair: given.pair, weights: given.weights_state as string, at: given.stage };
  const [asked, setAsked] = useState(usual);
  const change = (changed: Partial<typeof usual>): void => setAsked((before) => ({ ...before, ...changed }));
  useLayoutEffect(() => setAsked(readUrlState("network", usual)), []);
  const [chosen, choose] = useState<Cell | null>(null);

  const typed = normalizeName(asked.name);
  const { validName, error } = useLastValidName(typed, given.name);
  const state = STATES.find((each) => each === asked.weights) ?? given.weights_state;
  const at = stages.indexOf(stages.find((each) => each === asked.at) ?? given.stage);
  const flow = useMemo((): Flow => {
    const matrices = given.weights[state] as Matrices;
    return { tokens: TOKEN_LABELS, stages, matrices, pairs: tracePairs(matrices, encodeName(validName)) };
  }, [validName, state]);
  const wanted = Math.min(asked.pair, flow.pairs.length) - 1;
  const index = flow.pairs[wanted] ? wanted : 0;
  const pair = flow.pairs[index] as PairTrace;
  const cell = chosen && at >= stage(flow, chosen[0]) ? chosen : null;
  const now = { name: validName, pair: index + 1, weights: state as string, at: stages[at] as string };
  useSyncUrl("network", usual, now);

  const type = (name: string): void => change(nameError(name) ? { name } : { name, pair: 1 });
  const told = (to: number): string => says(flow, pair, stages[to] as string);
  const lost = at >= stage(flow, "loss");
  return (
    <>
      <Name
        flow={flow}
        picked={index}
        pick={(index) => change({ pair: index + 1, at: at === 0 ? "loss" : asked.at })}
      />
      <StepPlayer
        lastStep={stages.length - 1}
        step={at}
        onChange={(to) => change({ at: stages[to] as string })}
        label={stages.includes("end") ? "Through the network and back" : "Through the network"}
        describeStep={told}
      />
      <p class="words">{told(at)}</p>
      <div class="flow">
        <Picture flow={flow} pair={pair} at={at} picked={cell} onPick={choose} />
        <p class={lost ? "loss-row" : "loss-row coming"}>
          <code>loss</code> of {letter(flow, pair.target)}:{" "}
          <b>{lost ? `−ln ${three(pair.probability)} = ${three(pair.loss)}` : "–"}</b>
        </p>
      </div>
      <p class="verdict" role="status">
        {cell ? madeOf(flow, pair, cell) : "Tap any number to see what it’s made of."}
      </p>
      <TextField id="network" label="Another name" value={typed} onInput={type} onSubmit={type} error={error}>
        <Choices
          label="Weights"
          choices={STATES}
          value={state}
          onChange={(weights) => change({ weights })}
          class="wrap"
        />
      </TextField>
      <p class="link controls">
        <CopyLinkButton getUrl={() => urlWithState("network", usual, now)} subject="picture" />
      </p>
    </>
  );
}
