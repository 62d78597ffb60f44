/** How every field for a name reads it, and why it refuses one. */

/** Small letters are meant, whatever a keyboard writes. */
export const read = (text: string): string => text.trim().toLowerCase();

/** Why a name that was read can't be used; empty if it can. */
export function refusal(name: string, known: string | string[] = "abcdefghijklmnopqrstuvwxyz", longest = 15): string {
  const letters = [...name];
  const unknown = letters.find((letter) => !known.includes(letter));
  if (name === "") return "Type a name: one letter or more.";
  if (unknown) return `Type letters from a to z, not ${unknown === " " ? "a space" : `“${unknown}”`}.`;
  return letters.length > longest ? `Type at most ${longest} letters: this has ${letters.length}.` : "";
}
