/**
 * Makes elements that can overflow reachable with the Tab key, with an accessible name, while they have something to
 * scroll. (In the HTML all of them are reachable, for readers without scripts.)
 */

const SCROLLABLE_SELECTOR = ":is(.canvas, .formula, .source-page, pre.output, pre > code, .widget .code)";
/** Accessible names by content, for elements without a caption. */
const ACCESSIBLE_NAMES: [selector: string, name: string][] = [
  ["pre.output, pre.output > code", "Output"],
  ["pre > code", "Code"],
  [".formula", "Formula"],
  [".source-page", "Source"],
  [":has(> table)", "Table"],
  [SCROLLABLE_SELECTOR, "Picture"],
];

const resizeObserver = new ResizeObserver((entries) => updateTabStopsAround(entries.map(({ target }) => target)));
// Output can grow wider than its element without resizing that.
const outputObserver = new MutationObserver((changes) => updateTabStopsAround(changes.map(({ target }) => target)));

/** Update the tab stops in a part of the page now, and whenever sizes change. */
export function watchScrollables(part: ParentNode): void {
  for (const element of part.querySelectorAll<HTMLElement>(SCROLLABLE_SELECTOR)) {
    resizeObserver.observe(element);
    if (element.firstElementChild) resizeObserver.observe(element.firstElementChild);
    if (element.matches("pre.output")) outputObserver.observe(element, { childList: true, subtree: true });
  }
}

/** Add or remove the tab stops of the scrollable elements around nodes that have changed. */
function updateTabStopsAround(changedNodes: Node[]): void {
  const scrollables = new Set<HTMLElement>();
  for (const node of changedNodes) {
    const within = node instanceof Element ? node : node.parentElement;
    const inner = within?.closest<HTMLElement>(SCROLLABLE_SELECTOR);
    const outer = inner?.parentElement?.closest<HTMLElement>(SCROLLABLE_SELECTOR);
    if (inner) scrollables.add(inner);
    if (outer) scrollables.add(outer);
  }
  // Measure all of them before changing one: the browser would lay out the page again for each.
  const measured = [...scrollables].map((element) => [element, isOverflowing(element)] as const);
  for (const [element, overflows] of measured) {
    if (overflows && !element.hasAttribute("tabindex")) element.tabIndex = 0;
    if (overflows && !element.hasAttribute("role")) {
      element.setAttribute("role", "group");
      element.setAttribute("aria-label", accessibleName(element));
    }
    if (!overflows && element !== document.activeElement) element.removeAttribute("tabindex");
  }
}

function isOverflowing({ scrollWidth, scrollHeight, clientWidth, clientHeight }: HTMLElement): boolean {
  // One pixel can be a rounding error.
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
}

/** Return the caption of an element's figure, or else what it shows and of which block. */
function accessibleName(element: HTMLElement): string {
  const caption = element.closest("figure")?.querySelector("figcaption")?.textContent;
  if (caption) return caption;
  const content = ACCESSIBLE_NAMES.find(([selector]) => element.matches(selector))?.[1] ?? "";
  const block = element.closest(".cell")?.id.replace("-", " ");
  return block ? `${content} of ${block}` : content;
}
