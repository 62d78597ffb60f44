/** Helpers to write SVG: escaping, coordinates, and the width of a text. */

const XML_ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escape the characters that have a meaning in XML, for texts and attributes. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => XML_ENTITIES[character] as string);
}

/** Format a coordinate with one decimal: finer than a screen shows, in half the bytes. */
export function formatCoordinate(value: number): string {
  return String(Math.round(value * 10) / 10 + 0);
}

/** The width of a character of the guide's monospaced font, in em. */
export const CHARACTER_WIDTH_EM = 0.5;

/** East Asian letters are two characters wide; arrows and mathematical signs come from a wider fallback font. */
const DOUBLE_WIDTH_PATTERN = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uff60\u{1f300}-\u{10ffff}]/u;
const WIDE_SIGN_PATTERN = /[\u2190-\u2211\u2213-\u22ff]/u;

/** Return the width of a text, in characters of the monospaced font. */
export const countColumns = (text: string): number =>
  [...text.normalize("NFC").replace(/\p{Mark}/gu, "")].reduce(
    (sum, character) => sum + (DOUBLE_WIDTH_PATTERN.test(character) ? 2 : WIDE_SIGN_PATTERN.test(character) ? 1.6 : 1),
    0,
  );
