/** What keys do, told in a dialog; and the choice to have none of a single letter. */

import { element } from "./element.js";
import { SINGLE_KEYS } from "./single-keys.js";

const KEYS: [string, string][] = [
  ["/", "search"],
  ["n", "the next page"],
  ["p", "the page before"],
  ["?", "this help"],
  ["Shift+Enter, Ctrl+Enter", "run the block of code that has the focus"],
  ["Escape", "close what is open; leave the editor, then Tab goes on"],
  ["↑ ↓ on a block’s #", "choose a line of the block, for a link to it; with Shift, more lines"],
];

let dialog: HTMLDialogElement | null = null;

/** Show the dialog. */
export function showShortcuts(): void {
  dialog ??= made();
  dialog.showModal();
}

function made(): HTMLDialogElement {
  const made = document.createElement("dialog");
  made.className = "keys md-typeset";
  made.setAttribute("aria-labelledby", "keys-title");
  const title = element("h2", "Keyboard shortcuts");
  title.id = "keys-title";
  const list = document.createElement("dl");
  for (const [keys, does] of KEYS) {
    const names = document.createElement("dt");
    for (const [place, key] of keys.split(", ").entries()) names.append(place ? " or " : "", element("kbd", key));
    list.append(names, element("dd", does));
  }
  const choice = document.createElement("input");
  choice.type = "checkbox";
  choice.checked = SINGLE_KEYS.on;
  choice.addEventListener("change", () => (SINGLE_KEYS.on = choice.checked));
  const label = document.createElement("label");
  label.append(choice, " Keys of a single letter or sign work");
  const close = element("button", "Close");
  close.addEventListener("click", () => made.close());
  made.addEventListener("click", (event) => event.target === made && made.close()); // beside it
  made.append(title, list, label, close);
  document.body.append(made);
  return made;
}
