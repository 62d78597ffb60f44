/** A tug-of-war with 27 ropes: each press pulls every logit once. */

import { useState } from "preact/hooks";
import { TOKENS } from "../../engine/network.js";
import { softmax } from "../../engine/vectors.js";
import { fixed } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import { useAlive } from "../../parts/use_alive.js";
import { Meter, Verdict } from "./says.js";

interface Game {
  logits: number[];
  /** The tokens that the reader pressed. */
  presses: number[];
  /** The probabilities that the last pull found. */
  found: number[] | null;
  /** All presses were just repeated. */
  repeated: boolean;
}

const ROUNDS = 100;
/** At this distance from its share of the presses, a probability has arrived. */
const NEAR = 0.05;

const whole = (p: number): string => (p > 0 && p < 0.005 ? "<1%" : `${Math.round(100 * p)}%`);
const quoted = (token: string | undefined): string => (token === "BOS" ? "BOS" : `“${token}”`);

/** Up by what the target lacks, down by what the others took. */
const pullsOf = (p: number[], target: number): number[] => p.map((each, token) => Number(token === target) - each);

/** The game after a pull for each of these targets. */
function play(game: Game, targets: number[], rate: number): Game {
  let { logits, found } = game;
  for (const target of targets) {
    found = softmax(logits);
    const pulls = pullsOf(found, target);
    logits = logits.map((logit, token) => logit + rate * (pulls[token] as number));
  }
  return { ...game, logits, found };
}

/** The share of each token in what was pressed, the largest first. */
function sharesOf(presses: number[]): [token: number, share: number][] {
  const share = (token: number): number => presses.filter((each) => each === token).length / presses.length;
  return [...new Set(presses)].map((token): [number, number] => [token, share(token)]).sort((a, b) => b[1] - a[1]);
}

function verdict({ presses, found, repeated, logits }: Game): string {
  const target = presses.at(-1);
  if (target === undefined || found === null) return "All 27 are level. Press the letter that really came next.";
  if (repeated) {
    const now = softmax(logits);
    const shares = sharesOf(presses);
    const others = shares.reduce((left, [token]) => left - (now[token] as number), 1);
    if (shares.every(([token, share]) => Math.abs((now[token] as number) - share) < NEAR))
      return "Each bar has found its mark. Nobody counted your presses, and yet the pulls did.";
    return others > NEAR
      ? "They’re creeping up on their marks. Another hundred rounds?"
      : "Each pull still undoes a good part of the last. Try a smaller rate.";
  }
  const p = found[target] as number;
  const [name, lacks] = [quoted(TOKENS[target]), fixed(1 - p, 2)];
  const leader = found.indexOf(Math.max(...found));
  if (p > 0.9) return `${name} had ${whole(p)} already: hardly a tug, ${lacks}.`;
  if (target !== leader && (found[leader] as number) > 0.4)
    return `A surprise: ${name} had only ${whole(p)}. It’s pulled up by ${lacks}, and ${quoted(TOKENS[leader])} pays for it.`;
  if (p > 0.3) return `${name} had ${whole(p)}, so the rope slackens: pulled up by only ${lacks}.`;
  return `${name} had ${whole(p)}: it’s pulled up hard, by ${lacks}.`;
}

const high = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** The ropes: by mouse, touch or arrow keys, or by typing the letter. */
function Ropes({ game, onPress }: { game: Game; onPress: (token: number) => void }) {
  const [at, setAt] = useState(0);
  const Rope = useAlive() ? "button" : "span";
  const target = game.presses.at(-1) ?? -1;
  const pulls = game.found && pullsOf(game.found, target);
  const shares = new Map(sharesOf(game.presses));
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const to = aside ? (at + aside + TOKENS.length) % TOKENS.length : TOKENS.indexOf(event.key);
    if (to < 0) return;
    event.preventDefault();
    if (!aside) onPress(to);
    event.currentTarget.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div class="ropes" role="group" aria-label="The token that came next" onKeyDown={onKeyDown}>
      {softmax(game.logits).map((p, token) => {
        const pull = pulls?.[token] ?? 0;
        const share = shares.get(token);
        return (
          <Rope
            class={token === target ? "button rope target" : "button rope"}
            aria-current={token === target || undefined}
            {...(Rope === "button" && { type: "button", tabIndex: token === at ? 0 : -1 })}
            onClick={() => onPress(token)}
            onFocus={() => setAt(token)}
          >
            <span class="field" aria-hidden="true">
              <span class="fill" style={{ height: high(p) }} />
              <span
                class={pull > 0 ? "pull" : "pull down"}
                style={{ bottom: high(pull > 0 ? 1 - pull : 0), height: high(Math.abs(pull)) }}
              />
              {share !== undefined && <span class="share" style={{ bottom: high(share) }} />}
            </span>
            <b>{TOKENS[token]}</b> <span class="value">{whole(p)}</span>
          </Rope>
        );
      })}
    </div>
  );
}

/** The pulls in all, and whether the probabilities are what was pressed. */
function sums({ presses, found, logits }: Game): string {
  if (found === null) return "";
  const pulls = pullsOf(found, presses.at(-1) as number);
  const up = Math.max(...pulls);
  const down = pulls.reduce((sum, pull) => sum + Math.min(0, pull), 0);
  const now = softmax(logits);
  const marks = sharesOf(presses).map(([token, share], i) => {
    const [name, of, has] = i === 0 ? [" got", " of your presses", "has "] : ["", "", ""];
    return `${quoted(TOKENS[token])}${name} ${whole(share)}${of} and ${has}${whole(now[token] as number)}`;
  });
  return `Pulls: ${fixed(up, 2)} − ${fixed(-down, 2)} = ${fixed(up + down, 0)}. ${marks.slice(0, 3).join("; ")}.`;
}

export function Tug() {
  const start: Game = { logits: TOKENS.map(() => 0), presses: [], found: null, repeated: false };
  const [rate, setRate] = useState(1);
  const [game, setGame] = useState(start);
  const { presses, found } = game;
  const press = (token: number): void =>
    setGame(play({ ...game, presses: [...presses, token], repeated: false }, [token], rate));
  const repeat = (): void =>
    setGame(play({ ...game, repeated: presses.length > 0 }, Array<number[]>(ROUNDS).fill(presses).flat(), rate));
  return (
    <>
      <Ropes game={game} onPress={press} />
      <p class="note">Bars: probabilities. Arrows: pulls. Dashes: your presses.</p>
      <Meter label="last loss" loss={found && -Math.log(found[presses.at(-1) as number] as number)} />
      <Verdict>{verdict(game)}</Verdict>
      <p class="note sums">{sums(game)}</p>
      <div class="controls">
        <Slider label="rate" value={rate} min={0.05} max={2} step={0.05} digits={2} onInput={setRate} />
        <div class="choices">
          <button type="button" aria-disabled={presses.length === 0} onClick={repeat}>
            All my presses, a hundred times
          </button>
          <button type="button" onClick={() => setGame(start)}>
            Start again
          </button>
        </div>
      </div>
    </>
  );
}
