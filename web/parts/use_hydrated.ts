/** Whether the script has taken over the HTML that the build has rendered. */

import { useEffect, useState } from "preact/hooks";

/** Return false in the build and on the first render in the page, then true. */
export function useHydrated(): boolean {
  const [isHydrated, setIsHydrated] = useState(false);
  useEffect(() => setIsHydrated(true), []);
  return isHydrated;
}
