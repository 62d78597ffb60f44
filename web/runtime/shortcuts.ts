/**
 * The dialog that lists keyboard shortcuts, and its option to disable those of a single character, which voice control
 * and slips can press.
 */

import { loadItem, saveItem } from "./storage.js";

const SHORTCUTS_STORAGE_KEY = "guide:keys";
const DISABLED_VALUE = "off";

/** Open the dialog by its button or "?", and apply its option. */
export function initShortcutsDialog(): void {
  const dialog = document.querySelector<HTMLDialogElement>("dialog.shortcuts");
  const checkbox = dialog?.querySelector("input");
  if (!dialog || !checkbox) return;
  checkbox.checked = loadItem(SHORTCUTS_STORAGE_KEY) !== DISABLED_VALUE;
  // Without storage the choice holds for this page.
  checkbox.addEventListener("change", () => saveItem(SHORTCUTS_STORAGE_KEY, checkbox.checked ? null : DISABLED_VALUE));
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close()); // beside it
  document.querySelector(".show-shortcuts")?.addEventListener("click", () => dialog.showModal());
  // The theme listens at the window, where events come last.
  document.addEventListener("keydown", (event) => {
    // The theme's tooltips stay until the mouse or the focus leaves.
    if (event.key === "Escape") document.querySelector(".md-tooltip2--active")?.classList.remove("md-tooltip2--active");
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest("input, textarea, select, [contenteditable]")) return;
    if (!checkbox.checked) event.stopPropagation();
    else if (event.key === "?") {
      event.preventDefault();
      dialog.showModal();
    }
  });
}
