/** Return whether the reader's browser asks sites to save data. */
export function prefersSavingData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
