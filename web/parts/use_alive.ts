/** Whether the page's script has taken the widget over. */

import { useEffect, useState } from "preact/hooks";

export function useAlive(): boolean {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  return alive;
}
