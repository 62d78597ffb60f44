/** What another page of the guide is about: its step, its title and its first paragraph. */

import { element } from "./element.js";

const known = new Map<string, Promise<Node[]>>();

/** What a card says of an address; nothing, if its page cannot be had. */
export function pageSummary(address: string): Promise<Node[]> {
  const found = known.get(address) ?? read(new URL(address));
  known.set(address, found);
  return found;
}

async function read(address: URL): Promise<Node[]> {
  try {
    const answer = await fetch(address.pathname);
    if (!answer.ok) return [];
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const named = page.getElementById(decodeURIComponent(address.hash.slice(1)));
    const title = named?.matches("h2, h3") ? named : page.querySelector("article h1");
    if (!title) return [];
    const listed = named?.querySelector(".names")?.textContent;
    let first = named?.matches("figure") ? named.querySelector("figcaption") : title.nextElementSibling;
    while (first && !first.matches("p:not(.where), figcaption")) first = first.nextElementSibling;
    const where = page.querySelector("article .where");
    where?.querySelector("a")?.remove(); // it leads to the page's notebook
    where?.querySelector("span")?.prepend("· "); // which a style puts there on the page
    const step = where ? plain(where) : "";
    return [
      element("small", step),
      element("strong", listed ?? plain(title)),
      element("span", first ? plain(first) : ""),
    ];
  } catch {
    known.delete(address.href); // perhaps there is a network the next time
    return [];
  }
}

/** The text of an element, without the sign of its link; formulas as they read aloud. */
function plain(element: Element): string {
  for (const sign of element.querySelectorAll(".headerlink, annotation")) sign.remove();
  return element.textContent?.trim().replace(/\s+/g, " ") ?? "";
}
