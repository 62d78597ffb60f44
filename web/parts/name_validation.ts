/** Normalizes and validates the names that readers type. */

import { prefixError } from "../engine/training_setup.js";

/** Lower-case a typed name, whatever a phone's keyboard capitalizes, and join accents to their letters. */
export const normalizeName = (text: string): string => text.trim().toLowerCase().normalize("NFC");

/** Return why a normalized name can't be used; empty if it can. */
export const nameError = (name: string, characters?: string, maxLength?: number): string =>
  name === "" ? "Type a name: one letter or more." : prefixError(name, characters, maxLength);
