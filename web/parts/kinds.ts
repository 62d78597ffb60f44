/** What a number is decides its colour, the same on every page; its size decides how strong the colour is. */

export type Kind = "data" | "parameter" | "activation" | "gradient" | "attention" | "cost";

/** The style of an element whose numbers are of that kind. */
export const roleOf = (kind: Kind): Record<string, string> => ({ "--role": `var(--${kind})` });

/** Steps from the weakest to the strongest cell; 0 is a cell without colour, below it is what is negative. */
export const SHADES = 10;

/** The step of a number, given as a share of the largest. */
export const shadeOf = (share: number): number => Math.sign(share) * Math.ceil(Math.min(1, Math.abs(share)) * SHADES);

/** How strong the colour of a step is. */
export const strength = (shade: number): string => `${10 + 9 * Math.abs(shade)}%`;
