/** The gradient of softmax as a tug-of-war: each press of a letter pulls all 27 logits once. */

import { useState } from "preact/hooks";
import { TOKEN_LABELS } from "../../engine/network.js";
import { softmax, subtract } from "../../engine/vectors.js";
import { formatFixed, formatNumber, formatWholePercent } from "../../parts/format.js";
import { NumberTable } from "../../parts/number_table.js";
import { Slider } from "../../parts/slider.js";
import { Status } from "../../parts/status.js";
import { useHydrated } from "../../parts/use_hydrated.js";

interface Game {
  logits: number[];
  /** The tokens that the reader pressed. */
  presses: number[];
  /** The probabilities just before the last pull. */
  lastProbabilities: number[] | null;
  /** Whether the last pulls repeated all presses. */
  hasRepeated: boolean;
}

const INITIAL_GAME: Game = {
  logits: TOKEN_LABELS.map(() => 0),
  presses: [],
  lastProbabilities: null,
  hasRepeated: false,
};
const REPEAT_COUNT = 100;
/** A probability that is closer than this to its share of the presses has arrived. */
const MAX_SHARE_ERROR = 0.05;

/** Return the pull on each logit, one_hot(target) − p: up for the target, down for the others. */
const logitPulls = (p: number[], target: number): number[] => p.map((each, token) => Number(token === target) - each);

/** Return the game after one pull for each target. */
function pullAll(game: Game, targets: number[], learningRate: number): Game {
  let { logits, lastProbabilities } = game;
  for (const target of targets) {
    lastProbabilities = softmax(logits);
    const pulls = logitPulls(lastProbabilities, target);
    logits = logits.map((logit, token) => logit + learningRate * (pulls[token] as number));
  }
  return { ...game, logits, lastProbabilities };
}

/** Return the share of each token among the presses. */
const pressShares = (presses: number[]): number[] =>
  TOKEN_LABELS.map((_, token) => presses.filter((each) => each === token).length / presses.length);

/** Describe in a sentence what the last press, or the repetition of all, has done. */
function describeGame({ presses, lastProbabilities, hasRepeated, logits }: Game): string {
  const target = presses.at(-1);
  if (target === undefined || lastProbabilities === null)
    return "All 27 are level. Press the letter that really came next.";
  if (hasRepeated) {
    const distances = subtract(softmax(logits), pressShares(presses)).map(Math.abs);
    return distances.every((distance) => distance < MAX_SHARE_ERROR)
      ? "Each bar has found its mark. Nobody counted your presses, and yet the pulls did."
      : "They aren’t at their marks yet. Try a smaller rate, or another hundred rounds.";
  }
  const p = lastProbabilities[target] as number;
  const name = target === TOKEN_LABELS.length - 1 ? "BOS" : `“${TOKEN_LABELS[target]}”`;
  const effort = p > 0.9 ? "hardly a tug" : p > 0.3 ? "the rope slackens" : "it’s pulled up hard";
  return `${name} had ${formatWholePercent(p)}: ${effort}, by ${formatFixed(1 - p, 2)}. The others pay for it, each by what it had.`;
}

/** A rope for each token, pressed by mouse, touch or Enter, or by typing its letter. */
function Ropes({ game, onPress }: { game: Game; onPress: (token: number) => void }) {
  const [focusedToken, setFocusedToken] = useState(0);
  const Rope = useHydrated() ? "button" : "span";
  const target = game.presses.at(-1) ?? -1;
  const pulls = game.lastProbabilities && logitPulls(game.lastProbabilities, target);
  const shares = pressShares(game.presses);
  const toPercent = (share: number): string => `${(100 * share).toFixed(1)}%`;
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const offset = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const to = offset
      ? (focusedToken + offset + TOKEN_LABELS.length) % TOKEN_LABELS.length
      : TOKEN_LABELS.indexOf(event.key);
    if (to < 0) return;
    event.preventDefault();
    if (!offset) onPress(to);
    event.currentTarget.querySelectorAll("button")[to]?.focus();
  };
  return (
    <div class="ropes" role="group" aria-label="The token that came next" onKeyDown={onKeyDown}>
      {softmax(game.logits).map((p, token) => {
        const pull = pulls?.[token] ?? 0;
        const share = shares[token] || 0; // NaN before the first press
        const pullStyle = { bottom: toPercent(pull > 0 ? 1 - pull : 0), height: toPercent(Math.abs(pull)) };
        return (
          <Rope
            class={token === target ? "button rope target" : "button rope"}
            aria-current={token === target || undefined}
            {...(Rope === "button" && { type: "button", tabIndex: token === focusedToken ? 0 : -1 })}
            onClick={() => onPress(token)}
            onFocus={() => setFocusedToken(token)}
          >
            <span class="field" aria-hidden="true">
              <span class="fill" style={{ height: toPercent(p) }} />
              <span class={pull > 0 ? "pull" : "pull downward"} style={pullStyle} />
              {share > 0 && <span class="press-share" style={{ bottom: toPercent(share) }} />}
            </span>
            <b>{TOKEN_LABELS[token]}</b> <span class="value">{formatWholePercent(p)}</span>
          </Rope>
        );
      })}
    </div>
  );
}

export function TugOfWar() {
  const [learningRate, setLearningRate] = useState(1);
  const [game, setGame] = useState(INITIAL_GAME);
  const { presses, lastProbabilities } = game;
  const press = (token: number): void =>
    setGame(pullAll({ ...game, presses: [...presses, token], hasRepeated: false }, [token], learningRate));
  const repeat = (): void => {
    const targets = Array<number[]>(REPEAT_COUNT).fill(presses).flat();
    setGame(pullAll({ ...game, hasRepeated: presses.length > 0 }, targets, learningRate));
  };
  const loss = lastProbabilities ? -Math.log(lastProbabilities[presses.at(-1) as number] as number) : undefined;
  return (
    <>
      <Ropes game={game} onPress={press} />
      <p class="note">Bars: probabilities. Arrows: pulls. Dashes: your presses.</p>
      <NumberTable rows={[["last loss", formatNumber(loss, 3)]]} />
      <Status class="verdict">{describeGame(game)}</Status>
      <div class="controls">
        <Slider
          label="rate"
          value={learningRate}
          min={0.05}
          max={2}
          step={0.05}
          decimals={2}
          onInput={setLearningRate}
        />
        <div class="choices">
          <button type="button" aria-disabled={presses.length === 0} onClick={repeat}>
            All my presses, a hundred times
          </button>
          <button type="button" onClick={() => setGame(INITIAL_GAME)}>
            Start again
          </button>
        </div>
      </div>
    </>
  );
}
