/**
 * Which pages were read to their end, and where to go on. It is kept on the reader's device
 * alone, and shown in the navigation, on Home and where a page is missing.
 */

import { SITE } from "./site.js";
import { keep, keptJson } from "./storage.js";

const KEY = "guide:reading";
const END_SEEN = 1_000; // milliseconds that the end must be in sight

interface Reading {
  /** The page of a step that was opened last. */
  last: string | null;
  /** The pages that were read to their end. */
  read: string[];
}

type Links = Map<string, HTMLAnchorElement>;

/** Where a page of the guide lies below the site's own address. */
function pageAt(address: string): string {
  return new URL(address).pathname.slice(SITE.pathname.length).replace(/(^|\/)index\.html$/, "$1");
}

/** The links to the pages of all steps, as the navigation has them, in their order. */
function chapters(): Links {
  const items = [...document.querySelectorAll(".md-nav--primary > ul > .md-nav__item--nested")];
  const steps = items.filter((item) => /^\s*Step\b/.test(item.querySelector("label")?.textContent ?? ""));
  const links = steps.flatMap((step) => [...step.querySelectorAll<HTMLAnchorElement>("a.md-nav__link[href]")]);
  return new Map(links.filter(({ hash }) => hash === "").map((link) => [pageAt(link.href), link]));
}

function reading(): Reading {
  return { last: null, read: [], ...keptJson<Partial<Reading>>(KEY) };
}

/** Follow the reading of this page, and show that of all. */
export function follow(): void {
  const here = pageAt(location.href);
  show();
  // Another tab may have read on.
  addEventListener("storage", ({ key }) => key === KEY && show());
  if (!chapters().has(here)) return;
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
function next({ last, read }: Reading, links: Links): HTMLAnchorElement | undefined {
  const order = [...links.keys()];
  const from = last === null ? -1 : order.indexOf(last);
  if (from < 0) return undefined;
  const unread = order.slice(from).find((page) => !read.includes(page));
  return links.get(unread ?? (last as string));
}

function show(): void {
  const now = reading();
  const all = chapters();
  for (const mark of document.querySelectorAll(".md-nav .read")) mark.remove();
  for (const page of now.read) {
    const mark = Object.assign(document.createElement("span"), { textContent: "✓", className: "read" });
    all.get(page)?.append(Object.assign(mark, { role: "img", ariaLabel: "read" }));
  }
  const goOn = next(now, all);
  if (goOn === undefined) return;
  const button = pageAt(location.href) === "" ? "a.md-button--primary" : "a.go-on";
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`article ${button}`)) {
    link.href = goOn.href;
    link.textContent = `Go on with “${goOn.querySelector(".md-ellipsis")?.textContent?.trim()}”`;
    link.hidden = false;
  }
}
