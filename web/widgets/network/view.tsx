/** The network of Step 1: a pair of a name on its way through it, stage by stage. */

import { useLayoutEffect, useMemo, useState } from "preact/hooks";
import { documentOf, type Matrices, type Pair, pairsOf, TOKENS } from "../../engine/network.js";
import { mean } from "../../engine/vectors.js";
import { addressOf, CopyLink, standing, useAddress } from "../../parts/address.js";
import { Choices } from "../../parts/choices.js";
import { Listing } from "../../parts/listing.js";
import { useReadable } from "../../parts/name_field.js";
import { decimals } from "../../parts/numerals.js";
import { IconButton, Player } from "../../parts/player.js";
import { Readout } from "../../parts/readout.js";
import { read, refusal } from "../../parts/refusal.js";
import { TextField } from "../../parts/text_field.js";
import { useAlive } from "../../parts/use_alive.js";
import type { Given } from "../../runtime/widget.js";
import type { LitLine, Network, NetworkParameters } from "../types.js";
import { type Cell, detail } from "./detail.js";
import { letter, Picture, stage } from "./picture.js";
import { type Flow, says, three } from "./says.js";

const STATES = ["untrained", "trained"] as const;

interface NameProps {
  flow: Flow;
  picked: number;
  pick(pair: number): void;
}

/** The name as letters, and between two of them an arrow that lets this pair flow. */
function Name({ flow, picked, pick }: NameProps) {
  const alive = useAlive();
  const Arrow = alive ? "button" : "span";
  const { pairs, tokens } = flow;
  const at = (place: number, token: number) => (
    <span class={["letter goes", "letter comes"][place - picked] ?? "letter"} aria-hidden={alive}>
      {letter(flow, token)}
    </span>
  );
  return (
    <div class="wrap name-of-pairs" role="group" aria-label="The pairs of the name">
      {at(0, (pairs[0] as Pair).token)}
      {pairs.map((pair, index) => {
        const loss = decimals(pair.loss, 2);
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
        mean loss <b>{decimals(mean(pairs.map(({ loss }) => loss)), 2)}</b>, a blind guess{" "}
        {decimals(Math.log(tokens.length), 2)}
      </span>
    </div>
  );
}

interface DetailProps {
  flow: Flow;
  pair: Pair;
  cell: Cell;
  pick(cell: Cell): void;
}

/** Where a number comes from: its largest terms, each of which leads to its cell. */
function Detail({ flow, pair, cell, pick }: DetailProps) {
  const shown = detail(flow, pair, cell);
  const [name, index] = cell;
  return (
    <div class="detail">
      <div class="head">
        <p class="title">{shown.title}</p>
        <span class="wrap controls">
          <IconButton icon="back" says="One cell back" off={index === 0} press={() => pick([name, index - 1])} />
          <IconButton
            icon="on"
            says="One cell on"
            off={index === pair.vectors[name].length - 1}
            press={() => pick([name, index + 1])}
          />
        </span>
      </div>
      <p class="says" role="status">
        {shown.says}
      </p>
      <Readout
        rows={shown.terms.map(({ cell, name, text, size }) => [
          <button type="button" onClick={() => pick(cell)}>
            {name}
          </button>,
          text,
          three(size),
        ])}
      />
    </div>
  );
}

export default function NetworkWidget({ result: given }: Given<NetworkParameters, Network>) {
  const { stages } = given;
  const usual = {
    name: given.name,
    pair: given.pair,
    weights: given.state as string,
    at: given.at,
  };
  const [asked, setAsked] = useState(usual);
  const change = (changed: Partial<typeof usual>): void => setAsked((before) => ({ ...before, ...changed }));
  useLayoutEffect(() => setAsked(standing("network", usual)), []);
  const [chosen, setChosen] = useState<Cell | null>(null);
  const [more, setMore] = useState(false);

  const typed = read(asked.name);
  const { name, reason } = useReadable(typed, given.name);
  const state = STATES.find((each) => each === asked.weights) ?? given.state;
  const at = stages.indexOf(stages.find((each) => each === asked.at) ?? given.at);
  const flow = useMemo((): Flow => {
    const matrices = given.weights[state] as Matrices;
    return { tokens: TOKENS, stages, matrices, pairs: pairsOf(matrices, documentOf(name)) };
  }, [name, state]);
  const wanted = Math.min(asked.pair, flow.pairs.length) - 1;
  const index = flow.pairs[wanted] ? wanted : 0;
  const pair = flow.pairs[index] as Pair;
  const cell = chosen && at >= stage(flow, chosen[0]) ? chosen : null;
  const now = { name, pair: index + 1, weights: state as string, at: stages[at] as string };
  useAddress("network", usual, now);

  const pick = (index: number): void => change({ pair: index + 1, at: at === 0 ? "loss" : asked.at });
  const type = (name: string): void => change(refusal(name) ? { name } : { name, pair: 1 });
  const told = (to: number): string => says(flow, pair, stages[to] as string);
  const lost = at >= stage(flow, "loss");
  return (
    <>
      <Name flow={flow} picked={index} pick={pick} />
      <Player
        last={stages.length - 1}
        at={at}
        onMove={(to) => change({ at: stages[to] as string })}
        label={stages.includes("end") ? "Through the network and back" : "Through the network"}
        describe={told}
      />
      <p class="words">{told(at)}</p>
      {given.listing && <Listing {...given.listing} {...(given.listing.lit[at] as LitLine)} />}
      <div class="flow">
        <Picture
          flow={flow}
          pair={pair}
          at={at}
          picked={cell}
          also={cell ? detail(flow, pair, cell).terms.map((term) => term.cell) : []}
          onPick={setChosen}
        />
        <p class={`loss-row${lost ? "" : " coming"}${at === stage(flow, "loss") ? " now" : ""}`}>
          <code>loss</code> of {letter(flow, pair.target)}:{" "}
          <b>{lost ? `−ln ${three(pair.p)} = ${three(pair.loss)}` : "–"}</b>
        </p>
      </div>
      {cell ? (
        <Detail flow={flow} pair={pair} cell={cell} pick={setChosen} />
      ) : (
        <p class="note">Tap any number to see what it’s made of.</p>
      )}
      <details
        class="more controls"
        open={more || reason !== ""}
        onToggle={(event: Event & { currentTarget: HTMLDetailsElement }) => setMore(event.currentTarget.open)}
      >
        <summary>More</summary>
        <TextField
          id="network"
          label="Another name"
          value={typed}
          onInput={type}
          onEnter={type}
          refusal={reason ? { reason } : null}
        >
          <Choices
            label="Weights"
            choices={STATES}
            value={state}
            onChoose={(weights) => change({ weights })}
            class="wrap"
          />
        </TextField>
        <p class="link">
          <CopyLink address={() => addressOf("network", usual, now)} of="picture" />
        </p>
      </details>
    </>
  );
}
