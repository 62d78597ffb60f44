/** A tug-of-war with 27 ropes: each press pulls every logit once. */

import { useState } from "preact/hooks";
import { TOKEN_LABELS } from "../../engine/network.js";
import { softmax } from "../../engine/vectors.js";
import { formatFixed, formatNumber } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { Slider } from "../../parts/slider.js";
import { useHydrated } from "../../parts/use_hydrated.js";

interface Game {
  logits: number[];
  /** The tokens that the reader pressed. */
  presses: number[];
  /** The probabilities that the last pull found. */
  found: number[] | null;
  /** All presses were just repeated. */
  repeated: boolean;
}

const START: Game = { logits: TOKEN_LABELS.map(() => 0), presses: [], found: null, repeated: false };
const ROUNDS = 100;
/** At this distance from its share of the presses, a probability has arrived. */
const NEAR = 0.05;

const whole = (p: number): string => (p > 0 && p < 0.005 ? "<1%" : `${Math.round(100 * p)}%`);
const high = (share: number): string => `${(100 * share).toFixed(1)}%`;

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

/** The share of each token in what was pressed. */
const sharesOf = (presses: number[]): number[] =>
  TOKEN_LABELS.map((_, token) => presses.filter((each) => each === token).length / presses.length);

function verdict({ presses, found, repeated, logits }: Game): string {
  const target = presses.at(-1);
  if (target === undefined || found === null) return "All 27 are level. Press the letter that really came next.";
  if (repeated) {
    const now = softmax(logits);
    return sharesOf(presses).every((share, token) => Math.abs(share - (now[token] as number)) < NEAR)
      ? "Each bar has found its mark. Nobody counted your presses, and yet the pulls did."
      : "They aren’t at their marks yet. Try a smaller rate, or another hundred rounds.";
  }
  const p = found[target] as number;
  const name = target === TOKEN_LABELS.length - 1 ? "BOS" : `“${TOKEN_LABELS[target]}”`;
  const pulled = p > 0.9 ? "hardly a tug" : p > 0.3 ? "the rope slackens" : "it’s pulled up hard";
  return `${name} had ${whole(p)}: ${pulled}, by ${formatFixed(1 - p, 2)}. The others pay for it, each by what it had.`;
}

/** The ropes: by mouse, touch or arrow keys, or by typing the letter. */
function Ropes({ game, onPress }: { game: Game; onPress: (token: number) => void }) {
  const [at, setAt] = useState(0);
  const Rope = useHydrated() ? "button" : "span";
  const target = game.presses.at(-1) ?? -1;
  const pulls = game.found && pullsOf(game.found, target);
  const shares = sharesOf(game.presses);
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const to = aside ? (at + aside + TOKEN_LABELS.length) % TOKEN_LABELS.length : TOKEN_LABELS.indexOf(event.key);
    if (to < 0) return;
    event.preventDefault();
    if (!aside) onPress(to);
    event.currentTarget.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div class="ropes" role="group" aria-label="The token that came next" onKeyDown={onKeyDown}>
      {softmax(game.logits).map((p, token) => {
        const pull = pulls?.[token] ?? 0;
        const share = shares[token] || 0; // NaN before the first press
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
              {share > 0 && <span class="share" style={{ bottom: high(share) }} />}
            </span>
            <b>{TOKEN_LABELS[token]}</b> <span class="value">{whole(p)}</span>
          </Rope>
        );
      })}
    </div>
  );
}

export function Tug() {
  const [rate, setRate] = useState(1);
  const [game, setGame] = useState(START);
  const { presses, found } = game;
  const press = (token: number): void =>
    setGame(play({ ...game, presses: [...presses, token], repeated: false }, [token], rate));
  const repeat = (): void =>
    setGame(play({ ...game, repeated: presses.length > 0 }, Array<number[]>(ROUNDS).fill(presses).flat(), rate));
  const loss = found ? -Math.log(found[presses.at(-1) as number] as number) : undefined;
  return (
    <>
      <Ropes game={game} onPress={press} />
      <p class="note">Bars: probabilities. Arrows: pulls. Dashes: your presses.</p>
      <NumberTable rows={[["last loss", formatNumber(loss, 3)]]} />
      <p class="verdict" role="status">
        {verdict(game)}
      </p>
      <div class="controls">
        <Slider label="rate" value={rate} min={0.05} max={2} step={0.05} decimals={2} onInput={setRate} />
        <div class="choices">
          <button type="button" aria-disabled={presses.length === 0} onClick={repeat}>
            All my presses, a hundred times
          </button>
          <button type="button" onClick={() => setGame(START)}>
            Start again
          </button>
        </div>
      </div>
    </>
  );
}
