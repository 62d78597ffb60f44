/**
 * The map of the package under the keys and under a finger. Its links work without this;
 * here one of them at a time can be reached by Tab, arrows lead to the others, and a line
 * below says where the one that is pointed at leads.
 */

type Way = HTMLAnchorElement | SVGAElement;

const label = (way: Way): string => way.getAttribute("aria-label") ?? `${way.textContent}, the whole file`;

export function readMap(map: HTMLElement): void {
  const said = document.createElement("a");
  map.querySelector(".said")?.append(said);
  const ways = [...map.querySelectorAll<Way>(".files a")];
  let at = ways[0] as Way;

  const tell = (way: Way): void => {
    at.setAttribute("tabindex", "-1");
    way.setAttribute("tabindex", "0");
    at.classList.remove("at");
    way.classList.add("at");
    at = way;
    said.textContent = label(way);
    said.href = way.getAttribute("href") as string;
  };
  const wayOf = (event: Event): Way | null => (event.target as Element).closest<Way>(".files a");

  for (const way of ways) way.setAttribute("tabindex", "-1");
  at.setAttribute("tabindex", "0");
  said.tabIndex = -1;
  for (const type of ["pointerover", "focusin"]) {
    map.addEventListener(type, (event) => {
      const way = wayOf(event);
      if (way !== null) tell(way);
    });
  }
  // Some lines are thinner than a finger: the first touch shows where the second would lead.
  let shown: Way | null = null;
  map.addEventListener("click", (event) => {
    const way = wayOf(event);
    const touched = event instanceof PointerEvent && event.pointerType === "touch";
    if (way === null || !touched || way === shown || !way.matches("svg a")) return;
    event.preventDefault();
    tell(way);
    shown = way;
  });
  map.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const here = ways.indexOf(at);
    const files = ways.flatMap((way, index) => (way.matches(".name") ? [index] : []));
    const to = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      ArrowRight: files.find((index) => index > here),
      ArrowLeft: files.findLast((index) => index < here),
      Home: 0,
      End: ways.length - 1,
    }[event.key];
    const way = to === undefined ? undefined : ways[to];
    if (way === undefined) return;
    event.preventDefault();
    way.focus();
  });
  map.dataset["alive"] = "";
}
