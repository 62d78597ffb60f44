/** A tug-of-war with 27 ropes: each press pulls every logit once. */

import { useState } from "preact/hooks";
import { softmax } from "../../engine/trace.js";
import { fixed } from "../../parts/numerals.js";
import { Slider } from "../../parts/slider.js";
import { useAlive } from "../../parts/use_alive.js";
import { type Game, play, pullsOf, quoted, sharesOf, verdict, whole } from "./pulls.js";
import { Meter, Verdict } from "./says.js";

const ROUNDS = 100;

const high = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** The ropes: by mouse, touch or arrow keys, or by typing the letter. */
function Ropes({ game, tokens, onPress }: { game: Game; tokens: string[]; onPress: (token: number) => void }) {
  const [at, setAt] = useState(0);
  const Rope = useAlive() ? "button" : "span";
  const target = game.presses.at(-1) ?? -1;
  const pulls = game.found && pullsOf(game.found, target);
  const shares = new Map(sharesOf(game.presses));
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const aside = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const to = aside ? (at + aside + tokens.length) % tokens.length : tokens.indexOf(event.key);
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
            <b>{tokens[token]}</b> <span class="value">{whole(p)}</span>
          </Rope>
        );
      })}
    </div>
  );
}

/** The pulls in all, and whether the probabilities are what was pressed. */
function sums({ presses, found, logits }: Game, tokens: string[]): string {
  if (found === null) return "";
  const pulls = pullsOf(found, presses.at(-1) as number);
  const up = Math.max(...pulls);
  const down = pulls.reduce((sum, pull) => sum + Math.min(0, pull), 0);
  const now = softmax(logits);
  const marks = sharesOf(presses).map(([token, share], i) => {
    const [name, of, has] = i === 0 ? [" got", " of your presses", "has "] : ["", "", ""];
    return `${quoted(tokens[token])}${name} ${whole(share)}${of} and ${has}${whole(now[token] as number)}`;
  });
  return `Pulls: ${fixed(up, 2)} − ${fixed(-down, 2)} = ${fixed(up + down, 0)}. ${marks.slice(0, 3).join("; ")}.`;
}

export function Tug({ tokens }: { tokens: string[] }) {
  const start: Game = { logits: tokens.map(() => 0), presses: [], found: null, repeated: false };
  const [rate, setRate] = useState(1);
  const [game, setGame] = useState(start);
  const { presses, found } = game;
  const press = (token: number): void =>
    setGame(play({ ...game, presses: [...presses, token], repeated: false }, [token], rate));
  const repeat = (): void =>
    setGame(play({ ...game, repeated: presses.length > 0 }, Array<number[]>(ROUNDS).fill(presses).flat(), rate));
  return (
    <>
      <Ropes game={game} tokens={tokens} onPress={press} />
      <p class="note">Bars: probabilities. Arrows: pulls. Dashes: your presses.</p>
      <Meter label="last loss" loss={found && -Math.log(found[presses.at(-1) as number] as number)} />
      <Verdict>{verdict(game, tokens)}</Verdict>
      <p class="note sums">{sums(game, tokens)}</p>
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
