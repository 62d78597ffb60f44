"""What readers' devices keep is what a build holds."""

import json
import shutil
from pathlib import Path

import pytest

from tests.promises.site import ROOT, Site
from weave.guide import address_of
from weave.publish.offline import PROGRAM, SCRIPT, listed, write_worker


def test_a_built_site_comes_with_the_list_of_all_that_pages_ask_for(site: Site) -> None:
    files = listed(site.folder)["files"]
    assert {address_of(page.source.path) for page in site.pages} <= files.keys()
    assert {"styles/guide.css", "downloads/gpt.py", "search/search_index.json"} <= {
        *files
    }
    script = (site.folder / SCRIPT).read_text("utf-8")
    assert script.startswith(
        f"const BUILD = {json.dumps(listed(site.folder), separators=(',', ':'))};"
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / PROGRAM).parent.mkdir(parents=True)
    shutil.copy(ROOT / PROGRAM, tmp_path / PROGRAM)
    for name in ("a b.css", "new/index.html", "assets/python.zip", ".of-an-editor"):
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path


def test_files_are_known_by_their_addresses_and_hashes(project: Path) -> None:
    found = listed(project / "site")
    assert [*found["files"]] == ["a%20b.css", "new/"]
    digest = "sha256-CfpSlrS0AjHmIwMLzMIDmF0RNpBdUWI+TcIVv+13qes="
    assert found["python"] == {"assets/python.zip": (digest, 17)}
    (project / "site" / "new" / "index.html").write_text("other")
    assert listed(project / "site")["files"]["new/"] != found["files"]["new/"]


def test_a_preview_keeps_nothing(project: Path) -> None:
    write_worker(project, project / "site", previewing=True)
    script = (project / "site" / SCRIPT).read_text("utf-8")
    assert script.startswith('const BUILD = {"files":{},"python":{}};\n')
