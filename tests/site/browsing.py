"""Helpers for tests in a browser: page paths, screen sizes, waiting, a web server."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic

from playwright.sync_api import BrowserContext, Error, Page, ViewportSize

from tests.processes import ROOT
from weave.guide import url_path

DOCS = ROOT / "docs"
MARKDOWN_PAGES = sorted(path.relative_to(DOCS) for path in DOCS.rglob("*.md"))
LAB_PAGES = [path.relative_to(DOCS) for path in DOCS.rglob("*.ipynb")]
PAGES = sorted([*MARKDOWN_PAGES, *LAB_PAGES])
PHONE_SIZE: ViewportSize = {"width": 390, "height": 844}
DESKTOP_SIZE: ViewportSize = {"width": 1280, "height": 900}
ZOOMED_DESKTOP_SIZE: ViewportSize = {"width": 640, "height": 400}  # a desktop at 200 %
LONG_TIMEOUT_MS = 90_000  # to load or run Python on a slow machine
# By how many pixels a page is wider than its screen
OVERFLOW_PX_JS = "document.documentElement.scrollWidth - innerWidth"
# The layout shifts since a page was opened: [score, moved elements] of each
LAYOUT_SHIFTS_JS = """() => new Promise(done => {
  const parts = entry => entry.sources.map(source => source.node?.outerHTML);
  const report = list => done(list.getEntries().map(each => [each.value, parts(each)]));
  new PerformanceObserver(report).observe({type: "layout-shift", buffered: true});
  setTimeout(done, 500, []);
})"""
# For each start of Python on a page, whether it used the snapshot
FROM_SNAPSHOT_JS = "performance.getEntriesByName('python').map(x => x.detail.snapshot)"
IS_SNAPSHOT_CACHED_JS = """caches.open(`guide ${location.origin}/ python`)
  .then(cache => cache.keys()).then(keys => keys.length === 1)"""


class QuietHandler(SimpleHTTPRequestHandler):
    """Serves files without logging requests."""

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send_text(self, text: str, content_type: str, status: int = 200) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def wait_until_true(tab: Page, expression: str) -> None:
    """Wait until a JavaScript expression is true on a page.

    Playwright's own wait_for_function needs `eval`, which the page's policy forbids.
    """
    end = monotonic() + LONG_TIMEOUT_MS / 1000
    while not is_true(tab, expression):
        assert monotonic() < end, f"never came true: {expression}"
        tab.wait_for_timeout(20)


def is_true(tab: Page, expression: str) -> bool:
    """Return whether an expression is true; False while another page is loading."""
    try:
        return bool(tab.evaluate(expression))
    except Error as error:
        if "context was destroyed" in error.message:
            return False
        raise


def open_reduced_motion_tab(context: BrowserContext, screen: ViewportSize) -> Page:
    """Open a tab of another size, with reduced motion."""
    tab = context.new_page()
    tab.set_viewport_size(screen)
    tab.emulate_media(reduced_motion="reduce")
    return tab


@contextmanager
def serve_folder(
    folder: Path, handler_class: type[QuietHandler] = QuietHandler
) -> Iterator[str]:
    """Serve a folder while the `with` block runs; yield its address."""
    handler = functools.partial(handler_class, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def site_path(docs_path: Path) -> str:
    """Return the path on the site of the page at a path in `docs/`."""
    return url_path("docs" / docs_path)
