/** Five operations, the rules of their slopes, and what to remember of each. */

import { fixed } from "../../parts/numerals.js";

export type Of<Y> = (x: number) => Y;

export interface Operation {
  name: string;
  /** Its x, in tenths. */
  from: number;
  to: number;
  value: Of<number>;
  slope: Of<number>;
  /** The rule of its slope, the same with a number in the place of x, and what to remember. */
  rule: string;
  worked: Of<string>;
  says: Of<string>;
  /** What to look for before the rule is known. */
  hint: string;
}

/** x as readers see it. */
export const said: Of<string> = (x) => fixed(x, 1);

export const OPERATIONS: Operation[] = [
  {
    name: "x ** 3",
    from: -20,
    to: 20,
    value: (x) => x ** 3,
    slope: (x) => 3 * x ** 2,
    rule: "3x²",
    worked: (x) => `3 · ${x < 0 ? `(${said(x)})` : said(x)}²`,
    hint: "Steep on both sides, flat in the middle. What are the dots drawing?",
    says: (x) =>
      x === 0
        ? "Flat for a moment. Everywhere else, a cube climbs."
        : "A square is never negative, so a cube never goes downhill.",
  },
  {
    name: "1 / x",
    from: 4,
    to: 40,
    value: (x) => 1 / x,
    slope: (x) => -1 / x ** 2,
    rule: "−1/x²",
    worked: (x) => `−1 / ${said(x)}²`,
    hint: "Downhill everywhere. Halve x: how many times as steep is it?",
    says: () => "Always downhill. Halve x, and it’s four times as steep.",
  },
  {
    name: "log(x)",
    from: 2,
    to: 40,
    value: Math.log,
    slope: (x) => 1 / x,
    rule: "1/x",
    worked: (x) => `1 / ${said(x)}`,
    hint: "It always climbs, but less and less. What are the dots drawing?",
    says: () => "Double x, and it’s half as steep. It never quite stops climbing.",
  },
  {
    name: "exp(x)",
    from: -20,
    to: 20,
    value: Math.exp,
    slope: Math.exp,
    rule: "eˣ, itself",
    worked: (x) => `exp(${said(x)})`,
    hint: "Look at the curve above, then at the dots. Notice anything?",
    says: () => "The higher it is, the faster it climbs: its slope is its own height.",
  },
  {
    name: "relu(x)",
    from: -20,
    to: 20,
    value: (x) => Math.max(0, x),
    slope: (x) => (x > 0 ? 1 : 0),
    rule: "1 or 0, a gate",
    worked: (x) => `(${said(x)} > 0)`,
    hint: "Two slopes, and nothing in between. Where does it jump?",
    says: (x) => {
      if (x === 0) return "Right at the hinge. The package calls that shut.";
      return x > 0 ? "The gate is open: what comes in goes out." : "The gate is shut: nothing gets through.";
    },
  },
];
