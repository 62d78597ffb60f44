/** Why a name can't be read; empty if it can. */
export function refusal(name: string, tokens: string[], longest: number): string {
  const unknown = [...name].find((letter) => !tokens.includes(letter));
  if (name === "") return "Type a name: one letter or more.";
  if (unknown) return `Type letters from a to z: the model does not know “${unknown}”.`;
  return name.length > longest ? `Type at most ${longest} letters: this has ${name.length}.` : "";
}
