"""One browser and one server for all tests of the site that a process runs.

They end with this folder's tests: as long as Playwright runs, its event loop does, and
tests that need one of their own would fail.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, sync_playwright

from tests.promises.site import Site
from tests.site.browsing import served


@pytest.fixture(scope="package")
def address(site: Site) -> Iterator[str]:
    with served(site.folder) as address:
        yield address


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Playwright's own Chromium, or the system's."""
    system = shutil.which("chromium") or shutil.which("google-chrome")
    quiet = ["--no-sandbox", "--disable-background-networking", "--disable-sync"]
    with sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=system, args=quiet)
        except Error as error:
            reason = f"no browser: run 'uv run playwright install chromium' ({error})"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)
        yield launched
        launched.close()
