/**
 * Cards that explain terms. Where a page first uses a term of the glossary, the term is a
 * link whose title says what it means: the title becomes a card that keys and fingers can
 * open too. A card stays while pointer or focus are on the term or on it, and goes with Escape.
 */

const OPENING = 200; // milliseconds: a pointer on its way elsewhere opens nothing
const CLOSING = 250; // enough for the way from the term to its card
const EDGE = 8; // pixels between card and screen

export function termCards(): void {
  const main = document.querySelector(".md-content");
  if (main === null || !("popover" in HTMLElement.prototype)) return;
  const meanings = new Map<Element, string>();
  for (const term of document.querySelectorAll<HTMLElement>("a.term[title]")) {
    meanings.set(term, term.title);
    term.removeAttribute("title"); // or the browser would show it as well
  }
  const card = document.createElement("div");
  card.className = "term-card";
  card.id = "term-card";
  card.role = "tooltip";
  card.popover = "manual";
  main.append(card);

  let shown: Element | null = null;
  let timer = 0;
  let touched = false;
  const termAt = ({ target }: Event): Element | null => (target instanceof Element ? target.closest("a.term") : null);
  const hide = (): void => {
    clearTimeout(timer);
    shown?.removeAttribute("aria-describedby");
    shown = null;
    card.hidePopover();
  };
  const show = (term: Element): void => {
    clearTimeout(timer);
    if (shown === term) return;
    hide();
    shown = term;
    card.textContent = meanings.get(term) ?? "";
    term.setAttribute("aria-describedby", card.id);
    card.showPopover();
    const at = term.getClientRects()[0] ?? term.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = card;
    const left = Math.max(EDGE, Math.min(at.left, document.documentElement.clientWidth - width - EDGE));
    const fits = at.bottom + height + EDGE <= innerHeight || at.top < height + EDGE;
    const top = fits ? at.bottom + 4 : at.top - height - 4;
    card.style.left = `${left + scrollX}px`;
    card.style.top = `${top + scrollY}px`;
  };
  const later = (act: () => void, wait: number): void => {
    clearTimeout(timer);
    timer = window.setTimeout(act, wait);
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const term = termAt(event);
    if (term) later(() => show(term), OPENING);
    else if (card.contains(event.target as Node)) clearTimeout(timer);
    else if (shown !== document.activeElement) later(hide, CLOSING);
  });
  document.addEventListener("focusin", (event) => {
    const term = termAt(event);
    if (term?.matches(":focus-visible")) show(term);
    else if (!touched) hide();
  });
  document.addEventListener("focusout", () => !touched && hide());
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType !== "mouse";
    if (shown && termAt(event) !== shown && !card.contains(event.target as Node)) hide();
  });
  // The first tap explains, the second follows the link; a tap on the card puts it away.
  document.addEventListener("click", (event) => {
    const term = termAt(event);
    if (touched && card.contains(event.target as Node)) hide();
    if (term === null || !touched || term === shown) return;
    event.preventDefault();
    show(term);
  });
  document.addEventListener("keydown", (event) => {
    touched = false;
    if (event.key === "Escape") hide();
  });
}
