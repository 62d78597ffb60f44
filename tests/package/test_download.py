import hashlib
import socket
import threading
import time
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from microgpt.cli import download
from microgpt.cli.download import SHA256, SIZE, cache_folder, download_names

from .helpers import ORIGINAL, microgpt, with_original

CONTENT = b"anna\nben\n" * 5000


@pytest.fixture(autouse=True)
def kept(monkeypatch, tmp_path):
    """Expect our own content, let no proxy come between; return where it is kept."""
    monkeypatch.setattr(download, "SHA256", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setattr(download, "SIZE", len(CONTENT))
    monkeypatch.setattr(download, "PATIENCE", 0.5)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "microgpt" / "names.txt"


@pytest.fixture
def serving(monkeypatch):
    """Run a real server that answers each request with a function; count requests."""

    @contextmanager
    def serving(answer):
        requests = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                requests.append(self.path)
                answer(self)

            def log_message(self, *arguments):
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/names.txt"
            monkeypatch.setattr(download, "URL", url)
            yield requests
            server.shutdown()

    return serving


def send(content, length=None, status=200):
    def answer(handler):
        handler.send_response(status)
        handler.send_header("Content-Length", str(length or len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    while True:
        handler.wfile.write(b"a" * 100_000)


def test_the_right_file_is_fetched_once_and_kept_unless_it_is_damaged(serving, kept):
    with serving(send(CONTENT)) as requests:
        for _ in range(2):
            assert download_names() == kept
            assert kept.read_bytes() == CONTENT
        assert len(requests) == 1
        kept.write_bytes(CONTENT[:-1])
        download_names()
    assert kept.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (send(CONTENT.replace(b"ben", b"BEN")), "its SHA-256 differs"),
        (send(CONTENT + b"\n"), "its SHA-256 differs"),
        (send(CONTENT[:20_000], length=len(CONTENT)), "its SHA-256 differs"),
        (endless, "its SHA-256 differs"),
        (send(b"", status=404), "Not Found"),
        (lambda handler: handler.wfile.write(b"nonsense\r\n\r\n"), "cannot fetch"),
        (lambda handler: None, "cannot fetch"),
        (lambda handler: time.sleep(1), "timed out"),
    ],
)
def test_anything_else_is_refused_and_changes_nothing(serving, kept, answer, reason):
    kept.parent.mkdir(parents=True)
    kept.write_bytes(b"old")
    with serving(answer), pytest.raises(OSError, match=reason):
        download_names()
    assert [*kept.parent.iterdir()] == [kept]
    assert kept.read_bytes() == b"old"


def test_no_network_is_reported_in_one_sentence(monkeypatch, tmp_path):
    with closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        monkeypatch.setattr(download, "URL", url)
        result = microgpt("names", "--download", folder=tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    said = f"microgpt: error: cannot fetch {url}: [Errno 111] Connection refused\n"
    assert result.stderr == said


def test_a_cache_that_cannot_be_written_is_reported(serving, tmp_path):
    (tmp_path / "cache").write_text("")
    with serving(send(CONTENT)), pytest.raises(OSError, match="cannot write"):
        download_names()


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "/home/me/.cache/microgpt"),
        ("linux", {"XDG_CACHE_HOME": "/xdg"}, "/xdg/microgpt"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/microgpt"),
        ("darwin", {}, "/home/me/Library/Caches/microgpt"),
        ("win32", {}, "/home/me/AppData/Local/microgpt"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/microgpt"),
    ],
)
def test_each_system_has_its_own_cache(monkeypatch, platform, variables, expected):
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setenv("HOME", "/home/me")
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(expected)


@with_original
def test_the_command_prints_the_path_of_the_names_of_the_original(
    serving, kept, monkeypatch, tmp_path
):
    monkeypatch.setattr(download, "SHA256", SHA256)
    monkeypatch.setattr(download, "SIZE", SIZE)
    with serving(send((ORIGINAL / "names.txt").read_bytes())):
        result = microgpt("names", "--download", folder=tmp_path)
    assert (result.returncode, result.stdout) == (0, f"{kept}\n")
    assert "32,033 names, 29,494 of them different" in result.stderr
