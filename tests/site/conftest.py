"""Fixtures for tests in browsers: a fresh tab, and a small site."""

import json
import shutil
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.built_site import Site
from tests.conftest import share_folder
from weave.publish import offline

# Few enough to be cached in a moment
SMALL_SITE_PAGES = ["", "autograd/value/", "autograd/recording/", "autograd/order/"]
SMALL_SITE_PAGES += ["reference/modules/"]
CachedFilesByKind = dict[str, dict[str, offline.HashAndSize]]


@pytest.fixture
def fresh_tab(fresh_context: BrowserContext) -> Page:
    """A tab in which the site has stored nothing yet."""
    return fresh_context.new_page()


@pytest.fixture(scope="session")
def small_site(request: pytest.FixtureRequest, site: Site) -> Path:
    """A copy of the site whose service worker caches only a few pages."""
    with share_folder(request, "small") as (folder, missing):
        guide = folder / "guide"
        if missing:
            shutil.copytree(site.folder, guide)
            files = read_cached_files(guide)
            others = {x for x in files["files"] if x[-1:] == "/"} - {*SMALL_SITE_PAGES}
            for name in others:
                del files["files"][name]
            write_cached_files(guide, files)
    return guide


def read_cached_files(folder: Path) -> CachedFilesByKind:
    """Return the files that a site's service worker caches, with hash and size."""
    first = (folder / offline.WORKER_FILE).read_text("utf-8").partition("\n")[0]
    files: CachedFilesByKind = json.loads(first.partition(" = ")[2].removesuffix(";"))
    return files


def write_cached_files(folder: Path, files: CachedFilesByKind) -> None:
    """Let a site's service worker cache these files, with their present hash and size."""
    for names in files.values():
        for name in names:
            file = folder / unquote(name)
            file = file / "index.html" if file.is_dir() else file
            names[name] = offline.hash_and_size(file)
    script = folder / offline.WORKER_FILE
    _, program = script.read_text("utf-8").split("\n", 1)
    script.write_text(f"const BUILD = {json.dumps(files)};\n{program}", "utf-8")
