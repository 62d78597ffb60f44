/**
 * Cards that explain a link. Where a page first uses a term of the glossary, the term is a
 * link whose title says what it means: the title becomes a card that keys and fingers can
 * open too. A link to another page of the guide gets a card with what that page is about,
 * for mouse and keys. A card stays while pointer or focus are on the link or on it, and goes
 * with Escape.
 */

import { pageAt } from "./pages.js";

const OPENING = 200; // milliseconds: a pointer on its way elsewhere opens nothing
const OPENING_PAGE = 450; // what must be fetched, opens for who stays
const CLOSING = 250; // enough for the way from the term to its card
const EDGE = 8; // pixels between card and screen

export function cards(): void {
  const all = document.querySelectorAll<HTMLAnchorElement>("a.term[title]");
  const main = document.querySelector(".md-content");
  if (main === null || !("popover" in HTMLElement.prototype)) return;
  const meanings = new Map<Element, string>();
  for (const term of all) {
    meanings.set(term, term.title);
    term.removeAttribute("title"); // or the browser would show it as well
  }
  const card = document.createElement("div");
  card.className = "link-card";
  card.id = "link-card";
  card.role = "tooltip";
  card.popover = "manual";
  main.append(card);

  let shown: Element | null = null;
  let timer = 0;
  let touched = false;
  const here = pageAt(location.href);
  const linkAt = ({ target }: Event): HTMLAnchorElement | null => {
    const link = target instanceof Element ? target.closest<HTMLAnchorElement>("article a[href]") : null;
    if (link === null || meanings.has(link)) return link;
    const page = link.closest("nav, .md-button, [download]") ? null : pageAt(link.href);
    return page !== null && page !== here && /(^|\/)$/.test(page) ? link : null;
  };
  const hide = (): void => {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    card.hidePopover();
  };
  const show = async (link: HTMLAnchorElement): Promise<void> => {
    clearTimeout(timer);
    if (shown === link) return;
    hide();
    shown = link;
    const meaning = meanings.get(link);
    if (meaning === undefined) {
      const { pageSummary } = await import("./page-summary.js");
      const said = await pageSummary(link.href);
      if (shown !== link || said.length === 0) return;
      card.replaceChildren(...said);
    } else card.textContent = meaning;
    card.classList.toggle("of-page", meaning === undefined);
    link.setAttribute("aria-describedby", card.id);
    card.showPopover();
    const at = link.getClientRects()[0] ?? link.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = Math.max(EDGE, Math.min(at.left, document.documentElement.clientWidth - width - EDGE));
    const fits = at.bottom + height + EDGE <= innerHeight || at.top < height + EDGE;
    const top = fits ? at.bottom + 4 : at.top - height - 4;
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${top + scrollY}px`;
  };
  const explain = (link: HTMLAnchorElement): void => void show(link).catch(console.warn);
  const later = (act: () => void, wait: number): void => {
    clearTimeout(timer);
    timer = window.setTimeout(act, wait);
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const link = linkAt(event);
    if (link) later(() => explain(link), meanings.has(link) ? OPENING : OPENING_PAGE);
    else if (card.contains(event.target as Node)) clearTimeout(timer);
    else if (shown !== document.activeElement) later(hide, CLOSING);
  });
  document.addEventListener("focusin", (event) => {
    const link = linkAt(event);
    if (link?.matches(":focus-visible")) explain(link);
    else if (!touched) hide();
  });
  document.addEventListener("focusout", () => !touched && hide());
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType !== "mouse";
    if (shown && linkAt(event) !== shown && !card.contains(event.target as Node)) hide();
  });
  // The first tap explains, the second follows the link; a tap on the card puts it away.
  document.addEventListener("click", (event) => {
    const link = linkAt(event);
    if (touched && card.contains(event.target as Node)) hide();
    if (link === null || !touched || link === shown || !meanings.has(link)) return;
    event.preventDefault();
    explain(link);
  });
  document.addEventListener("keydown", (event) => {
    touched = false;
    if (event.key === "Escape") hide();
  });
}
