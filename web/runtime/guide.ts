/**
 * The script that every page loads. It only listens for events, and imports the rest when a reader needs it: `cell.ts`
 * for a block of code, a widget before it scrolls into view, Python to run code, and `offline.ts` once the page is in
 * use, so that downloads never compete with the page itself.
 */

import { initColorScheme } from "./color-scheme.js";
import { isSaveDataEnabled } from "./data-saver.js";
import { hasSnapshot } from "./python-snapshot.js";
import { watchScrollables } from "./scrollable.js";
import { initShortcutsDialog } from "./shortcuts.js";
import { loadItem } from "./storage.js";

/** Events that show that somebody uses the page. Not "scroll": the theme scrolls its menus by itself. */
const PAGE_USE_EVENTS = ["wheel", "touchmove", "keydown", "pointerdown"];
/** Events in a block that show that somebody may be about to run it. */
const CELL_APPROACH_EVENTS = ["pointermove", "focusin"];
/** On a page that nobody uses, downloads for offline reading begin after this long. */
const MAX_OFFLINE_DELAY_MS = 20_000;

/** Resolves when somebody first uses the page. */
const firstUseOfPage: Promise<unknown> = new Promise((resolve) => {
  for (const type of PAGE_USE_EVENTS) addEventListener(type, resolve, { capture: true, passive: true, once: true });
});

/** Run or edit a block of code when a reader presses its buttons, or Shift+Enter in it. */
function initCells(): void {
  const runOrEdit = async (event: Event, action: "run" | "edit"): Promise<void> => {
    const element = (event.target as Element).closest<HTMLElement>(".cell");
    if (element === null || !element.querySelector(".cell-toolbar")) return;
    event.preventDefault();
    try {
      const { getOrCreateCell } = await import("./cell.js");
      await getOrCreateCell(element)[action]();
      watchScrollables(element);
    } catch (error) {
      // Only the import can fail here: the cell reports all other errors itself.
      showLoadError(element, error);
    }
  };
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest(".cell > .cell-toolbar > button");
    if (button?.classList.contains("run")) void runOrEdit(event, "run");
    if (button?.classList.contains("edit")) void runOrEdit(event, "edit");
  });
  document.addEventListener("keydown", (event) => {
    // The editor binds this key, too, and has handled the event before it arrives here.
    const withModifier = event.shiftKey || event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && withModifier && !event.defaultPrevented) {
      void runOrEdit(event, "run");
    }
  });
}

/**
 * Start Python before a reader presses Run: at the first use of the page if it has run in this browser before, else when
 * the mouse or the focus reaches a block.
 */
async function startPythonEarly(): Promise<void> {
  if (document.querySelector(".cell .cell-toolbar") === null) return;
  await firstUseOfPage;
  const start = async (): Promise<void> => (await import("./python.js")).startPython();
  if (await hasSnapshot()) return start();
  if (isSaveDataEnabled() || !navigator.onLine) return;
  const approach = new AbortController();
  const onApproach = ({ target, type, pointerType }: PointerEvent): void => {
    const isScrolling = type === "pointermove" && pointerType === "touch";
    if (isScrolling || !(target as Element).closest(".cell")?.querySelector(".cell-toolbar")) return;
    approach.abort();
    start().catch(console.warn);
  };
  for (const type of CELL_APPROACH_EVENTS)
    addEventListener(type, onApproach as EventListener, { capture: true, passive: true, signal: approach.signal });
}

/** Mount each widget before it scrolls into view. */
function initWidgets(): void {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        void mountFigure(target as HTMLElement);
      }
    },
    { rootMargin: "400px" },
  );
  for (const figure of document.querySelectorAll("[data-widget]")) {
    observer.observe(figure);
    figure.addEventListener("click", rememberPress);
  }
}

/** By figure: the button that was pressed before the widget was mounted. */
const earlyPresses = new WeakMap<Element, HTMLElement>();

/** Remember a button that is pressed before its widget can react. */
function rememberPress({ target, currentTarget }: Event): void {
  const button = (target as Element).closest("button");
  if (button) earlyPresses.set(currentTarget as Element, button);
}

