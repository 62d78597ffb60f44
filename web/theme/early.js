/**
 * What must happen before a page is drawn. It comes as a file, because the pages' policy
 * (weave/publish/content_security_policy.py) forbids scripts inside pages; as JavaScript and not TypeScript, because
 * the theme needs it where the web layer is not built.
 */
"use strict";

{
  const root = document.documentElement;
  // The theme's script says so after the first paint: what waits for scripts would push
  // the text about, and every rule would be matched once more.
  root.className = "js js-focus-visible";

  // The colours, so that nothing is drawn twice; web/runtime/color-scheme.ts goes on.
  /** @type {string | null} */
  let scheme = null;
  try {
    scheme = localStorage.getItem("guide:scheme");
  } catch {
    // Without storage the system decides.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const paint = () => {
    if (!document.body) return;
    document.body.dataset.mdColorScheme = scheme ?? (dark ? "slate" : "default");
    document.body.dataset.scheme = scheme ?? "system";
    begun.disconnect();
  };
  const begun = new MutationObserver(paint);
  begun.observe(root, { childList: true });
}

/**
 * What the theme's scripts expect of a script in its pages, which web/theme/partials/ leaves
 * out: where the site begins, and what is kept in this browser for it.
 */
{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript);
  const scope = new URL(".", script.src);
  Object.assign(globalThis, {
    __md_scope: scope,
    /** @param {string} text */
    __md_hash: (text) => {
      let hash = 0;
      for (const letter of text) hash = ((hash << 5) - hash + letter.charCodeAt(0)) | 0;
      return hash;
    },
    /** @param {string} name */
    __md_get: (name, storage = localStorage, within = scope) =>
      JSON.parse(storage.getItem(`${within.pathname}.${name}`) ?? "null"),
    /**
     * @param {string} name
     * @param {unknown} value
     */
    __md_set: (name, value, storage = localStorage, within = scope) => {
      try {
        storage.setItem(`${within.pathname}.${name}`, JSON.stringify(value));
      } catch {
        // Without storage nothing is kept.
      }
    },
  });
}

// The theme asks for the index of its search on every page, though it weighs more than most
// pages. Here the request waits until somebody turns to the search, or comes from it: then
// `h` names the words to mark.
if (!new URLSearchParams(location.search).get("h")) {
  const { open } = XMLHttpRequest.prototype;
  const turned = new Promise((resolve) => {
    /** @param {Event} event */
    const see = ({ target }) => /** @type {Element} */ (target).closest(".md-search, #__search") && resolve(null);
    for (const type of ["focusin", "change"]) document.addEventListener(type, see);
  });
  /** @param {any} request */
  XMLHttpRequest.prototype.open = function (...request) {
    Reflect.apply(open, this, request);
    if (!String(request[1]).endsWith("/search_index.json")) return;
    const { send } = this;
    this.send = (body) => void turned.then(() => send.call(this, body));
  };
}

// Browsers give no modules to a page that was opened from a folder. So nothing in it would answer,
// and it says so once, where a reader would press.
if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    const first = document.querySelector(".cell > .bar, .widget .state");
    for (const dead of document.querySelectorAll(".bar, .widget .controls, .offline, .show-keys"))
      if (dead !== first) dead.remove();
    if (first)
      first.textContent =
        "A page opened from a folder can’t run code: call python -m http.server in the site’s folder, and open http://localhost:8000.";
  });
}
