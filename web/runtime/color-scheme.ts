/** The header's button that switches between the system's colours, light and dark. */

import { saveItem } from "./storage.js";

const SCHEME_STORAGE_KEY = "guide:scheme";
const SYSTEM_SCHEME = "system";
/** For each choice of colours: the next choice, and the button's label. */
const SCHEME_CYCLE: Record<string, { next: string; label: string }> = {
  [SYSTEM_SCHEME]: { next: "default", label: "Colours follow the system; switch to light" },
  default: { next: "slate", label: "Light; switch to dark" },
  slate: { next: SYSTEM_SCHEME, label: "Dark; switch to the system’s colours" },
};

/** Make the button switch the colours. */
export function initColorScheme(): void {
  const { body } = document;
  const button = document.querySelector<HTMLButtonElement>(".color-scheme button");
  const darkQuery = matchMedia("(prefers-color-scheme: dark)");
  const applyScheme = (): void => {
    const scheme = body.dataset["scheme"] ?? SYSTEM_SCHEME;
    body.dataset["mdColorScheme"] = scheme !== SYSTEM_SCHEME ? scheme : darkQuery.matches ? "slate" : "default";
    if (button) button.title = button.ariaLabel = SCHEME_CYCLE[scheme]?.label ?? "Colours";
  };
  darkQuery.addEventListener("change", applyScheme);
  button?.addEventListener("click", () => {
    const scheme = SCHEME_CYCLE[body.dataset["scheme"] ?? SYSTEM_SCHEME]?.next ?? SYSTEM_SCHEME;
    body.dataset["scheme"] = scheme;
    applyScheme();
    saveItem(SCHEME_STORAGE_KEY, scheme === SYSTEM_SCHEME ? null : scheme); // without storage the choice holds for this page
  });
  applyScheme();
  button?.parentElement?.setAttribute("data-ready", "");
}
