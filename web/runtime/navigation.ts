/**
 * The navigation of small screens, which the theme opens with a label: no key reaches that.
 * Here the label becomes a button; a key that opens the drawer goes into it, and Escape
 * goes back a level and then out.
 */

/** Let keys open, walk and leave the drawer. Without scripts it opens when a link in it has the focus. */
export function navigationByKeys(): void {
  const open = document.querySelector<HTMLInputElement>("#__drawer");
  const label = document.querySelector<HTMLElement>(".md-header [for=__drawer]");
  const menu = document.querySelector<HTMLElement>(".md-sidebar--primary");
  if (!open || !label || !menu) return;

  const button = document.createElement("button");
  button.type = "button";
  button.className = `show-navigation ${label.className}`;
  button.ariaLabel = "Navigation";
  button.ariaExpanded = String(open.checked);
  button.append(...label.childNodes);
  label.replaceWith(button);

  button.addEventListener("click", () => open.click());
  open.addEventListener("change", () => {
    button.ariaExpanded = String(open.checked);
    if (open.checked && button.matches(":focus-visible")) enter(level(menu)?.parentElement ?? menu);
  });
  menu.addEventListener("change", ({ target }) => {
    const { checked, parentElement: item } = target as HTMLInputElement;
    if (checked && item?.querySelector(":scope > label:focus-visible")) enter(item);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !open.checked) return;
    const left = level(menu);
    const back = left?.parentElement?.querySelector<HTMLElement>(":scope > label") ?? button;
    (left ?? open).click();
    back.tabIndex = 0; // the theme has none for the section that one reads
    back.focus();
  });
  menu.addEventListener("focusout", ({ relatedTarget }) => {
    if (open.checked && relatedTarget && !menu.contains(relatedTarget as Node)) open.click();
  });
}

/** The deepest level that is open. */
function level(menu: HTMLElement): HTMLInputElement | undefined {
  return [...menu.querySelectorAll<HTMLInputElement>(".md-nav__toggle:checked")].at(-1);
}

function enter(item: HTMLElement): void {
  const link = item.querySelector<HTMLElement>(":scope .md-nav__list :is(a, label[tabindex])");
  link?.focus({ preventScroll: true }); // it is sliding in
}
