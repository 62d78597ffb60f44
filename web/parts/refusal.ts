import { unreadable } from "../engine/setup.js";

/** Why a name can't be read; empty if it can. */
export const refusal = (name: string, known: string | string[], longest?: number): string =>
  name === "" ? "Type a name: one letter or more." : unreadable(name, known, longest);
