/**
 * The script that every page loads. It listens; the rest is loaded when a reader asks:
 * `cell.ts` for a block of code, a widget when it comes near, Python when it is needed,
 * `offline.ts` when the page is in use, so that it never competes with what is read first.
 */

import { schemes } from "./scheme.js";
import { terms } from "./terms.js";

function cells(): void {
  const act = async (event: Event, action: "run" | "edit"): Promise<void> => {
    const element = (event.target as Element).closest<HTMLElement>(".cell");
    if (element === null || !element.querySelector(".bar")) return;
    event.preventDefault();
    try {
      const { cellOf } = await import("./cell.js");
      await cellOf(element)[action]();
    } catch (error) {
      // Only the scripts themselves can be missing here: the cell reports all else.
      const state = element.querySelector(".state");
      if (state) state.textContent = missing(error);
    }
  };
  document.addEventListener("click", (event) => {
    const button = (event.target as Element).closest(".cell > .bar > button");
    if (button?.classList.contains("run")) void act(event, "run");
    if (button?.classList.contains("edit")) void act(event, "edit");
  });
  document.addEventListener("keydown", (event) => {
    // The editor has this key too, and has dealt with it when it arrives here.
    if (event.key === "Enter" && event.shiftKey && !event.defaultPrevented) {
      void act(event, "run");
    }
  });
}

/** What comes to life when it is near: widgets, and the map of the package. */
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
  for (const figure of document.querySelectorAll("[data-widget], .minimap")) near.observe(figure);
}

async function mount(figure: HTMLElement): Promise<void> {
  try {
    if (figure.matches(".minimap")) {
      const { readMap } = await import("./minimap.js");
      return readMap(figure);
    }
    const { mountWidget } = await import("./widget.js");
    await mountWidget(figure);
  } catch (error) {
    const state = figure.querySelector(".state");
    if (state) state.textContent = missing(error);
  }
}

function missing(error: unknown): string {
  console.warn(error);
  return navigator.onLine
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
  const remember = ({ target }: Event): void => {
    pressed = target as HTMLElement;
  };
  control.addEventListener("click", remember);
  // Not "scroll": the theme scrolls its menus by itself.
  const signs = ["wheel", "touchmove", "keydown", "pointerdown"];
  let begun = false;
  const begin = (): void => {
    if (begun) return; // by a sign, while the timer's idle moment was still to come
    begun = true;
    for (const sign of signs) removeEventListener(sign, begin, true);
    clearTimeout(timer);
    const start = async (): Promise<void> => {
      const { keepOffline } = await import("./offline.js");
      control.removeEventListener("click", remember);
      const started = keepOffline(control);
      pressed?.click();
      await started;
    };
    start().catch(console.warn);
  };
  const timer = setTimeout(() => ("requestIdleCallback" in window ? requestIdleCallback(begin) : begin()), 20_000);
  for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true });
  // With a worker at hand, nothing of this touches the network.
  if (navigator.serviceWorker.controller) begin();
}

schemes();
terms();
cells();
widgets();
offline();
