"""The list of files that the service worker caches."""

from pathlib import Path

from tests.built_site import Site
from tests.processes import ROOT
from weave.guide import url_path
from weave.publish.offline import WORKER_FILE, list_site_files, write_service_worker


def test_offline_list_contains_all_files_that_pages_request(site: Site) -> None:
    files = list_site_files(site.folder)["files"]
    assert {url_path(page.source.path) for page in site.pages} <= files.keys()
    others = {"styles/guide.css", "downloads/gpt.py", "search/search_index.json"}
    assert others <= files.keys()


def test_offline_list_maps_addresses_to_hashes_and_sizes(tmp_path: Path) -> None:
    for name in ("a b.css", "new/index.html", "assets/python.zip", ".of-an-editor"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    offline_list = list_site_files(tmp_path)
    assert [*offline_list["files"]] == ["a%20b.css", "new/"]
    digest = "sha256-CfpSlrS0AjHmIwMLzMIDmF0RNpBdUWI+TcIVv+13qes="
    assert offline_list["python"] == {"assets/python.zip": (digest, 17)}
    (tmp_path / "new" / "index.html").write_text("other")
    assert list_site_files(tmp_path)["files"]["new/"] != offline_list["files"]["new/"]


def test_preview_build_keeps_nothing_offline(tmp_path: Path) -> None:
    write_service_worker(ROOT, tmp_path, previewing=True)
    script = (tmp_path / WORKER_FILE).read_text("utf-8")
    assert script.startswith('const BUILD = {"files":{},"python":{}};\n')
