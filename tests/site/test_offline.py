"""The guide without the network: what is cached, and how a new edition replaces an old."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Request, expect

from tests.marks import thorough
from tests.site.browsing import (
    DESKTOP_SIZE,
    LAYOUT_SHIFTS_JS,
    QuietHandler,
    serve_folder,
    wait_until_true,
)
from tests.site.conftest import SMALL_SITE_PAGES, read_cached_files, write_cached_files

pytestmark = thorough

VALUE_PAGE, RECORDING_PAGE = "autograd/value/", "autograd/recording/"
# Files that a page loads, and that name their edition in the tests
EDITION_FILES = ["styles/guide.css", "assets/guide.js", "search/search_index.json"]
CACHED_FILE_COUNT_JS = """caches.keys()
  .then(all => caches.open(all.find(name => name.endsWith(" files"))))
  .then(cache => cache.keys()).then(all => all.length)"""


@dataclass
class SiteServer:
    """A server that can go offline, serve another folder, or answer with a login page."""

    folder: Path
    origin: str = ""
    offline: bool = False
    login_paths: set[str] = field(default_factory=set)
    requested_paths: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The URL of the site, which lies in a subfolder, as on GitHub Pages."""
        return f"{self.origin}{self.folder.name}/"


@pytest.fixture
def server(small_site: Path) -> Iterator[SiteServer]:
    server = SiteServer(small_site)

    class ServerHandler(QuietHandler):
        def do_GET(self) -> None:
            del self.headers["If-Modified-Since"]  # editions follow within a second
            self.directory = str(server.folder.parent)
            path = self.path.partition("?")[0].removeprefix(f"/{server.folder.name}/")
            server.requested_paths.append(path)
            if server.offline:
                self.close_connection = True
            elif path in server.login_paths:
                login = "<!doctype html><title>Please log in</title>"
                self.send_text(login, "text/html")
            else:
                super().do_GET()

    with serve_folder(small_site, ServerHandler) as server.origin:
        yield server


@pytest.fixture
def context(browser: Browser, server: SiteServer) -> Iterator[BrowserContext]:
    """A context with service workers, without foreign requests or errors at its end."""
    context = browser.new_context(viewport=DESKTOP_SIZE, service_workers="allow")
    urls, errors = list[str](), list[str]()
    context.on("request", lambda request: urls.append(request.url))
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    known = (server.origin, "data:", "blob:")
    assert [url for url in urls if not url.startswith(known)] == []
    assert errors == []


@pytest.fixture
def tab(context: BrowserContext) -> Page:
    return context.new_page()


def open_page(tab: Page, server: SiteServer, path: str = VALUE_PAGE) -> None:
    tab.goto(server.address + path, wait_until="networkidle")


def open_and_scroll(tab: Page, server: SiteServer, path: str = VALUE_PAGE) -> None:
    """Open a page and scroll, after which the page caches the guide."""
    open_page(tab, server, path)
    tab.mouse.wheel(0, 300)


def visit_until_cached(tab: Page, server: SiteServer) -> None:
    """Open and scroll a page, and wait until all pages are cached."""
    open_and_scroll(tab, server)
    expect_status(tab, "all pages")


def expect_status(tab: Page, text: str) -> None:
    """Wait until the offline status has this text; caching Python takes a minute."""
    status = tab.locator(".offline [role=status]")
    expect(status).to_contain_text(text, timeout=60_000)


def run_first_block(tab: Page) -> None:
    tab.locator(".cell .run").first.click()
    state = tab.locator(".cell .status").first
    expect(state).to_contain_text("same output", timeout=60_000)


def find_save_button(tab: Page) -> Locator:
    return tab.get_by_role("button", name="Save for offline reading")


def assert_nothing_is_cached(tab: Page) -> None:
    assert tab.evaluate("caches.keys()") == []
    assert tab.evaluate("navigator.serviceWorker.getRegistrations()") == []


