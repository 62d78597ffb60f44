/** Asks the service worker to keep the guide, and tells the reader what is kept. */

import { frugal } from "./frugal.js";
import type { Kept, News, Wish } from "./messages.js";
import { SITE } from "./site.js";
import * as storage from "./storage.js";

/** What the reader chose, "remove", or what came of it, "no room": no further attempt unless asked. */
const CHOICE = "guide:offline";

const TROUBLE = {
  "no room": "This browser has no room to keep the guide for offline reading; all else works as before.",
  "no storage": "This browser does not let the guide keep anything for offline reading; all else works as before.",
  interrupted: "Not all could be fetched; what is missing is fetched at your next visit, or press the button.",
};
type Trouble = keyof typeof TROUBLE;

export async function keepOffline(control: HTMLElement): Promise<void> {
  const container = navigator.serviceWorker;
  const part = <E extends HTMLElement>(selector: string): E => control.querySelector(selector) as E;
  const [state, bar] = [part("[role=status]"), part<HTMLProgressElement>("progress")];
  const [keep, remove] = [part(".keep-all"), part(".remove-all")];
  let registration: ServiceWorkerRegistration | undefined;
  let watchdog = 0;

  const say = (sentence: string): void => {
    // A screen reader repeats what is written again.
    if (state.textContent !== sentence) state.textContent = sentence;
  };

  const ask = (wish: Wish): void => {
    const worker = registration?.active ?? registration?.waiting ?? registration?.installing;
    worker?.postMessage(wish);
  };

  const render = (kept: Kept | null, trouble: Trouble | null = kept?.trouble ?? null): void => {
    clearTimeout(watchdog);
    const fetching = kept?.fetching ?? null;
    bar.hidden = fetching === null;
    if (fetching) {
      [bar.max, bar.value] = [fetching.of, fetching.done];
      // A browser may end a worker that works for long; the same wish goes on from there.
      watchdog = window.setTimeout(() => ask("text"), 20_000);
    }
    const focused = document.activeElement;
    keep.hidden = Boolean(kept?.text && kept.python);
    keep.ariaDisabled = String(fetching !== null);
    remove.hidden = !(kept?.text || fetching || kept?.trouble === "interrupted");
    if (focused === keep && keep.hidden) remove.focus();
    if (focused === remove && remove.hidden) keep.focus();
    if (fetching) say("Fetching the guide for offline reading.");
    else if (trouble === "no room" && kept?.text) say(`${sentence(kept)} There is no room for more.`);
    else if (trouble) say(TROUBLE[trouble]);
    else say(sentence(kept));
  };

  const newer = (): void => {
    if (registration?.waiting && registration.active)
      say("A newer edition of the guide is here. It shows once all pages of this one are closed.");
  };

  const follow = (worker: ServiceWorker | null): void => worker?.addEventListener("statechange", newer);

  const register = async (): Promise<void> => {
    try {
      registration = await container.register(new URL("service-worker.js", SITE), { scope: SITE.pathname });
    } catch (error) {
      if (!registration) {
        if ((error as Error).name === "SecurityError") return render(null, "no storage");
        control.hidden = true; // this site comes without a worker
        return;
      }
    }
    registration.addEventListener("updatefound", () => follow(registration?.installing ?? null));
    follow(registration.installing);
    newer();
    // Browsers look for a new edition at times of their own.
    if (registration.active) registration.update().catch(() => {});
  };

  container.addEventListener("message", ({ data, source }) => {
    const news = data as News;
    if ("reload" in news) return location.reload();
    // Of two editions the one in use speaks; while none is, all but success is true.
    const { fetching, text, trouble } = news.kept;
    const unused = !registration?.active && (!text || fetching !== null);
    if (!unused && source !== registration?.active) return;
    if (trouble === "no room" && !text) storage.keep(CHOICE, trouble);
    render(news.kept);
    newer();
  });
  container.startMessages();

  document.addEventListener("python-loaded", () => {
    if (storage.kept(CHOICE) === null) void container.ready.then(() => ask("python"));
  });
  keep.addEventListener("click", async () => {
    if (keep.ariaDisabled === "true") return;
    keep.ariaDisabled = "true";
    storage.keep(CHOICE, null);
    say("Fetching the guide for offline reading.");
    navigator.storage?.persist?.().catch(() => false);
    await register();
    ask("everything");
  });
  remove.addEventListener("click", () => {
    storage.keep(CHOICE, "remove");
    ask("nothing");
  });

  registration = await container.getRegistration(SITE).catch(() => undefined);
  const choice = storage.kept(CHOICE);
  if (!registration && (choice !== null || frugal())) return render(null, choice === "no room" ? choice : null);
  await register();
  if (!registration) return;
  await container.ready;
  ask("text");
}

function sentence(kept: Kept | null): string {
  if (!kept?.text) return "Nothing of the guide is kept on this device.";
  if (kept.python) return "Kept on this device: all pages, and Python. They work offline.";
  const size = Math.round(kept.pythonSize / 1e6);
  return `Kept on this device: all pages. Not yet: Python, about ${size} MB.`;
}