/** Mount the widget of a figure, and repeat an early press; when that fails, try again once the browser is online. */
async function mountFigure(figure: HTMLElement): Promise<void> {
  try {
    const { hydrateWidget } = await import("./widget.js");
    await hydrateWidget(figure);
    figure.removeEventListener("click", rememberPress);
    earlyPresses.get(figure)?.click();
    watchScrollables(figure);
    const statusElement = figure.querySelector(".status");
    if (statusElement) statusElement.textContent = "";
  } catch (error) {
    showLoadError(figure, error);
    addEventListener("online", () => void mountFigure(figure), { once: true });
  }
}

/** Tell readers, in the status of a part of the page, that it could not be loaded. */
function showLoadError(part: Element, error: unknown): void {
  console.warn(error);
  const statusElement = part.querySelector(".status") ?? part.querySelector("[role=status]");
  if (statusElement === null) return;
  statusElement.textContent = navigator.onLine
    ? "This part of the page could not be loaded, perhaps because the guide has a new edition: reload the page."
    : "This part of the page could not be loaded: the browser is offline and has not saved it yet. Try again online.";
}

/** Set up offline reading once the page is in use, or idle. */
function initOffline(): void {
  const control = document.querySelector<HTMLElement>(".offline");
  if (control === null) return;
  if (!("serviceWorker" in navigator)) {
    control.hidden = true;
    return;
  }
  let pressedElement: HTMLElement | null = null;
  control.addEventListener("click", ({ target }) => (pressedElement = target as HTMLElement), { once: true });
  const idleTime = new Promise<unknown>((resolve) => {
    // Where a service worker is active already, nothing here needs the network.
    if (navigator.serviceWorker.controller) resolve(null);
    else
      setTimeout("requestIdleCallback" in window ? () => requestIdleCallback(resolve) : resolve, MAX_OFFLINE_DELAY_MS);
  });
  const start = async (): Promise<void> => {
    await Promise.race([firstUseOfPage, idleTime]);
    const { initOfflineControl } = await import("./offline.js");
    const started = initOfflineControl(control);
    (pressedElement as HTMLElement | null)?.click();
    await started;
  };
  start().catch((error) => showLoadError(control, error));
}

/** Show and record reading progress; with none so far, not before the page is in use. */
async function initReadingProgress(): Promise<void> {
  if (loadItem("guide:reading") === null) await firstUseOfPage;
  const { trackReading } = await import("./reading-progress.js");
  trackReading();
}

/** Scroll the table of contents back to its top with the page, which the theme doesn't. */
function resetContentsAtPageTop(): void {
  const list = document.querySelector(".md-sidebar--secondary .md-sidebar__scrollwrap");
  addEventListener("scroll", () => scrollY === 0 && list?.scrollTo(0, 0), { passive: true });
}

/** Let the theme's search, which only listens to keys, react to text that is pasted, dropped or dictated. */
function searchPastedText(): void {
  document.querySelector(".md-search__input")?.addEventListener("input", ({ currentTarget }) => {
    currentTarget?.dispatchEvent(new Event("keyup"));
  });
}

/** On the page for missing addresses, let the button search for the last word of the address. */
function initNotFoundSearch(): void {
  const button = document.querySelector<HTMLButtonElement>(".search-guide");
  if (!button) return;
  button.addEventListener("click", () => {
    const toggle = document.querySelector<HTMLInputElement>("#__search");
    const field = document.querySelector<HTMLInputElement>(".md-search__input");
    if (toggle && !toggle.checked) toggle.click();
    if (!field) return;
    field.value = /[\w-]+(?=(\.html|\.md|\/)*$)/.exec(location.pathname)?.[0].replaceAll("-", " ") ?? "";
    field.focus();
    field.dispatchEvent(new Event("keyup"));
  });
  button.disabled = false;
}

// Browsers that translate the page must leave code alone.
for (const code of document.querySelectorAll<HTMLElement>("pre, code")) code.translate = false;
initColorScheme();
watchScrollables(document);
initCells();
startPythonEarly().catch(console.warn);
initWidgets();
initOffline();
initReadingProgress().catch(console.warn);
resetContentsAtPageTop();
searchPastedText();
initShortcutsDialog();
initNotFoundSearch();
