/** The colours: as the system has them, or as the reader picks. */

import { keep } from "./storage.js";

const KEY = "guide:scheme";
const SYSTEM = "system";
/** What a press leads to, and what the button then says. */
const SCHEMES: Record<string, { next: string; says: string }> = {
  [SYSTEM]: { next: "default", says: "Colours follow the system; switch to light" },
  default: { next: "slate", says: "Light; switch to dark" },
  slate: { next: SYSTEM, says: "Dark; switch to the system’s colours" },
};

/** Let the button of the header switch the colours. */
export function schemes(): void {
  const { body } = document;
  const button = document.querySelector<HTMLButtonElement>(".scheme button");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const show = (): void => {
    const scheme = body.dataset["scheme"] ?? SYSTEM;
    body.dataset["mdColorScheme"] = scheme !== SYSTEM ? scheme : dark.matches ? "slate" : "default";
    if (button) button.title = button.ariaLabel = SCHEMES[scheme]?.says ?? "Colours";
  };
  dark.addEventListener("change", show);
  button?.addEventListener("click", () => {
    const scheme = SCHEMES[body.dataset["scheme"] ?? SYSTEM]?.next ?? SYSTEM;
    body.dataset["scheme"] = scheme;
    show();
    keep(KEY, scheme === SYSTEM ? null : scheme); // without storage the choice holds for this page
  });
  show();
  button?.parentElement?.setAttribute("data-ready", "");
}
