/** The colours of numbers: the kind of a number decides its colour on every page, its size how strong the colour is. */

/** What a number is: each kind has a colour in `docs/styles/tokens.css`. */
export type NumberKind = "data" | "parameter" | "activation" | "gradient" | "attention" | "cost";

/** Return the style that gives an element the colour of a kind of number. */
export const colorStyle = (kind: NumberKind): Record<string, string> => ({ "--kind-color": `var(--${kind})` });

/** How many shades a colour has, from the weakest to the strongest. */
export const SHADE_COUNT = 10;

/** Return the shade of a number, given as a share of the largest: 0 is no colour, negative shades are negative numbers. */
export const shadeForShare = (share: number): number =>
  Math.sign(share) * Math.ceil(Math.min(1, Math.abs(share)) * SHADE_COUNT);

/** Return the percentage of colour that a shade mixes into the paper, for CSS. */
export const colorMixPercent = (shade: number): string => `${10 + 9 * Math.abs(shade)}%`;

/** Return the style that colours a weight by its square root, so that small weights can be told apart. */
export const strengthStyle = (weight = 0) => ({ "--strength": `${Math.round(100 * Math.sqrt(weight))}%` });
