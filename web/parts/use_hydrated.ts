/** Whether the script has taken over the HTML that the build has rendered. */

import { useEffect, useState } from "preact/hooks";

export function useHydrated(): boolean {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return isHydrated;
}
