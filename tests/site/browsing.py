"""What tests in a browser share: the pages, the screens and a server of the site."""

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import monotonic

from playwright.sync_api import BrowserContext, Error, Page, ViewportSize

from tests.promises.site import ROOT

PAGES = sorted(
    path.relative_to(ROOT / "docs")
    for kind in ("md", "ipynb")
    for path in ROOT.glob(f"docs/**/*.{kind}")
)
WRITTEN = [page for page in PAGES if page.suffix == ".md"]  # no labs
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
ZOOMED: ViewportSize = {"width": 640, "height": 400}  # a desk at 200%
LONG = 90_000  # milliseconds, for whatever loads or runs Python on a slow machine
SCREENS = {"phone": PHONE, "desk": DESK}
# By how many pixels a page is wider than its screen
TOO_WIDE = "document.documentElement.scrollWidth - innerWidth"
# What has moved since a page was opened: each time how far, and which parts
MOVES = """() => new Promise(done => {
  const parts = entry => entry.sources.map(source => source.node?.outerHTML);
  const report = list => done(list.getEntries().map(each => [each.value, parts(each)]));
  new PerformanceObserver(report).observe({type: "layout-shift", buffered: true});
  setTimeout(done, 500, []);
})"""

# Each start of Python on a page: whether it was from the snapshot
STARTS = "performance.getEntriesByName('python').map(start => start.detail.snapshot)"
SNAPSHOT_KEPT = """caches.open(`guide ${location.origin}/ python`)
  .then(cache => cache.keys()).then(keys => keys.length === 1)"""


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass

    def answer(self, text: str, kind: str, status: int = 200) -> None:
        """Send a text that is no file."""
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def wait_for(tab: Page, expression: str, arg: object = None) -> None:
    """Wait until an expression is true of a page, asked anew from outside each time.

    Playwright's own way asks within the page by means of `eval`, which its policy forbids.
    """
    end = monotonic() + LONG / 1000
    while not is_true(tab, expression, arg):
        assert monotonic() < end, f"never came true: {expression}"
        tab.wait_for_timeout(20)


def is_true(tab: Page, expression: str, arg: object) -> bool:
    try:
        return bool(tab.evaluate(expression, arg))
    except Error as error:
        if "context was destroyed" in error.message:  # another page takes its place
            return False
        raise


def still(context: BrowserContext, screen: ViewportSize) -> Page:
    """Open a tab of a reader at another screen, who wants nothing to move."""
    tab = context.new_page()
    tab.set_viewport_size(screen)
    tab.emulate_media(reduced_motion="reduce")
    return tab


@contextmanager
def served(folder: Path, kind: type[Handler] = Handler) -> Iterator[str]:
    """Serve a folder as long as the block runs, and yield its address."""
    handler = functools.partial(kind, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def path_of(page: Path) -> str:
    """Return where the site shows a page of `docs/`."""
    path = page.with_suffix("")
    path = path.parent if path.name == "index" else path
    return "" if path == Path() else f"{path.as_posix()}/"
