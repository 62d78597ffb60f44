/**
 * What may be wider or longer than its frame: a stop for the Tab key, with a name, while
 * there is something to scroll, and none otherwise. Pages come with the stops, for readers
 * without scripts.
 */

const FRAMES = ":is(.canvas, .formula, .source-page, pre.output, pre > code, .widget :is(.code, .scroll))";
/** What a frame holds, where nothing on the page names it. */
const HOLDS: [selector: string, name: string][] = [
  ["pre.output, pre.output > code", "Output"],
  ["pre > code", "Code"],
  [".formula", "Formula"],
  [".source-page", "Source"],
  [":has(> table)", "Table"],
  [FRAMES, "Picture"],
];

const sizes = new ResizeObserver((entries) => {
  for (const { target } of entries) settle(target);
});
// What a block prints may grow wider without a change of its size.
const prints = new MutationObserver((changes) => {
  for (const { target } of changes) settle(target);
});

/** Look after the frames in a part of the page, now and whenever sizes change. */
export function watchFrames(part: ParentNode): void {
  for (const frame of part.querySelectorAll<HTMLElement>(FRAMES)) {
    sizes.observe(frame);
    if (frame.firstElementChild) sizes.observe(frame.firstElementChild);
    if (frame.matches("pre.output")) prints.observe(frame, { childList: true, subtree: true });
  }
}

/** Settle whether the frames around an element are stops. */
function settle(within: Node): void {
  const inner = (within instanceof Element ? within : within.parentElement)?.closest<HTMLElement>(FRAMES);
  if (!inner) return;
  for (const frame of new Set([inner, inner.parentElement?.closest<HTMLElement>(FRAMES) ?? inner])) {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = frame;
    // A pixel may be a matter of rounding.
    if (scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1) {
      frame.tabIndex = 0;
      if (frame.hasAttribute("role")) continue;
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", nameOf(frame));
    } else if (frame !== document.activeElement) {
      frame.removeAttribute("tabindex");
    }
  }
}

function nameOf(frame: HTMLElement): string {
  const caption = frame.closest("figure")?.querySelector("figcaption")?.textContent;
  if (caption) return caption;
  const holds = HOLDS.find(([selector]) => frame.matches(selector))?.[1] ?? "";
  const block = frame.closest(".cell")?.id.replace("-", " ");
  return block ? `${holds} of ${block}` : holds;
}
