/** The network of Step 1: a pair of a name goes through it, stage by stage. */

import { useMemo, useState } from "preact/hooks";
import { encodeName, type Matrices, type PairTrace, TOKEN_LABELS, tracePairs } from "../../engine/network.js";
import { mean } from "../../engine/vectors.js";
import { formatNumber } from "../../parts/format.js";
import { useLastValidName } from "../../parts/name_field.js";
import { nameError, normalizeName } from "../../parts/name_validation.js";
import { SingleChoice } from "../../parts/single_choice.js";
import { Status } from "../../parts/status.js";
import { StepPlayer } from "../../parts/step_player.js";
import { TextField } from "../../parts/text_field.js";
import { StateLink, useUrlState } from "../../parts/url_state.js";
import { useHydrated } from "../../parts/use_hydrated.js";
import type { WidgetProps } from "../../runtime/widget.js";
import type { NetworkParameters, NetworkWeightsAndState } from "../types.js";
import { describeCell, describeStage, formatThreeDigits, type NetworkFlow, type VectorCell } from "./describe.js";
import { NetworkPicture, stageIndex, tokenLetter } from "./network_picture.js";

const WEIGHTS_STATES = ["untrained", "trained"] as const;

/** The name as letters, and between two of them a button that selects the pair. */
function PairButtons(props: { flow: NetworkFlow; selectedPair: number; onSelect(pair: number): void }) {
  const { flow, selectedPair, onSelect } = props;
  const isHydrated = useHydrated();
  const ArrowElement = isHydrated ? "button" : "span";
  const { pairs, tokens } = flow;
  const renderLetter = (index: number, token: number) => (
    <span class={["letter current", "letter following"][index - selectedPair] ?? "letter"} aria-hidden={isHydrated}>
      {tokenLetter(flow, token)}
    </span>
  );
  return (
    <div class="wrapping-row pair-buttons" role="group" aria-label="The pairs of the name">
      {renderLetter(0, (pairs[0] as PairTrace).token)}
      {pairs.map((pair, index) => {
        const loss = formatNumber(pair.loss, 2);
        const buttonProps = {
          type: "button" as const,
          "aria-pressed": index === selectedPair,
          "aria-label": `${tokens[pair.token]} → ${tokens[pair.target]}, loss ${loss}`,
          onClick: () => onSelect(index),
        };
        return (
          <>
            <ArrowElement
              class={isHydrated ? "pair" : "pair button"}
              {...(isHydrated ? buttonProps : { "aria-current": index === selectedPair || undefined })}
            >
              <span aria-hidden="true">→</span>
              <span class="loss-of-pair">{loss}</span>
            </ArrowElement>
            {renderLetter(index + 1, pair.target)}
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

export default function NetworkWidget({ result }: WidgetProps<NetworkParameters, NetworkWeightsAndState>) {
  const { stages } = result;
  const defaults = { name: result.name, pair: result.pair, weights: result.weights_state as string, at: result.stage };
  const [state, update] = useUrlState("network", defaults);
  const [chosenCell, setChosenCell] = useState<VectorCell | null>(null);

  const typed = normalizeName(state.name);
  const { validName, error } = useLastValidName(typed, result.name);
  const weightsState = WEIGHTS_STATES.find((each) => each === state.weights) ?? result.weights_state;
  const reachedStage = stages.indexOf(stages.find((each) => each === state.at) ?? result.stage);
  const flow = useMemo((): NetworkFlow => {
    const matrices = result.weights[weightsState] as Matrices;
    const pairs = tracePairs(matrices, encodeName(validName));
    return { tokens: TOKEN_LABELS, stages, matrices, pairs } as NetworkFlow;
  }, [validName, weightsState]);
  const wantedIndex = Math.min(state.pair, flow.pairs.length) - 1;
  const pairIndex = flow.pairs[wantedIndex] ? wantedIndex : 0;
  const pair = flow.pairs[pairIndex] as PairTrace;
  const selectedCell = chosenCell && reachedStage >= stageIndex(flow, chosenCell[0]) ? chosenCell : null;
  const at = stages[reachedStage] as string;
  const shownState = { name: validName, pair: pairIndex + 1, weights: weightsState, at };

  const selectPair = (index: number): void => update({ pair: index + 1, at: reachedStage === 0 ? "loss" : state.at });
  const setName = (name: string): void => update(nameError(name) ? { name } : { name, pair: 1 });
  const describeStep = (step: number): string => describeStage(flow.tokens, pair, flow.stages[step] ?? "end");
  const isLossKnown = reachedStage >= stageIndex(flow, "loss");
  return (
    <>
      <PairButtons flow={flow} selectedPair={pairIndex} onSelect={selectPair} />
      <StepPlayer
        lastStep={stages.length - 1}
        step={reachedStage}
        onChange={(to) => update({ at: stages[to] as string })}
        label={stages.includes("end") ? "Through the network and back" : "Through the network"}
        describeStep={describeStep}
      />
      <p class="caption">{describeStep(reachedStage)}</p>
      <div class="flow">
        <NetworkPicture {...{ flow, pair, reachedStage, selectedCell }} onSelectCell={setChosenCell} />
        <p class={isLossKnown ? "loss-row" : "loss-row pending"}>
          <code>loss</code> of {tokenLetter(flow, pair.target)}:{" "}
          <b>{isLossKnown ? `−ln ${formatThreeDigits(pair.probability)} = ${formatThreeDigits(pair.loss)}` : "–"}</b>
        </p>
      </div>
      <Status class="verdict">
        {selectedCell ? describeCell(flow, pair, selectedCell) : "Tap any number to see what it’s made of."}
      </Status>
      <TextField id="network" label="Another name" value={typed} onInput={setName} error={error}>
        <SingleChoice
          label="Weights"
          choices={WEIGHTS_STATES}
          value={weightsState}
          onChange={(weights) => update({ weights })}
          class="wrapping-row"
        />
      </TextField>
      <p class="link-row controls">
        <StateLink widget="network" defaults={defaults} state={shownState} subject="picture" />
      </p>
    </>
  );
}
