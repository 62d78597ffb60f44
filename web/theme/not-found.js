/**
 * Repairs styles and links of the page for missing addresses where the build doesn't know the site's folder. That page
 * requests this script from every folder above its address; the folder that has it is the site's root.
 */

{
  const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
  const site = new URL(".", src).pathname;
  const root = document.documentElement;
  const rewritePage = () => {
    root.hidden = false;
    for (const script of document.querySelectorAll("script[src$='not-found.js']")) script.remove();
    const html = root.outerHTML.replace(/([=:] ?")\//g, `$1${site}`);
    document.open();
    document.write(`<!doctype html>${html}`);
    document.close();
  };
  if (site !== "/" && !root.hidden) {
    root.hidden = true; // until it has its styles
    // Not while the page loads: Chromium would not run the modules of what is written then.
    addEventListener("load", () => setTimeout(rewritePage));
  }
}
