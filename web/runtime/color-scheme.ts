/** The button in the header that switches the colours: as the system has them, light, or dark. */

import { saveItem } from "./storage.js";

const SCHEME_KEY = "guide:scheme";
const SYSTEM = "system";
/** By the current choice: the next one, and the button's label. */
const SCHEME_CYCLE: Record<string, { next: string; label: string }> = {
  [SYSTEM]: { next: "default", label: "Colours follow the system; switch to light" },
  default: { next: "slate", label: "Light; switch to dark" },
  slate: { next: SYSTEM, label: "Dark; switch to the system’s colours" },
};

/** Make the button switch the colours. */
export function initColorScheme(): void {
  const { body } = document;
  const button = document.querySelector<HTMLButtonElement>(".color-scheme button");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const applyScheme = (): void => {
    const scheme = body.dataset["scheme"] ?? SYSTEM;
    body.dataset["mdColorScheme"] = scheme !== SYSTEM ? scheme : dark.matches ? "slate" : "default";
    if (button) button.title = button.ariaLabel = SCHEME_CYCLE[scheme]?.label ?? "Colours";
  };
  dark.addEventListener("change", applyScheme);
  button?.addEventListener("click", () => {
    const scheme = SCHEME_CYCLE[body.dataset["scheme"] ?? SYSTEM]?.next ?? SYSTEM;
    body.dataset["scheme"] = scheme;
    applyScheme();
    saveItem(SCHEME_KEY, scheme === SYSTEM ? null : scheme); // without storage the choice holds for this page
  });
  applyScheme();
  button?.parentElement?.setAttribute("data-ready", "");
}
