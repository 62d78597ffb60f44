/**
 * Which pages were read to their end, and where to go on. It is kept on the reader's device
 * alone, and shown in the navigation, in the footer, on Home and where a page is missing.
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

/** The steps as the navigation has them: the label of each, and the links to its pages, by page. */
function steps(): [label: Element, links: Links][] {
  const items = [...document.querySelectorAll(".md-nav--primary > ul > .md-nav__item--nested")];
  const found = items.map((item): [Element, Links] => {
    const links = [...item.querySelectorAll<HTMLAnchorElement>("a.md-nav__link[href]")];
    const pages = links.filter(({ hash }) => hash === "").map((link) => [pageAt(link.href), link] as const);
    return [item.querySelector("label") as Element, new Map(pages)];
  });
  return found.filter(([label]) => /^\s*Step\b/.test(label.textContent ?? ""));
}

/** The links of all steps, in their order. */
const chapters = (): Links => new Map(steps().flatMap(([, links]) => [...links]));

function reading(): Reading {
  return { last: null, read: [], ...keptJson<Partial<Reading>>(KEY) };
}

/** Follow the reading of this page, and show that of all. */
export function follow(): void {
  const here = pageAt(location.href);
  show();
  document.querySelector(".reading button")?.addEventListener("click", forget);
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
  const read = new Set(now.read.filter((page) => all.has(page)));
  for (const mark of document.querySelectorAll(".md-nav .read, .md-nav .read-count")) mark.remove();
  for (const [label, links] of steps()) {
    const done = [...links].filter(([page]) => read.has(page));
    for (const [, link] of done) link.append(mark("✓", "read", "read"));
    if (done.length > 0) label.append(mark(` ${done.length} of ${links.size} read`, "read-count"));
  }
  const footer = document.querySelector<HTMLElement>(".reading");
  const sentence = footer?.querySelector("p");
  if (footer && sentence) {
    footer.hidden = read.size === 0;
    sentence.textContent = `Read on this device: ${read.size} of ${all.size} pages.`;
  }
  const goOn = next(now, all);
  if (goOn === undefined) return;
  const home = pageAt(location.href) === "";
  for (const link of document.querySelectorAll<HTMLAnchorElement>(
    home ? "article a.md-button--primary" : "article a.go-on",
  )) {
    link.href = goOn.href;
    link.textContent = `Go on with “${goOn.querySelector(".md-ellipsis")?.textContent?.trim()}”`;
    link.hidden = false;
  }
}

/** A few letters beside a link, and what they are called if that is something else. */
function mark(textContent: string, className: string, ariaLabel?: string): HTMLElement {
  const named = ariaLabel === undefined ? {} : { role: "img", ariaLabel };
  return Object.assign(document.createElement("span"), { textContent, className, ...named });
}

function forget(): void {
  keep(KEY, null);
  for (const link of document.querySelectorAll<HTMLElement>("article a.go-on")) link.hidden = true;
  show();
  if (pageAt(location.href) === "") location.reload(); // its button leads to the beginning again
}
