/**
 * Gives the page for lost addresses its looks and its links where nobody told the build in which
 * folder the site lies: that page asks for this script in every folder above its address, and
 * where it is found, the site begins.
 */

{
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const site = new URL(".", src).pathname;
  const root = document.documentElement;
  const write = () => {
    root.hidden = false;
    for (const script of document.querySelectorAll("script[src$='lost.js']")) script.remove();
    const html = root.outerHTML.replace(/([=:] ?")\//g, `$1${site}`);
    document.open();
    document.write(`<!doctype html>${html}`);
    document.close();
  };
  if (site !== "/" && !root.hidden) {
    root.hidden = true; // until it has its looks
    // Not while the page still loads: Chromium would run no module of what is written then.
    addEventListener("load", () => setTimeout(write));
  }
}
