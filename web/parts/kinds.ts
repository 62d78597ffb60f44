/** What a number is decides its colour, the same on every page. */

export type Kind = "data" | "parameter" | "activation" | "gradient" | "attention" | "cost";

/** The style of an element whose numbers are of that kind. */
export const roleOf = (kind: Kind): Record<string, string> => ({ "--role": `var(--${kind})` });
