/** What readers are told when Python cannot be loaded or has crashed: why, and what to do. */

const TRY_AGAIN = "Try again: that starts it anew.";
export const ENDED_MESSAGE = `Python has stopped working, perhaps because memory ran out. ${TRY_AGAIN}`;
export const NO_WEBASSEMBLY_MESSAGE =
  "This browser has no WebAssembly, which Python needs: allow it in the browser’s settings, or use another browser.";

/** Errors of browsers and Pyodide that readers can do something about: a pattern of their message, and what to do. */
const KNOWN_ERRORS: [message: RegExp, advice: string][] = [
  // Pyodide has no stderr left to lose when nothing more can be allocated.
  [/memory|allocat|lost sys.stderr/i, "The page has no memory left for Python: keep less data, or close other tabs."],
  [
    /call stack|recursion/i,
    "Calls are nested more deeply than this browser allows: check what ends the recursion, or use a loop.",
  ],
  [/exit\(/, "The program ended Python itself: remove the call that exits."],
];

/** Return what to do about an error with this message; undefined if it is not a known one. */
function findAdvice(message: string): string | undefined {
  return KNOWN_ERRORS.find(([pattern]) => pattern.test(message))?.[1];
}

/** Return why Python could not be loaded; `detail` is the message of the error, if there is one. */
export function describeLoadFailure(detail: string | undefined): string {
  if (!navigator.onLine)
    return "Python could not be loaded: this browser is offline and has not saved it yet. Try again online.";
  // A content security policy that forbids workers gives the page no message.
  const message = (detail || "this browser or the site’s host does not allow workers").split("\n")[0] as string;
  return `${findAdvice(message) ?? `Python could not be loaded (${message}).`} Try again.`;
}

/** Return why Python crashed; `detail` is the message of the error. */
export function describeCrash(detail: string): string {
  return `${findAdvice(detail) ?? `Python crashed (${detail.split("\n").at(-1)}).`} ${TRY_AGAIN}`;
}
