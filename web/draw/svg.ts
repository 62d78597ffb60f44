/** What drawings share: escaping, short numbers, and how wide a text is. */

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] as string);
}

/** A coordinate with one decimal: enough for the eye, half the bytes. */
export function px(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** The width of one character of the guide's code face, in em. */
export const CHARACTER = 0.5;

/** East Asian letters take two cells of the code face; arrows and mathematical signs come from a wider fallback face. */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60\u{1f300}-\u{10ffff}]/u;
const SIGN = /[\u2190-\u2211\u2213-\u22ff]/u;

/** How many cells of the code face a text takes. */
export const columns = (text: string): number =>
  [...text.normalize("NFC").replace(/\p{Mark}/gu, "")].reduce(
    (count, character) => count + (WIDE.test(character) ? 2 : SIGN.test(character) ? 1.6 : 1),
    0,
  );
