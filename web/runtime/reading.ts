/**
 * Which pages were read to their end, and where to go on. It is kept on the reader's device
 * alone, and shown in the navigation, in the footer, on Home and where a page is missing.
 */

import { chapters, pageAt, pagesIn, titleOf } from "./pages.js";
import { keep, keptJson } from "./storage.js";

const KEY = "guide:reading";
const END_SEEN = 1_000; // milliseconds that the end must be in sight

interface Reading {
  /** The page of a step that was opened last. */
  last: string | null;
  /** The pages that were read to their end. */
  read: string[];
}

function reading(): Reading {
  return { last: null, read: [], ...keptJson<Partial<Reading>>(KEY) };
}

/** Follow the reading of this page, and show that of all. */
export function follow(): void {
  const steps = chapters();
  const here = pageAt(location.href);
  show();
  document.querySelector(".reading button")?.addEventListener("click", forget);
  // Another tab may have read on.
  addEventListener("storage", ({ key }) => key === KEY && show());
  if (here === null || !steps.has(here)) return;
  if (!keep(KEY, JSON.stringify({ ...reading(), last: here }))) return;
  const end = document.querySelector("article")?.lastElementChild;
  if (!end) return;
  let timer = 0;
  const observer = new IntersectionObserver((entries) => {
    clearTimeout(timer);
    if (!entries.at(-1)?.isIntersecting) return;
    timer = window.setTimeout(() => {
      observer.disconnect();
      const { read } = reading();
      keep(KEY, JSON.stringify({ last: here, read: [...new Set([...read, here])] } satisfies Reading));
      show();
    }, END_SEEN);
  });
  observer.observe(end);
}

/** Where to go on: the page opened last, or the one after it if that was read. */
function next({ last, read }: Reading, steps: Map<string, HTMLAnchorElement>): HTMLAnchorElement | undefined {
  const order = [...steps.keys()];
  const from = last === null ? -1 : order.indexOf(last);
  if (from < 0) return undefined;
  const unread = order.slice(from).find((page) => !read.includes(page));
  return steps.get(unread ?? (last as string));
}

function show(): void {
  const now = reading();
  const steps = chapters();
  const read = new Set(now.read.filter((page) => steps.has(page)));
  for (const mark of document.querySelectorAll(".md-nav .read, .md-nav .read-count")) mark.remove();
  for (const step of document.querySelectorAll(".md-nav--primary > ul > .md-nav__item--nested")) {
    const pages = [...pagesIn(step)].filter(([page]) => steps.has(page));
    const done = pages.filter(([page]) => read.has(page));
    for (const [, link] of done) link.append(mark(" read", "read"));
    if (done.length === 0) continue;
    step.querySelector("label")?.append(mark(` ${done.length} of ${pages.length} read`, "read-count"));
  }
  const footer = document.querySelector<HTMLElement>(".reading");
  const sentence = footer?.querySelector("p");
  if (footer && sentence) {
    footer.hidden = read.size === 0;
    sentence.textContent = `Read on this device: ${read.size} of ${steps.size} pages.`;
  }
  const goOn = next(now, steps);
  if (goOn === undefined) return;
  const home = pageAt(location.href) === "";
  for (const link of document.querySelectorAll<HTMLAnchorElement>(
    home ? "article a.md-button--primary" : "article a.go-on",
  )) {
    link.href = goOn.href;
    link.textContent = `Go on with “${titleOf(goOn)}”`;
    link.hidden = false;
  }
}

function mark(text: string, className: string): HTMLElement {
  return Object.assign(document.createElement("span"), { textContent: text, className });
}

function forget(): void {
  keep(KEY, null);
  for (const link of document.querySelectorAll<HTMLElement>("article a.go-on")) link.hidden = true;
  show();
  if (pageAt(location.href) === "") location.reload(); // its button leads to the beginning again
}
