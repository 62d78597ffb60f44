/** How every field for a name reads it, and why it refuses one. */

import { unreadable } from "../engine/setup.js";

/** Small letters are meant, whatever a keyboard writes, and an accent belongs to its letter. */
export const read = (text: string): string => text.trim().toLowerCase().normalize("NFC");

/** Why a name that was read can't be used; empty if it can. */
export const refusal = (name: string, known?: string | string[], longest?: number): string =>
  name === "" ? "Type a name: one letter or more." : unreadable(name, known, longest);
