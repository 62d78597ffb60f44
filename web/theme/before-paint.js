/**
 * What must happen before the first paint of a page. It is a file because the content security policy
 * (weave/publish/content_security_policy.py) forbids inline scripts, and JavaScript, not TypeScript, because the theme
 * needs it where web/ is not built.
 */
"use strict";

{
  const root = document.documentElement;
  // The theme's script sets this only after the first paint: elements that are hidden without scripts would then move
  // the text, and browsers would match every style again.
  root.className = "js js-focus-visible";

  // The reader's colours, so that nothing is painted twice; web/runtime/color-scheme.ts switches them later.
  /** @type {string | null} */
  let scheme = null;
  try {
    scheme = localStorage.getItem("guide:scheme");
  } catch {
    // Without storage the system decides.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const applyScheme = () => {
    if (!document.body) return;
    document.body.dataset.mdColorScheme = scheme ?? (dark ? "slate" : "default");
    document.body.dataset.scheme = scheme ?? "system";
    observer.disconnect();
  };
  const observer = new MutationObserver(applyScheme);
  observer.observe(root, { childList: true });
}

/**
 * The globals that the theme defines in an inline script, which web/theme/partials/ leaves out: the site's root, and
 * access to storage.
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
        // Without storage nothing is saved.
      }
    },
  });
}

// The theme requests its search index on every page, though it is larger than most pages. This delays the request until
// a reader opens the search, unless the page was opened from the search: then the parameter `h` holds words to mark.
if (!new URLSearchParams(location.search).get("h")) {
  const { open } = XMLHttpRequest.prototype;
  const searchOpened = new Promise((resolve) => {
    /** @param {Event} event */
    const onEvent = ({ target }) => /** @type {Element} */ (target).closest(".md-search, #__search") && resolve(null);
    for (const type of ["focusin", "change"]) document.addEventListener(type, onEvent);
  });
  /** @param {any} request */
  XMLHttpRequest.prototype.open = function (...request) {
    Reflect.apply(open, this, request);
    if (!String(request[1]).endsWith("/search_index.json")) return;
    const { send } = this;
    this.send = (body) => void searchOpened.then(() => send.call(this, body));
  };
}

// Browsers load no modules into a page that was opened from a folder, so no control in it would work. It says so once,
// in place of the first one.
if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    const first = document.querySelector(".cell > .cell-toolbar, .widget .status");
    for (const control of document.querySelectorAll(".cell-toolbar, .widget .controls, .offline, .show-shortcuts"))
      if (control !== first) control.remove();
    if (first)
      first.textContent =
        "A page opened from a folder can’t run code: run python -m http.server in the site’s folder, and open http://localhost:8000.";
  });
}
