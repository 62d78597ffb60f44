/** Whether the reader has asked for as little traffic as possible. */
export function frugal(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}
