/**
 * Remembers, on the reader's device alone, which pages were read to their end, and shows in the navigation, on Home and
 * on the page for missing addresses where to continue.
 */

import { SITE_URL } from "./site-url.js";
import { loadJson, saveItem } from "./storage.js";

const PROGRESS_STORAGE_KEY = "guide:reading";
/** A page counts as read when its end was visible for this long. */
const END_VISIBLE_MS = 1_000;

/** Paths of pages below the site's root. */
interface ReadingProgress {
  /** The page of a step that was opened last. */
  last: string | null;
  /** The pages that were read to their end. */
  read: string[];
}

type LinksByPath = Map<string, HTMLAnchorElement>;

/** Return the path of a page below the site's root. */
function pagePath(url: string): string {
  return new URL(url).pathname.slice(SITE_URL.pathname.length).replace(/(^|\/)index\.html$/, "$1");
}

/** Return the navigation's links to the pages of all steps, in their order. */
function findStepPageLinks(): LinksByPath {
  const items = [...document.querySelectorAll(".md-nav--primary > ul > .md-nav__item--nested")];
  const steps = items.filter((item) => /^\s*Step\b/.test(item.querySelector("label")?.textContent ?? ""));
  const links = steps.flatMap((step) => [...step.querySelectorAll<HTMLAnchorElement>("a.md-nav__link[href]")]);
  return new Map(links.filter(({ hash }) => hash === "").map((link) => [pagePath(link.href), link]));
}

function loadProgress(): ReadingProgress {
  return { last: null, read: [], ...loadJson<Partial<ReadingProgress>>(PROGRESS_STORAGE_KEY) };
}

/** Show the progress, and record when this page has been read to its end. */
export function trackReading(): void {
  const path = pagePath(location.href);
  renderProgress();
  // Another tab may have recorded progress.
  addEventListener("storage", ({ key }) => key === PROGRESS_STORAGE_KEY && renderProgress());
  if (!findStepPageLinks().has(path)) return;
  if (!saveItem(PROGRESS_STORAGE_KEY, JSON.stringify({ ...loadProgress(), last: path }))) return;
  const end = document.querySelector("article")?.lastElementChild;
  if (!end) return;
  let timer = 0;
  const observer = new IntersectionObserver((entries) => {
    clearTimeout(timer);
    if (!entries.at(-1)?.isIntersecting) return;
    timer = window.setTimeout(() => {
      observer.disconnect();
      const read = [...new Set([...loadProgress().read, path])];
      saveItem(PROGRESS_STORAGE_KEY, JSON.stringify({ last: path, read } satisfies ReadingProgress));
      renderProgress();
    }, END_VISIBLE_MS);
  });
  observer.observe(end);
}

/** Return the link to the page where to continue: the one opened last, or the next that was not read. */
function linkToContinueReading({ last, read }: ReadingProgress, links: LinksByPath): HTMLAnchorElement | undefined {
  const paths = [...links.keys()];
  const start = last === null ? -1 : paths.indexOf(last);
  if (start < 0) return undefined;
  const unread = paths.slice(start).find((page) => !read.includes(page));
  return links.get(unread ?? (last as string));
}

/** Tick the pages that were read in the navigation, and link to the one where to continue. */
function renderProgress(): void {
  const progress = loadProgress();
  const links = findStepPageLinks();
  for (const mark of document.querySelectorAll(".md-nav .read-mark")) mark.remove();
  for (const page of progress.read) {
    const mark = Object.assign(document.createElement("span"), { textContent: "✓", className: "read-mark" });
    links.get(page)?.append(Object.assign(mark, { role: "img", ariaLabel: "read" }));
  }
  const next = linkToContinueReading(progress, links);
  if (next === undefined) return;
  const button = pagePath(location.href) === "" ? "a.md-button--primary" : "a.continue-reading";
  for (const link of document.querySelectorAll<HTMLAnchorElement>(`article ${button}`)) {
    link.href = next.href;
    link.textContent = `Go on with “${next.querySelector(".md-ellipsis")?.textContent?.trim()}”`;
    link.hidden = false;
  }
}
