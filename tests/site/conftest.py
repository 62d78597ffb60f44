"""What tests in browsers share: a newcomer's tab, and a small site."""

import json
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.conftest import share_folder
from tests.promises.site import Site
from weave.publish import offline

# Pages of a guide that comes to a device in a moment
FEW = ["", "autograd/value/", "autograd/recording/", "autograd/order/"]
FEW += ["reference/modules/"]


@pytest.fixture
def reader(newcomer: BrowserContext) -> Page:
    """A tab of a reader of whom the site has kept nothing."""
    return newcomer.new_page()


@pytest.fixture(scope="session")
def small(request: pytest.FixtureRequest, site: Site) -> Path:
    """The site as it would be if the guide had a few pages, in a folder of its name."""
    with share_folder(request, "small") as (folder, missing):
        guide = folder / "guide"
        if missing:
            shutil.copytree(site.folder, guide)
            listed = worker_of(guide)
            files = listed["files"].items()
            few = {n: known for n, known in files if n in FEW or not n.endswith("/")}
            write_list(guide, {**listed, "files": few})
    return guide


Listed = dict[str, dict[str, offline.HashAndSize]]


def worker_of(folder: Path) -> Listed:
    """Return what a site's service worker keeps."""
    first = (folder / offline.WORKER_FILE).read_text("utf-8").partition("\n")[0]
    found: Listed = json.loads(first.removeprefix("const BUILD = ").removesuffix(";"))
    return found


def write_list(folder: Path, listed: Listed) -> None:
    """Let a site's service worker keep these files, as they are now."""
    for names in listed.values():
        for name in names:
            file = folder / unquote(name)
            file = file / "index.html" if file.is_dir() else file
            names[name] = offline.hash_and_size(file)
    script = folder / offline.WORKER_FILE
    _, program = script.read_text("utf-8").split("\n", 1)
    script.write_text(f"const BUILD = {json.dumps(listed)};\n{program}", "utf-8")
