"""Fixtures for all tests: the guide, its built sites, browsers and tabs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from playwright.sync_api import Error as BrowserError
from pytest import FixtureRequest

from tests.built_site import Site, list_built_pages
from tests.processes import ROOT
from tests.site.browsing import DESKTOP_SIZE, LONG_TIMEOUT_MS, PHONE_SIZE, serve_folder
from tests.site.widget_page import WidgetPage
from weave.guide import Guide

QUIET_ENVIRONMENT = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}


@contextmanager
def share_folder(request: FixtureRequest, name: str) -> Iterator[tuple[Path, bool]]:
    """Yield a folder that all test processes share, and whether it is still empty."""
    factory: pytest.TempPathFactory = request.getfixturevalue("tmp_path_factory")
    base = factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder = shared / name
    with FileLock(f"{folder}.lock"):
        done = folder / ".done"
        yield folder, not done.exists()
        done.touch()


@pytest.fixture(scope="session")
def guide() -> Guide:
    return Guide(ROOT)


def run_module(*arguments: str) -> None:
    command = [sys.executable, "-m", *arguments]
    subprocess.run(command, cwd=ROOT, env=QUIET_ENVIRONMENT, check=True, timeout=600)


@pytest.fixture(scope="session")
def site(request: FixtureRequest, guide: Guide) -> Site:
    """The site as MkDocs builds it, strictly."""
    with share_folder(request, "site") as (folder, missing):
        if missing:
            run_module("mkdocs", "build", "--strict", "-d", str(folder))
    return Site(folder, list_built_pages(folder, guide))


@pytest.fixture(scope="session")
def zensical_site(request: FixtureRequest, guide: Guide) -> Site:
    """The site as Zensical builds it, from the same settings."""
    with share_folder(request, "zensical") as (folder, missing):
        if missing:  # Zensical writes only below the project
            inside = ROOT / ".cache" / f"zensical-{os.getpid()}"
            config = ROOT / f".zensical-{os.getpid()}.yml"
            settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
            site_dir = inside.relative_to(ROOT).as_posix()
            config.write_text(f"{settings}\nsite_dir: {site_dir}\n", encoding="utf-8")
            try:
                # MkDocs does this in a hook.
                run_module("weave", "publish")
                run_module("zensical", "build", "--strict", "-f", str(config))
                shutil.move(inside, folder)
            finally:
                config.unlink()
                shutil.rmtree(inside, ignore_errors=True)
    return Site(folder, list_built_pages(folder, guide))


@pytest.fixture(scope="session")
def address(site: Site) -> Iterator[str]:
    with serve_folder(site.folder) as address:
        yield address


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Playwright's own Chromium, or the system's."""
    system = shutil.which("chromium") or shutil.which("google-chrome")
    options = ["--no-sandbox", "--disable-background-networking", "--disable-sync"]
    # A reader's tabs share a process, as they do in a browser that has many open.
    options += ["--renderer-process-limit=1"]
    # Without a graphics card Chromium would emulate one, which takes longer.
    options += ["--disable-gpu"]
    with sync_playwright() as playwright:
        try:
            launched = playwright.chromium.launch(executable_path=system, args=options)
        except BrowserError as error:
            reason = f"no browser: run 'uv run playwright install chromium' ({error})"
            if os.environ.get("CI") == "true":
                pytest.fail(reason)
            pytest.skip(reason)
        # Only tests of offline reading allow service workers.
        launched.new_context = partial(launched.new_context, service_workers="block")  # type: ignore[method-assign]
        yield launched
        launched.close()


@pytest.fixture
def long_expect_timeout() -> Iterator[None]:
    """Let expectations wait as long as Python may need on a slow machine."""
    expect.set_options(timeout=LONG_TIMEOUT_MS)
    yield
    expect.set_options(timeout=5_000)


@pytest.fixture
def fresh_context(
    browser: Browser, long_expect_timeout: None
) -> Iterator[BrowserContext]:
    """A desktop browser context in which the site has stored nothing yet."""
    with browser.new_context(viewport=DESKTOP_SIZE) as context:
        context.set_default_timeout(LONG_TIMEOUT_MS)
        yield context


@pytest.fixture(scope="session")
def shared_context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A desktop browser context of the whole session, with one page always open."""
    with browser.new_context(viewport=DESKTOP_SIZE) as context:
        context.set_default_timeout(LONG_TIMEOUT_MS)
        context.new_page().goto(address)
        yield context


@pytest.fixture
def context(
    shared_context: BrowserContext, long_expect_timeout: None
) -> Iterator[BrowserContext]:
    """The shared context, with cached files but without extra tabs or stored choices."""
    yield shared_context
    first_tab, *tabs = shared_context.pages
    for tab in tabs:
        tab.close()
    # No test sees what another has stored.
    first_tab.evaluate("localStorage.clear()")


@pytest.fixture
def open_widget(context: BrowserContext, address: str) -> Callable[..., WidgetPage]:
    """Opens the page of a widget by its name."""
    return partial(WidgetPage.open, context, address)


@pytest.fixture
def open_widget_on_phone(
    browser: Browser, address: str, long_expect_timeout: None
) -> Iterator[Callable[[str], WidgetPage]]:
    """Opens the page of a widget on a phone with touch."""
    with browser.new_context(
        viewport=PHONE_SIZE, has_touch=True, is_mobile=True
    ) as context:
        context.set_default_timeout(LONG_TIMEOUT_MS)
        yield lambda name: WidgetPage.open(context, address, name)


@pytest.fixture
def tab_without_scripts(browser: Browser) -> Iterator[Page]:
    """A phone tab with JavaScript turned off."""
    with browser.new_context(java_script_enabled=False, viewport=PHONE_SIZE) as context:
        yield context.new_page()


@pytest.fixture
def tab(context: BrowserContext) -> Page:
    return context.new_page()
