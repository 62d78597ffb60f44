import hashlib
import os
import socket
import threading
import time
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from microgpt.cli import download
from microgpt.cli.download import DownloadError, cache_folder, download_names

from .helpers import ORIGINAL, microgpt, with_original

CONTENT = b"anna\nben\n" * 5000


@pytest.fixture(autouse=True)
def expected(monkeypatch):
    """Expect our own content, and let no proxy come between."""
    monkeypatch.setattr(download, "SHA256", hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setattr(download, "SIZE", len(CONTENT))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")


@contextmanager
def serving(answer):
    """Run a real server that answers each request with a function; count requests."""
    requests = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            requests.append(self.path)
            answer(self)

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/names.txt", requests
        server.shutdown()


def send(content, length=None, status=200):
    def answer(handler):
        handler.send_response(status)
        handler.send_header("Content-Length", str(length or len(content)))
        handler.end_headers()
        handler.wfile.write(content)

    return answer


def test_the_right_file_is_fetched_once_and_kept(tmp_path):
    reports = []
    with serving(send(CONTENT)) as (url, requests):
        path = download_names(url, tmp_path / "a" / "b", report=reports.append)
        assert path.read_bytes() == CONTENT
        assert download_names(url, tmp_path / "a" / "b") == path
    assert len(requests) == 1
    assert reports == sorted(reports)
    assert reports[-1] == len(CONTENT)


def test_a_damaged_copy_in_the_cache_is_fetched_again(tmp_path):
    (tmp_path / "names.txt").write_bytes(CONTENT[:-1])
    with serving(send(CONTENT)) as (url, _):
        assert download_names(url, tmp_path).read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (send(CONTENT.replace(b"ben", b"BEN")), "its SHA-256 differs"),
        (send(CONTENT[:-1]), "its SHA-256 differs"),
        (send(CONTENT + b"\n"), "its SHA-256 differs"),
        (send(CONTENT[:20_000], length=len(CONTENT)), "cut after 20,000 bytes"),
        (send(b"", status=404), "404 Not Found"),
        (send(b"", status=500), "500 Internal Server Error"),
        (lambda handler: handler.wfile.write(b"nonsense\r\n\r\n"), "cannot fetch"),
        (lambda handler: None, "cannot fetch"),
        (lambda handler: time.sleep(2), "timed out"),
    ],
)
def test_anything_else_is_refused_and_leaves_nothing(tmp_path, answer, reason):
    with serving(answer) as (url, _), pytest.raises(DownloadError, match=reason):
        download_names(url, tmp_path / "cache", timeout=0.5)
    assert not (tmp_path / "cache").exists()


def test_a_failure_leaves_what_was_in_the_cache(tmp_path):
    (tmp_path / "names.txt").write_bytes(b"old")
    with serving(send(b"wrong")) as (url, _), pytest.raises(DownloadError):
        download_names(url, tmp_path)
    assert (tmp_path / "names.txt").read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["names.txt"]


def test_an_endless_answer_is_not_read_to_its_end(tmp_path):
    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        while True:
            handler.wfile.write(b"a" * 100_000)

    with serving(endless) as (url, _), pytest.raises(DownloadError, match="SHA-256"):
        download_names(url, tmp_path)


def test_no_network_is_reported(tmp_path):
    with closing(socket.socket()) as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(DownloadError, match="Connection refused"):
            download_names(f"http://127.0.0.1:{port}/", tmp_path)
    with pytest.raises(DownloadError, match="cannot fetch"):
        download_names("http://names.invalid/", tmp_path, timeout=5)
    with pytest.raises(DownloadError, match="unknown url type"):
        download_names("names.txt", tmp_path)
    assert os.listdir(tmp_path) == []


def test_a_cache_that_cannot_be_written_is_reported(tmp_path):
    (tmp_path / "file").write_text("")
    with (
        serving(send(CONTENT)) as (url, _),
        pytest.raises(DownloadError, match="cannot"),
    ):
        download_names(url, tmp_path / "file" / "folder")


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


def test_the_command_fails_in_one_sentence(tmp_path):
    with serving(send(CONTENT)) as (url, _):
        result = microgpt(
            *("names", "--download", "--url", url),
            folder=tmp_path,
            XDG_CACHE_HOME=str(tmp_path),
        )
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == (
        f"microgpt: error: {url} is not the file expected: its SHA-256 differs\n"
    )
    assert os.listdir(tmp_path) == []


@with_original
def test_the_command_prints_the_path_of_what_is_in_the_cache(tmp_path):
    names = (ORIGINAL / "names.txt").read_bytes()
    with serving(send(names)) as (url, requests):
        for _ in range(2):
            result = microgpt(
                *("names", "--download", "--url", url),
                folder=tmp_path,
                XDG_CACHE_HOME=str(tmp_path),
            )
            assert result.stdout == f"{tmp_path}/microgpt/names.txt\n"
            assert "32,033 names, 29,494 of them different" in result.stderr
            assert result.returncode == 0
    assert len(requests) == 1


@pytest.mark.parametrize("url", ["data:,anna", "file:///dev/null"])
def test_an_address_that_tells_no_length_is_refused_in_one_sentence(tmp_path, url):
    with pytest.raises(DownloadError, match="its SHA-256 differs"):
        download_names(url, tmp_path)
