/** Where no page is: the pages whose addresses are nearest to the one asked for. */

import { element } from "./element.js";
import { pageAt, pagesIn, titleOf } from "./pages.js";

const MOST = 4;
/** The share of its letters that an address may have wrong. */
const WRONG = 0.5;

/** How many letters must change to turn one word into another. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (const [above, letter] of [...a].entries()) {
    const below = [above + 1];
    for (const [place, other] of [...b].entries()) {
      const [left, up, corner] = [below[place], row[place + 1], row[place]] as [number, number, number];
      below.push(Math.min(left + 1, up + 1, corner + (letter === other ? 0 : 1)));
    }
    row = below;
  }
  return row[b.length] as number;
}

/** How wrong an address is, if a page was meant: 0 is right, 1 has nothing in common. */
function wrongness(asked: string, page: string): number {
  const wrong = (a: string, b: string): number => distance(a, b) / Math.max(a.length, b.length, 1);
  const [last, its] = [asked, page].map((path) => path.split("/").at(-1)) as [string, string];
  // A page may have moved to another folder.
  return Math.min(wrong(asked, page), wrong(last, its) + 0.1);
}

/** An address without its escapes, unless these are what is wrong with it. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Fill the list of the nearest pages. */
export function suggest(list: HTMLElement): void {
  const plain = (path: string): string => path.toLowerCase().replace(/(\.html|\.md|\/)*$/, "");
  const asked = plain(readable(pageAt(location.href) ?? ""));
  const pages = pagesIn(document.querySelector(".md-nav--primary") ?? document);
  const nearest = [...pages]
    .map(([page, link]) => ({ link, wrong: wrongness(asked, plain(page)) }))
    .filter(({ wrong }) => wrong <= WRONG)
    .sort((a, b) => a.wrong - b.wrong)
    .slice(0, MOST);
  for (const { link } of nearest) {
    const step = link.closest(".md-nav__item--nested")?.querySelector(".md-ellipsis")?.textContent?.trim();
    const entry = element("a", titleOf(link)) as HTMLAnchorElement;
    entry.href = link.href;
    const item = document.createElement("li");
    item.append(entry, step ? `, ${step}` : "");
    list.querySelector("ul")?.append(item);
  }
  list.hidden = nearest.length === 0;
}