@pytest.fixture(scope="session")
def editions(small_site: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Copies of the small site whose files name their edition; the second has new pages."""
    folders = []
    for edition in ("first", "second"):
        folder = tmp_path_factory.mktemp(edition) / small_site.name
        folders.append(shutil.copytree(small_site, folder))
        pages = [f"{page}index.html" for page in SMALL_SITE_PAGES]
        for name in EDITION_FILES + pages:
            with (folder / name).open("a", encoding="utf-8") as file:
                file.write(f"\n/* edition={edition} */")
        write_cached_files(folder, read_cached_files(folder))
    shutil.copytree(folders[1] / "reference", folders[1] / "new")
    return folders


def get_edition(tab: Page, server: SiteServer) -> str:
    """Return the edition of a page and of the files that it loads, which must agree."""
    fetch = "all => Promise.all(all.map(async one => (await fetch(one)).text()))"
    texts = tab.evaluate(fetch, [server.address + name for name in EDITION_FILES])
    matches = [re.findall(r"edition=(\w+)", text) for text in (tab.content(), *texts)]
    (one,) = {name for names in matches for name in names}
    assert all(matches)
    return str(one)


def test_caching_waits_for_a_reader_who_stays(tab: Page, server: SiteServer) -> None:
    tab.clock.install()
    open_page(tab, server)
    tab.clock.fast_forward("00:15")
    tab.wait_for_timeout(500)
    assert_nothing_is_cached(tab)
    assert not re.search("service-w|offline", " ".join(server.requested_paths))
    assert [path for path in server.requested_paths if path[-1:] == "/"] == [VALUE_PAGE]
    tab.clock.fast_forward("00:05")
    tab.clock.resume()
    expect_status(tab, "all pages")


def test_all_but_python_works_offline(tab: Page, server: SiteServer) -> None:
    def fetch_file(name: str) -> tuple[str, bytes]:
        answer = tab.goto(server.address + name)
        assert answer is not None and answer.ok and tab.url.endswith(name)
        return answer.headers["content-type"], answer.body()

    files = ["downloads/step1.py?from=elsewhere", "downloads/names.txt"]
    files += ["data/step5.json"]
    online = [*map(fetch_file, files)]
    visit_until_cached(tab, server)
    server.offline = True
    assert [*map(fetch_file, files)] == online
    failed: list[str] = []

    def record_failure(request: Request) -> None:
        # A search that is loading when its page is left is aborted, without harm.
        # Python's files are missing because no block has run on this device.
        of_python = re.search(r"/assets/(pyodide-|python\.zip)", request.url)
        if "ABORT" not in (request.failure or "") and not of_python:
            failed.append(request.url)

    tab.on("requestfailed", record_failure)
    for path in SMALL_SITE_PAGES:
        open_page(tab, server, f"{path}?h=value")
    tab.goto(f"{server.address}autograd/value")
    assert tab.url.endswith("autograd/value/")
    tab.keyboard.press("/")
    tab.keyboard.type("topological", delay=30)
    tab.locator(".md-search-result__item").first.wait_for()
    tab.locator(".cell .edit").first.dispatch_event("click")
    tab.locator(".cell .editor").first.wait_for()
    assert failed == []
    # At an address without a page, the 404 page searches for its name.
    tab.goto(f"{server.address}attention/scors/")
    tab.get_by_role("button", name="Search the guide").click()
    first_result = tab.locator(".md-search-result__link").first
    expect(first_result).to_contain_text("Scores and weights")


def test_blocks_run_offline_after_one_run(tab: Page, server: SiteServer) -> None:
    visit_until_cached(tab, server)
    files = read_cached_files(server.folder)["python"].values()
    size = sum(file_size for _, file_size in files)
    expect_status(tab, f"Not yet: Python, about {size / 1e6:.0f} MB.")
    run_first_block(tab)
    expect_status(tab, "and Python")
    server.offline = True
    open_page(tab, server, RECORDING_PAGE)
    run_first_block(tab)


def test_guide_is_saved_and_removed_by_keys(tab: Page, server: SiteServer) -> None:
    open_page(tab, server)
    shifts = [score for score, _ in tab.evaluate(LAYOUT_SHIFTS_JS)]
    find_save_button(tab).press("Enter")
    expect_status(tab, "all pages, and Python")
    remove = tab.get_by_role("button", name="Remove")
    expect(remove).to_be_focused()
    assert [score for score, _ in tab.evaluate(LAYOUT_SHIFTS_JS)] == shifts
    tab.keyboard.press("Enter")
    expect_status(tab, "Nothing of the guide is saved")
    expect(find_save_button(tab)).to_be_focused()
    # The choice holds on other pages.
    open_and_scroll(tab, server, RECORDING_PAGE)
    expect_status(tab, "Nothing of the guide is saved")
    tab.wait_for_timeout(1500)
    assert_nothing_is_cached(tab)
    find_save_button(tab).click()
    expect_status(tab, "all pages, and Python")


def test_new_edition_takes_over_once_old_tabs_are_closed(
    context: BrowserContext, tab: Page, server: SiteServer, editions: list[Path]
) -> None:
    server.folder, second = editions
    visit_until_cached(tab, server)
    server.folder = second
    for path in (RECORDING_PAGE, VALUE_PAGE, ""):
        open_page(tab, server, path)
        assert get_edition(tab, server) == "first"
    expect_status(tab, "newer edition")
    # A page that only the new edition has comes from the network, with its files.
    open_page(tab, server, "new/modules/")
    assert get_edition(tab, server) == "second"
    other = context.new_page()
    open_page(other, server, RECORDING_PAGE)
    assert get_edition(other, server) == "first"
    tab.close()
    other.close()
    again = context.new_page()
    again.wait_for_timeout(3000)  # until the browser has seen that both are closed
    open_page(again, server, RECORDING_PAGE)
    assert get_edition(again, server) == "second"
    expect_status(again, "all pages")
    # Nothing of the first edition is left.
    cached_files = read_cached_files(second).values()
    hashes = {hash for files in cached_files for hash, _ in files.values()}
    wait_until_true(again, f"{CACHED_FILE_COUNT_JS}.then(n => n <= {len(hashes)})")


def test_new_edition_is_announced_once_downloaded(
    tab: Page, server: SiteServer, editions: list[Path]
) -> None:
    server.folder, second = editions
    visit_until_cached(tab, server)
    server.folder, server.login_paths = second, {RECORDING_PAGE}
    server.requested_paths.clear()
    tab.reload()
    while RECORDING_PAGE not in server.requested_paths:
        tab.wait_for_timeout(200)
    tab.wait_for_timeout(1000)
    tab.reload()
    assert get_edition(tab, server) == "first"
    expect_status(tab, "all pages")
    server.login_paths.clear()
    server.requested_paths.clear()
    tab.reload()
    expect_status(tab, "newer edition")
    # Files downloaded before are not fetched again.
    assert len({*server.requested_paths} & {*SMALL_SITE_PAGES}) < len(SMALL_SITE_PAGES)
    assert get_edition(tab, server) == "first"


def test_too_little_storage_is_reported(tab: Page, server: SiteServer) -> None:
    quota = {"origin": server.origin.rstrip("/"), "quotaSize": 300_000}
    tab.context.new_cdp_session(tab).send("Storage.overrideQuotaForOrigin", quota)
    open_and_scroll(tab, server)
    expect_status(tab, "no room")
    assert_nothing_is_cached(tab)
    server.requested_paths.clear()
    open_and_scroll(tab, server, RECORDING_PAGE)
    expect_status(tab, "no room")
    tab.wait_for_timeout(1000)
    assert "service-worker.js" not in server.requested_paths  # no further attempt
    tab.locator(".cell .edit").first.click()
    tab.locator(".cell .editor").first.wait_for()


def test_forbidden_storage_is_reported(tab: Page, server: SiteServer) -> None:
    tab.add_init_script(
        """const forbidden = () => { throw new DOMException("", "SecurityError"); };
        ServiceWorkerContainer.prototype.register = async () => forbidden();
        Object.defineProperty(window, "localStorage", { get: forbidden });"""
    )
    open_and_scroll(tab, server)
    expect_status(tab, "does not let the guide save")
    tab.keyboard.press("End")
    tab.wait_for_timeout(1500)  # after a second at its end, a page has been read
    expect(tab.locator(".md-nav .read-mark")).to_have_count(0)


def test_controls_are_hidden_without_workers(tab: Page, server: SiteServer) -> None:
    tab.add_init_script("delete Navigator.prototype.serviceWorker;")
    open_page(tab, server)
    expect(tab.locator(".offline")).to_be_hidden()


def test_data_saver_caches_only_on_request(tab: Page, server: SiteServer) -> None:
    connection = "{value: {saveData: true}}"
    tab.add_init_script(f"Object.defineProperty(navigator, 'connection', {connection})")
    open_and_scroll(tab, server)
    expect_status(tab, "Nothing of the guide is saved")
    assert {path for path in server.requested_paths if path[-1:] == "/"} == {VALUE_PAGE}
    find_save_button(tab).click()
    expect_status(tab, "all pages, and Python")
    tab.reload(wait_until="networkidle")
    expect_status(tab, "all pages, and Python")
