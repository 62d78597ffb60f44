"""What tests in browsers and of what they tell share: a small site, and all that is found."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.conftest import made_once
from tests.promises.site import Site
from tests.site.stories import FOUND

# Pages of a guide that comes to a device in a moment, and what they have no use for
FEW = ["", "autograd/value/", "autograd/recording/", "autograd/order/"]
FEW += ["reference/modules/"]
UNUSED = ("data/", "downloads/", "assets/notebooks/", "assets/widgets/")


@pytest.fixture
def all_is_found() -> Iterator[None]:
    """Whatever a test looks for in stories stands somewhere, or it fails."""
    FOUND.clear()
    yield
    assert [pattern for pattern, times in FOUND.items() if times == 0] == []


@pytest.fixture
def reader(newcomer: BrowserContext) -> Page:
    """A tab of a reader of whom the site has kept nothing."""
    return newcomer.new_page()


@pytest.fixture(scope="session")
def small(request: pytest.FixtureRequest, site: Site) -> Path:
    """The site as it would be if the guide had a few pages."""
    with made_once(request, "small") as (folder, missing):
        if missing:
            shutil.copytree(site.folder, folder)
            manifest, program = worker_of(folder)
            files = manifest["files"].items()
            used = {name: known for name, known in files if not name.startswith(UNUSED)}
            write_worker(
                folder, manifest | {"pages": FEW, "labs": [], "files": used}, program
            )
    return folder


def worker_of(folder: Path) -> tuple[dict[str, Any], str]:
    """Return what a site's service worker keeps, and its program."""
    first, program = (folder / "service-worker.js").read_text("utf-8").split("\n", 1)
    manifest = first.removeprefix("const BUILD = ").removesuffix(";")
    return json.loads(manifest), program


def write_worker(folder: Path, manifest: dict[str, Any], program: str) -> None:
    text = f"const BUILD = {json.dumps(manifest)};\n{program}"
    (folder / "service-worker.js").write_text(text, "utf-8")
