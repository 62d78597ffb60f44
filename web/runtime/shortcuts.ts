/**
 * The help with what keys do, and the choice to have none of a single letter or sign, which
 * speech and slips can press.
 */

import { keep, kept } from "./storage.js";

const KEY = "guide:keys";
const OFF = "off";

export function shortcuts(): void {
  const dialog = document.querySelector<HTMLDialogElement>("dialog.keys");
  const choice = dialog?.querySelector("input");
  if (!dialog || !choice) return;
  choice.checked = kept(KEY) !== OFF;
  // Without storage the choice holds for this page.
  choice.addEventListener("change", () => keep(KEY, choice.checked ? null : OFF));
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close()); // beside it
  document.querySelector(".show-keys")?.addEventListener("click", () => dialog.showModal());
  // The theme listens at the window, where events come last.
  document.addEventListener("keydown", (event) => {
    // The theme's tooltips stay until the mouse or the focus leaves.
    if (event.key === "Escape") document.querySelector(".md-tooltip2--active")?.classList.remove("md-tooltip2--active");
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest("input, textarea, select, [contenteditable]")) return;
    if (!choice.checked) event.stopPropagation();
    else if (event.key === "?") {
      event.preventDefault();
      dialog.showModal();
    }
  });
}
