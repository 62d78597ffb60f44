/** Asks the service worker to keep the guide, and tells the reader what is kept. */

import type { Kept, News, Trouble, Wish } from "./messages.js";
import { SITE } from "./pages.js";

const CHOICE = "guide:offline";

const TROUBLE: Record<Trouble, string> = {
  "no room": "This browser has no room to keep the guide for offline reading; all else works as before.",
  "no storage": "This browser does not let the guide keep anything for offline reading; all else works as before.",
  interrupted: "Not all could be fetched; what is missing is fetched at your next visit, or press the button.",
};

/** What the reader chose, or what came of it: no further attempt unless asked. */
type Choice = "remove" | "no room" | null;

function choice(): Choice {
  try {
    return localStorage.getItem(CHOICE) as Choice;
  } catch {
    return null;
  }
}

function choose(made: Choice): void {
  try {
    if (made === null) localStorage.removeItem(CHOICE);
    else localStorage.setItem(CHOICE, made);
  } catch {
    // Then it holds until the page is left.
  }
}

export async function keepOffline(control: HTMLElement): Promise<void> {
  const container = navigator.serviceWorker;
  const part = <E extends HTMLElement>(selector: string): E => control.querySelector(selector) as E;
  const [state, bar] = [part("[role=status]"), part<HTMLProgressElement>("progress")];
  const [keep, remove, show] = [part(".keep-all"), part(".remove-all"), part(".show-newer")];
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
      watchdog = window.setTimeout(() => ask(textOf()), 20_000);
    }
    const nothing = kept === null || (kept.pages === 0 && !kept.python);
    const focused = document.activeElement;
    keep.hidden = Boolean(kept?.text && kept.python);
    keep.ariaDisabled = String(fetching !== null);
    remove.hidden = nothing && fetching === null;
    if (focused === keep && keep.hidden) remove.focus();
    if (focused === remove && remove.hidden) keep.focus();
    if (fetching) say("Fetching the guide for offline reading.");
    else if (trouble === "no room" && kept?.text) say(`${sentence(kept)} There is no room for more.`);
    else if (trouble) say(TROUBLE[trouble]);
    else if (nothing) say("Nothing of the guide is kept on this device.");
    else say(sentence(kept));
  };

  const newer = (): void => {
    show.hidden = !(registration?.waiting && registration.active);
    if (show.hidden) return;
    if (document.activeElement === keep) show.focus();
    keep.hidden = true;
    say("A newer edition of the guide is here.");
  };

  const follow = (worker: ServiceWorker | null): void => worker?.addEventListener("statechange", newer);

  const register = async (): Promise<void> => {
    try {
      registration = await container.register(new URL("service-worker.js", SITE), { scope: SITE.pathname });
    } catch (error) {
      const forbidden = (error as Error).name === "SecurityError";
      if (!registration) return render(null, forbidden ? "no storage" : "interrupted");
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
    if (trouble === "no room" && !text) choose("no room");
    render(news.kept);
    newer();
  });
  container.startMessages();

  document.addEventListener("python-loaded", () => {
    if (choice() === null) void container.ready.then(() => ask({ wish: "python" }));
  });
  keep.addEventListener("click", async () => {
    if (keep.ariaDisabled === "true") return;
    keep.ariaDisabled = "true";
    choose(null);
    say("Fetching the guide for offline reading.");
    navigator.storage?.persist?.().catch(() => false);
    await register();
    ask({ wish: "everything" });
  });
  remove.addEventListener("click", () => {
    choose("remove");
    ask({ wish: "nothing" });
  });
  show.addEventListener("click", () => registration?.waiting?.postMessage({ wish: "show" } satisfies Wish));

  registration = await container.getRegistration(SITE).catch(() => undefined);
  if (!registration && choice() !== null) {
    return render(null, choice() === "no room" ? "no room" : null);
  }
  await register();
  if (!registration) return;
  await container.ready;
  ask(textOf());
}

/** To keep the text of the guide, or at least what this page is made of. */
function textOf(): Wish {
  const entries = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
  return { wish: "text", loaded: entries.map(({ name }) => name) };
}

function sentence(kept: Kept): string {
  const pages = kept.text ? "all pages" : `${kept.pages} of ${kept.of} pages`;
  if (kept.python) return `Kept on this device: ${pages}, and Python. They work offline.`;
  const size = Math.round(kept.pythonSize / 1e6);
  return `Kept on this device: ${pages}. Not yet: Python, about ${size} MB.`;
}
