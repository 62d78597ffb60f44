"""A browser, and the site on a server as a host of static sites sends it."""

import gzip
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
COMPRESSED = {".woff2", ".png", ".webp", ".zip", ".whl"}


class Server(ThreadingHTTPServer):
    """Serves a folder and counts the bytes of the bodies that it sends."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder, self.sent = folder, 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


class Handler(SimpleHTTPRequestHandler):
    """Answers as a host of static sites does."""

    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        path = self.server.folder / self.path.partition("?")[0].lstrip("/")
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        body = compressed(path)
        self.server.sent += len(body)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(body)))
        if path.suffix not in COMPRESSED:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@cache
def compressed(path: Path) -> bytes:
    data = path.read_bytes()
    return data if path.suffix in COMPRESSED else gzip.compress(data, 9)


@contextmanager
def served() -> Iterator[Server]:
    """Build the site, and serve it as long as the block runs."""
    with tempfile.TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "mkdocs", "build", "--quiet", "-d", folder]
        subprocess.run(build, cwd=ROOT, check=True)
        with Server(Path(folder)) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            yield server
            server.shutdown()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start the system's Chromium, or Playwright's own."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox"]
        )
        yield browser
        browser.close()
