/**
 * The script that every page loads. It listens; the rest is loaded when a reader asks:
 * `cell.ts` for a block of code, a widget when it comes near, Python when it is needed,
 * `offline.ts` when the page is in use, so that it never competes with what is read first.
 */

import { frugal } from "./frugal.js";
import { schemes } from "./scheme.js";
import { watchFrames } from "./scrollable.js";
import { shortcuts } from "./shortcuts.js";
import { hasSnapshot } from "./snapshot.js";
import { kept } from "./storage.js";

/** Signs that somebody uses the page. Not "scroll": the theme scrolls its menus by itself. */
const SIGNS = ["wheel", "touchmove", "keydown", "pointerdown"];
/** Signs that somebody may run the block below them. */
const NEAR = ["pointermove", "focusin"];

const used = new Promise<unknown>((resolve) => {
  for (const sign of SIGNS) addEventListener(sign, resolve, { capture: true, passive: true, once: true });
});

function cells(): void {
  const act = async (event: Event, action: "run" | "edit"): Promise<void> => {
    const element = (event.target as Element).closest<HTMLElement>(".cell");
    if (element === null || !element.querySelector(".bar")) return;
    event.preventDefault();
    try {
      const { cellOf } = await import("./cell.js");
      await cellOf(element)[action]();
      watchFrames(element);
    } catch (error) {
      // Only the scripts themselves can be missing here: the cell reports all else.
      tell(element, error);
    }
  };
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest(".cell > .bar > button");
    if (button?.classList.contains("run")) void act(event, "run");
    if (button?.classList.contains("edit")) void act(event, "edit");
  });
  document.addEventListener("keydown", (event) => {
    // The editor has this key too, and has dealt with it when it arrives here.
    const held = event.shiftKey || event.ctrlKey || event.metaKey;
    if (event.key === "Enter" && held && !event.defaultPrevented) {
      void act(event, "run");
    }
  });
}

/**
 * Where Python has run before, it is there when a reader presses Run. Elsewhere it is fetched
 * and started when a mouse moves over a block, or keys have come to one.
 */
async function python(): Promise<void> {
  if (document.querySelector(".cell .bar") === null) return;
  await used;
  const start = async (): Promise<void> => (await import("./python.js")).warmUp();
  if (await hasSnapshot()) return start();
  if (frugal() || !navigator.onLine) return;
  const near = new AbortController();
  const come = ({ target, type, pointerType }: PointerEvent): void => {
    const scrolls = type === "pointermove" && pointerType === "touch";
    if (scrolls || !(target as Element).closest(".cell")?.querySelector(".bar")) return;
    near.abort();
    start().catch(console.warn);
  };
  for (const sign of NEAR)
    addEventListener(sign, come as EventListener, { capture: true, passive: true, signal: near.signal });
}

/** Widgets come to life when they are near. */
function widgets(): void {
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        void mount(target as HTMLElement);
      }
    },
    { rootMargin: "400px" },
  );
  for (const figure of document.querySelectorAll("[data-widget]")) {
    near.observe(figure);
    figure.addEventListener("click", keepPress);
  }
}

const pressed = new WeakMap<Element, HTMLElement>();

/** Keep which button was pressed before its widget could answer. */
function keepPress({ target, currentTarget }: Event): void {
  const button = (target as Element).closest("button");
  if (button) pressed.set(currentTarget as Element, button);
}

async function mount(figure: HTMLElement): Promise<void> {
  try {
    const { mountWidget } = await import("./widget.js");
    await mountWidget(figure);
    figure.removeEventListener("click", keepPress);
    pressed.get(figure)?.click();
    watchFrames(figure);
    const told = figure.querySelector(".state");
    if (told) told.textContent = "";
  } catch (error) {
    tell(figure, error);
    addEventListener("online", () => void mount(figure), { once: true });
  }
}

/** Say in a part of the page that it could not be loaded. */
function tell(part: Element, error: unknown): void {
  console.warn(error);
  const state = part.querySelector(".state") ?? part.querySelector("[role=status]");
  if (state === null) return;
  state.textContent = navigator.onLine
    ? "This part of the page could not be loaded; the guide may have a new edition. Reload the page."
    : "This part of the page could not be loaded: the browser is offline and does not have it yet.";
}

function offline(): void {
  const control = document.querySelector<HTMLElement>(".offline");
  if (control === null) return;
  if (!("serviceWorker" in navigator)) {
    control.hidden = true;
    return;
  }
  let pressed: HTMLElement | null = null;
  control.addEventListener("click", ({ target }) => (pressed = target as HTMLElement), { once: true });
  const later = new Promise<unknown>((resolve) => {
    // With a worker at hand, nothing of this touches the network.
    if (navigator.serviceWorker.controller) resolve(null);
    else setTimeout("requestIdleCallback" in window ? () => requestIdleCallback(resolve) : resolve, 20_000);
  });
  const start = async (): Promise<void> => {
    await Promise.race([used, later]);
    const { keepOffline } = await import("./offline.js");
    const started = keepOffline(control);
    (pressed as HTMLElement | null)?.click();
    await started;
  };
  start().catch((error) => tell(control, error));
}

async function reading(): Promise<void> {
  if (kept("guide:reading") === null) await used;
  const { follow } = await import("./reading.js");
  follow();
}

/** The theme takes long contents along as one reads, but not back to their top. */
function contents(): void {
  const list = document.querySelector(".md-sidebar--secondary .md-sidebar__scrollwrap");
  addEventListener("scroll", () => scrollY === 0 && list?.scrollTo(0, 0), { passive: true });
}

/** The theme's search listens to keys, but a text can also be pasted, dropped or spoken. */
function search(): void {
  document.querySelector(".md-search__input")?.addEventListener("input", ({ currentTarget }) => {
    currentTarget?.dispatchEvent(new Event("keyup"));
  });
}

/** Where no page is: search for what its address calls it, slips and all. */
function help(): void {
  document.querySelector(".ask")?.addEventListener("click", () => {
    const open = document.querySelector<HTMLInputElement>("#__search");
    const field = document.querySelector<HTMLInputElement>(".md-search__input");
    if (open && !open.checked) open.click();
    if (!field) return;
    field.value = /[\w-]+(?=(\.html|\.md|\/)*$)/.exec(location.pathname)?.[0].replaceAll("-", " ") ?? "";
    field.focus();
    field.dispatchEvent(new Event("keyup"));
  });
}

// A browser that translates the page leaves code as it is.
for (const code of document.querySelectorAll<HTMLElement>("pre, code")) code.translate = false;
schemes();
watchFrames(document);
cells();
python().catch(console.warn);
widgets();
offline();
reading().catch(console.warn);
contents();
search();
shortcuts();
help();
