"""How fast pages show on a phone, side by side: `python -m bench.pages SITE:PAGE SITE:PAGE ...`.

Each SITE is the folder of a built site, and PAGE an address below it, such as `attention/scores/`.
Chromium opens the pages by turns, each as a newcomer to its site, on a line of 1.6 megabits a second that answers after 150
milliseconds, with a processor four times as slow as this one. The ratios are to the first page.
"""

import gzip
import io
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import BinaryIO

from playwright.sync_api import Browser, sync_playwright

from bench.machine import machine
from tests.site.browsing import PHONE, Handler, served

ROUNDS = 5
LINE = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 204_800,
    "uploadThroughput": 84_000,
}
# When the largest text or picture was drawn, for how long tasks kept a reader's touch waiting in
# all, and how far what was drawn was pushed about
WATCH = """() => new Promise(done => {
  const kinds = ["largest-contentful-paint", "longtask", "layout-shift"];
  const seen = Object.fromEntries(kinds.map(kind => [kind, []]));
  for (const type of kinds)
    new PerformanceObserver(list => seen[type].push(...list.getEntries())).observe({type, buffered: true});
  const sum = (kind, of) => seen[kind].reduce((all, each) => all + of(each), 0);
  setTimeout(() => done([
    seen["largest-contentful-paint"].at(-1).startTime,
    sum("longtask", each => each.duration - 50),
    sum("layout-shift", each => each.value),
  ]), 500);
})"""


class Compressing(Handler):
    """A server that compresses texts, as hosts of pages do."""

    def send_head(self) -> BinaryIO | None:
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return None
        body, packed = path.read_bytes(), path.suffix not in (".woff2", ".png", ".zip")
        body = gzip.compress(body) if packed else body
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(body)))
        if packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        return io.BytesIO(body)


@contextmanager
def addresses(pages: list[str]) -> Iterator[dict[str, str]]:
    """Serve the site of each page, and yield the pages' addresses."""
    with ExitStack() as stack:
        found = {}
        for page in pages:
            site, _, path = page.partition(":")
            found[page] = stack.enter_context(served(Path(site), Compressing)) + path
        yield found


def visit(browser: Browser, address: str) -> list[float]:
    """Open a page as a newcomer; return two times in milliseconds, KiB, and the shift."""
    with browser.new_context(viewport=PHONE, is_mobile=True) as context:
        tab = context.new_page()
        session = context.new_cdp_session(tab)
        arrived = [0.0]
        session.on(
            "Network.loadingFinished",
            lambda it: arrived.append(it["encodedDataLength"]),
        )
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", LINE)
        session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        tab.goto(address, wait_until="networkidle", timeout=120_000)
        paint, blocking, shift = tab.evaluate(WATCH)
        return [paint, blocking, sum(arrived) / 1024, shift]


def main() -> None:
    """Print a line for each page: medians, and how many times the first page's they are."""
    asked = sys.argv[1:]
    missing = [page for page in asked if not Path(page.replace(":", "/", 1)).exists()]
    if missing or not asked:
        sys.exit(
            f"no such page: {missing[0]}" if missing else "name pages: SITE:PAGE ..."
        )
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with addresses(asked) as pages, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        print(
            f"{machine()}, Chromium {browser.version}; milliseconds, medians of {ROUNDS}"
        )
        rounds = [[visit(browser, at) for at in pages.values()] for _ in range(ROUNDS)]
        print(f"{'paint':>10}{'blocking':>16}{'KiB':>16}{'shift':>15}")
        first, *_ = rows = [list(map(median, zip(*seen))) for seen in zip(*rounds)]
        for page, row in zip(pages, rows):
            *times, shift = row
            cells = (f"{x:10.0f} ×{x / of:<4.2g}" for x, of in zip(times, first))
            print("".join(cells), f"{shift:8.3f}  {page}")


if __name__ == "__main__":
    main()
