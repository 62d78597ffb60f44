"""What tests in a browser share: the pages, the screens and a server of the site."""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import ViewportSize

from tests.promises.site import ROOT

PAGES = sorted(p.relative_to(ROOT / "docs") for p in ROOT.glob("docs/**/*.md"))
PHONE: ViewportSize = {"width": 390, "height": 844}
DESK: ViewportSize = {"width": 1280, "height": 900}
SCREENS = {"phone": PHONE, "desk": DESK}


class Handler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder as long as the block runs, and yield its address."""
    handler = functools.partial(Handler, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def path_of(page: Path) -> str:
    """Return where the site shows a page of `docs/`."""
    path = page.with_suffix("")
    path = path.parent if path.name == "index" else path
    return "" if path == Path() else f"{path.as_posix()}/"
