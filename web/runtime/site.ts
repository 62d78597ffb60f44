/** Where the site lies, and which of its pages an address means. */

export const SITE = new URL("../", import.meta.url);

/** Where a page lies below the site's own address, or nothing if it is of another site. */
export function pageAt(address: string): string | null {
  const { origin, pathname } = new URL(address, location.href);
  if (origin !== SITE.origin || !pathname.startsWith(SITE.pathname)) return null;
  return pathname.slice(SITE.pathname.length).replace(/(^|\/)index\.html$/, "$1");
}

/** The links of the navigation to pages of steps, in their order, by page. */
export function chapters(): Map<string, HTMLAnchorElement> {
  const found = new Map<string, HTMLAnchorElement>();
  for (const step of document.querySelectorAll(".md-nav--primary > ul > .md-nav__item--nested")) {
    if (!/^\s*Step\b/.test(step.querySelector("label")?.textContent ?? "")) continue;
    for (const [page, link] of pagesIn(step)) found.set(page, link);
  }
  return found;
}

/** The links of the navigation to pages, in their order, by page. */
export function pagesIn(part: ParentNode): Map<string, HTMLAnchorElement> {
  const found = new Map<string, HTMLAnchorElement>();
  for (const link of part.querySelectorAll<HTMLAnchorElement>("a.md-nav__link[href]")) {
    const page = link.hash === "" ? pageAt(link.href) : null;
    if (page !== null) found.set(page, link);
  }
  return found;
}

/** The title of a page as the navigation has it. */
export function titleOf(link: HTMLAnchorElement): string {
  return link.querySelector(".md-ellipsis")?.textContent?.trim() ?? "";
}
