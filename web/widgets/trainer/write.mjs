/** Writes what was recorded. */

import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";

/** Writes a file whole or not at all, given its URL. */
export async function write(file, text) {
  const fresh = new URL(`${file}.new`);
  await writeFile(fresh, text);
  await rename(fresh, file);
}

/** What a file holds now, to stay beside what was asked for by name. */
export async function others(file, asked) {
  return asked.length > 0 && existsSync(file) ? JSON.parse(await readFile(file, "utf8")) : {};
}
