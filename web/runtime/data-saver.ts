/** Return whether the reader's browser is set to ask sites to save data. */
export function isSaveDataEnabled(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
