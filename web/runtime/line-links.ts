/**
 * Links to lines of a block: `#block-2:L3`, `#listing-dot:L5-L7`, and `#L12-L18` where a
 * page is a whole file. Lines of the package have their numbers in the file.
 */

const LINES = /^#(?:(.+):)?L(\d+)(?:-L(\d+))?$/;
const CHOSEN = "chosen";
const BLOCKS = ".cell, .listing, .changes, .shown, .source-page";

type Lines = Map<number, HTMLElement>;

/** The lines of a block by their numbers. */
function linesOf(block: Element): Lines {
  const found: Lines = new Map();
  if (block.matches(".source-page")) {
    for (const row of block.querySelectorAll<HTMLElement>(".row")) found.set(Number(row.id.slice(1)), row);
    return found;
  }
  const code = block.querySelector(".highlight code");
  for (const [place, line] of [...(code?.querySelectorAll<HTMLElement>(":scope > span[id]") ?? [])].entries()) {
    const number = line.querySelector<HTMLElement>("[data-linenos]")?.dataset["linenos"];
    found.set(number === undefined ? place + 1 : Number(number), line);
  }
  return found;
}

function blockNamed(name: string | undefined): Element | null {
  if (name === undefined) return document.querySelector(".source-page");
  return document.getElementById(decodeURIComponent(name));
}

/** Mark the lines that the address names, and bring the first into sight. */
export function showLines(scroll = true): void {
  for (const line of document.querySelectorAll(`.${CHOSEN}`)) line.classList.remove(CHOSEN);
  const named = LINES.exec(location.hash);
  const block = named && blockNamed(named[1]);
  if (!named || !block) return;
  const [first, last] = [Number(named[2]), Number(named[3] ?? named[2])];
  const chosen = [...linesOf(block)].filter(([number]) => number >= first && number <= last);
  for (const [, line] of chosen) line.classList.add(CHOSEN);
  if (scroll) chosen[0]?.[1].scrollIntoView({ block: "center" });
}

/** Put lines of a block into the address. */
function choose(block: Element, one: number, other = one): void {
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  const name = block.id ? `${block.id}:` : "";
  const range = first === last ? "" : `-L${last}`;
  history.replaceState(history.state, "", `#${name}L${first}${range}`);
  showLines(false);
}

/** The lines of a block that the address names: where the choice began, and its end. */
function chosenIn(block: Element): [number, number] | null {
  const named = LINES.exec(location.hash);
  if (!named || blockNamed(named[1]) !== block) return null;
  return [Number(named[2]), Number(named[3] ?? named[2])];
}

/** A line's number was clicked, in a listing or a file: that line, or with Shift to that. */
export function numberClicked(target: Element, shift: boolean): void {
  const block = target.closest(BLOCKS) as Element;
  const line = target.closest(".row, code > span[id]");
  const number = [...linesOf(block)].find(([, element]) => element === line)?.[0];
  if (number !== undefined) choose(block, shift ? (chosenIn(block)?.[0] ?? number) : number, number);
}

/** The link of a block was followed while something is selected: perhaps lines of the block. */
export function linkClicked(link: Element): void {
  const block = link.closest(BLOCKS);
  if (!block) return;
  const selection = getSelection();
  const numbers = [...linesOf(block)].filter(([, line]) => selection?.containsNode(line, true)).map(([n]) => n);
  if (numbers.length > 0) choose(block, Math.min(...numbers), Math.max(...numbers));
}

let began: [Element, number, number] | null = null;

/** An arrow was pressed on the link of a block. */
export function arrowPressed({ key, shiftKey }: KeyboardEvent, link: Element): void {
  const block = link.closest(BLOCKS);
  const numbers = block ? [...linesOf(block).keys()] : [];
  if (!block || numbers.length === 0) return;
  const down = key === "ArrowDown" ? 1 : -1;
  const [start, end] = began?.[0] === block ? [began[1], began[2]] : (chosenIn(block) ?? [undefined, undefined]);
  const place = end === undefined ? (down > 0 ? 0 : numbers.length - 1) : numbers.indexOf(end) + down;
  const now = numbers[Math.max(0, Math.min(numbers.length - 1, place))] as number;
  const from = shiftKey && start !== undefined ? start : now;
  began = [block, from, now];
  choose(block, from, now);
}
