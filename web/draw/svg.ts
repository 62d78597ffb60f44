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

/** How many cells of the code face a text takes (East Asian letters take two). */
export function columns(text: string): number {
  let count = 0;
  for (const character of text.normalize("NFC")) {
    const code = character.codePointAt(0) as number;
    if (/\p{Mark}/u.test(character)) continue;
    const wide =
      (code >= 0x1100 && code <= 0x115f) ||
      (code >= 0x2e80 && code <= 0xa4cf) ||
      (code >= 0xac00 && code <= 0xd7a3) ||
      (code >= 0xff00 && code <= 0xff60) ||
      code >= 0x1f300;
    // Arrows and mathematical signs come from a wider fallback face.
    const sign = code >= 0x2190 && code <= 0x22ff && code !== 0x2212;
    count += wide ? 2 : sign ? 1.6 : 1;
  }
  return count;
}
