/**
 * What may be wider or longer than its frame: a stop for the Tab key, with a name, while
 * there is something to scroll, and none otherwise. Pages come with the stops, for readers
 * without scripts.
 */

const FRAMES = ":is(.canvas, .formula, .source-page, pre.output, pre > code, .widget .code)";
/** What a frame holds, where nothing on the page names it. */
const HOLDS: [selector: string, name: string][] = [
  ["pre.output, pre.output > code", "Output"],
  ["pre > code", "Code"],
  [".formula", "Formula"],
  [".source-page", "Source"],
  [":has(> table)", "Table"],
  [FRAMES, "Picture"],
];

const sizes = new ResizeObserver((entries) => settle(entries.map(({ target }) => target)));
// What a block prints may grow wider without a change of its size.
const prints = new MutationObserver((changes) => settle(changes.map(({ target }) => target)));

/** Look after the frames in a part of the page, now and whenever sizes change. */
export function watchFrames(part: ParentNode): void {
  for (const frame of part.querySelectorAll<HTMLElement>(FRAMES)) {
    sizes.observe(frame);
    if (frame.firstElementChild) sizes.observe(frame.firstElementChild);
    if (frame.matches("pre.output")) prints.observe(frame, { childList: true, subtree: true });
  }
}

/** Settle whether the frames around what has changed are stops. */
function settle(changed: Node[]): void {
  const frames = new Set<HTMLElement>();
  for (const node of changed) {
    const within = node instanceof Element ? node : node.parentElement;
    const inner = within?.closest<HTMLElement>(FRAMES);
    const outer = inner?.parentElement?.closest<HTMLElement>(FRAMES);
    if (inner) frames.add(inner);
    if (outer) frames.add(outer);
  }
  // All are measured before one is changed: else the page would be laid out anew for each.
  for (const [frame, stop] of [...frames].map((frame) => [frame, scrolls(frame)] as const)) {
    if (stop && !frame.hasAttribute("tabindex")) frame.tabIndex = 0;
    if (stop && !frame.hasAttribute("role")) {
      frame.setAttribute("role", "group");
      frame.setAttribute("aria-label", nameOf(frame));
    }
    if (!stop && frame !== document.activeElement) frame.removeAttribute("tabindex");
  }
}

function scrolls({ scrollWidth, scrollHeight, clientWidth, clientHeight }: HTMLElement): boolean {
  // A pixel may be a matter of rounding.
  return scrollWidth > clientWidth + 1 || scrollHeight > clientHeight + 1;
}

function nameOf(frame: HTMLElement): string {
  const caption = frame.closest("figure")?.querySelector("figcaption")?.textContent;
  if (caption) return caption;
  const holds = HOLDS.find(([selector]) => frame.matches(selector))?.[1] ?? "";
  const block = frame.closest(".cell")?.id.replace("-", " ");
  return block ? `${holds} of ${block}` : holds;
}
