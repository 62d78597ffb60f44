/** Names from any model, token by token, as `sample` of the package draws them. */

import type { Random } from "./random.js";
import { CONTEXT } from "./setup.js";

type Odds = (tokens: readonly number[]) => ArrayLike<number>;

/** Go on from some tokens to the end of a name; hear how likely each was that came. */
export function goOn(
  begin: readonly number[],
  odds: Odds,
  random: Random,
  hear = (_token: number, _p: number) => {},
): number[] {
  const tokens = [...begin];
  while (tokens.length <= CONTEXT) {
    const p = odds(tokens);
    const token = random.choice(p);
    hear(token, p[token] as number);
    if (token === tokens[0]) break;
    tokens.push(token);
  }
  return tokens;
}
