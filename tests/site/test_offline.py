"""The guide on readers' devices: a second visit without the network, and new editions."""

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

VALUE, RECORDING = "autograd/value/", "autograd/recording/"
# What a page of an edition needs, each in a file of its own
PARTS = ["styles/guide.css", "assets/guide.js", "search/search_index.json"]
REGISTERED = "navigator.serviceWorker.getRegistrations().then(all => all.length)"
KEPT = """caches.keys()
  .then(all => caches.open(all.find(name => name.endsWith(" files"))))
  .then(cache => cache.keys()).then(all => all.length)"""


@dataclass
class Server:
    """A server that can go away, show other files, and ask for a password."""

    folder: Path
    origin: str = ""
    away: bool = False
    locked: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The site lies in a folder, as a project's pages do."""
        return f"{self.origin}{self.folder.name}/"

    @property
    def pages(self) -> list[str]:
        return [path for path in self.asked if path.endswith("/")]


@pytest.fixture
def server(small_site: Path) -> Iterator[Server]:
    server = Server(small_site)

    class OfServer(QuietHandler):
        def do_GET(self) -> None:
            del self.headers["If-Modified-Since"]  # editions follow within a second
            self.directory = str(server.folder.parent)
            path = self.path.partition("?")[0].removeprefix(f"/{server.folder.name}/")
            server.asked.append(path)
            if server.away:
                self.close_connection = True
            elif path in server.locked:
                self.send_text(
                    "<!doctype html><title>Please log in</title>", "text/html"
                )
            else:
                super().do_GET()

    with serve_folder(small_site, OfServer) as server.origin:
        yield server


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A reader, who asks no other server for anything and meets no error."""
    context = browser.new_context(viewport=DESKTOP_SIZE, service_workers="allow")
    asked, errors = list[str](), list[str]()
    context.on("request", lambda request: asked.append(request.url))
    context.on("weberror", lambda error: errors.append(str(error.error)))
    yield context
    context.close()
    known = (server.origin, "data:", "blob:")
    assert [url for url in asked if not url.startswith(known)] == []
    assert errors == []


@pytest.fixture
def tab(context: BrowserContext) -> Page:
    return context.new_page()


def look(tab: Page, server: Server, path: str = VALUE) -> None:
    tab.goto(server.address + path, wait_until="networkidle")


def read(tab: Page, server: Server, path: str = VALUE) -> None:
    """Open a page and begin to read it, which lets the page keep the guide."""
    look(tab, server, path)
    tab.mouse.wheel(0, 300)


def visit(tab: Page, server: Server, path: str = VALUE) -> None:
    """Read a page until all pages are kept."""
    read(tab, server, path)
    says(tab, "all pages")


def says(tab: Page, text: str) -> None:
    """Wait until the page says this of what is kept; Python alone takes a minute."""
    status = tab.locator(".offline [role=status]")
    expect(status).to_contain_text(text, timeout=60_000)


def run_first(tab: Page) -> None:
    """Run the first block of a page."""
    tab.locator(".cell .run").first.click()
    state = tab.locator(".cell .status").first
    expect(state).to_contain_text("same output", timeout=60_000)


def keep(tab: Page) -> Locator:
    return tab.get_by_role("button", name="Save for offline reading")


def allow(tab: Page, server: Server, size: int) -> None:
    """Give the site so many bytes of room on the device."""
    quota = {"origin": server.origin.rstrip("/"), "quotaSize": size}
    tab.context.new_cdp_session(tab).send("Storage.overrideQuotaForOrigin", quota)


def assert_nothing_is_kept(tab: Page) -> None:
    assert tab.evaluate("caches.keys()") == []
    assert tab.evaluate(REGISTERED) == 0


@pytest.fixture(scope="session")
def editions(small_site: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two editions, each of whose files says so; the second has a page more."""
    folders = []
    for edition in ("first", "second"):
        folder = tmp_path_factory.mktemp(edition) / small_site.name
        folders.append(shutil.copytree(small_site, folder))
        for name in [*PARTS, *(f"{page}index.html" for page in SMALL_SITE_PAGES)]:
            with (folder / name).open("a", encoding="utf-8") as file:
                file.write(f"\n/* edition={edition} */")
        write_cached_files(folder, read_cached_files(folder))
    shutil.copytree(folders[1] / "reference", folders[1] / "new")
    return folders


def edition(tab: Page, server: Server) -> str:
    """Return the one edition that a page and all that it needs are of."""
    fetch = "all => Promise.all(all.map(async one => (await fetch(one)).text()))"
    texts = tab.evaluate(fetch, [server.address + name for name in PARTS])
    found = [re.findall(r"edition=(\w+)", text) for text in (tab.content(), *texts)]
    (one,) = {name for names in found for name in names}
    assert all(found)
    return str(one)


def test_offline_caching_starts_only_after_some_time_on_a_page(
    tab: Page, server: Server
) -> None:
    tab.clock.install()
    look(tab, server)
    tab.clock.fast_forward("00:15")
    tab.wait_for_timeout(500)
    assert_nothing_is_kept(tab)
    assert not [path for path in server.asked if re.search("service-w|offline", path)]
    assert server.pages == [VALUE]
    tab.clock.fast_forward("00:05")
    tab.clock.resume()
    says(tab, "all pages")


def test_pages_the_search_and_downloads_work_offline_after_one_visit(
    tab: Page, server: Server
) -> None:
    def opened(name: str) -> tuple[str, bytes]:
        answer = tab.goto(server.address + name)
        assert answer is not None and answer.ok and tab.url.endswith(name)
        return answer.headers["content-type"], answer.body()

    shown = [
        "downloads/step1.py?from=elsewhere",
        "downloads/names.txt",
        "data/step5.json",
    ]
    online = {name: opened(name) for name in shown}
    visit(tab, server)
    server.away = True
    assert {name: opened(name) for name in shown} == online
    failed: list[str] = []

    def lost(request: Request) -> None:
        # A search that still starts when its page is left is aborted, without harm.
        # So is what Python would start from: no block has been run on this device.
        of_python = re.search(r"/assets/(pyodide-|python\.zip)", request.url)
        if "ABORT" not in (request.failure or "") and not of_python:
            failed.append(request.url)

    tab.on("requestfailed", lost)
    for path in SMALL_SITE_PAGES:
        look(tab, server, f"{path}?h=value")
    tab.goto(f"{server.address}autograd/value")
    assert tab.url.endswith("autograd/value/")
    tab.keyboard.press("/")
    tab.keyboard.type("topological", delay=30)
    tab.locator(".md-search-result__item").first.wait_for()
    tab.locator(".cell .edit").first.dispatch_event("click")
    tab.locator(".cell .editor").first.wait_for()
    assert failed == []
    # An address that no page has is searched for by its name.
    tab.goto(f"{server.address}attention/scors/")
    tab.get_by_role("button", name="Search the guide").click()
    found = tab.locator(".md-search-result__link").first
    expect(found).to_contain_text("Scores and weights")


def test_blocks_run_offline_after_one_run_on_another_page(
    tab: Page, server: Server
) -> None:
    visit(tab, server)
    size = sum(
        number for _, number in read_cached_files(server.folder)["python"].values()
    )
    says(tab, f"Not yet: Python, about {size / 1e6:.0f} MB.")
    run_first(tab)
    says(tab, "and Python")
    server.away = True
    look(tab, server, RECORDING)
    run_first(tab)


def test_offline_copy_can_be_saved_and_removed_by_keyboard(
    tab: Page, server: Server
) -> None:
    look(tab, server)
    moves = [far for far, _ in tab.evaluate(LAYOUT_SHIFTS_JS)]
    keep(tab).press("Enter")
    says(tab, "all pages, and Python")
    remove = tab.get_by_role("button", name="Remove")
    expect(remove).to_be_focused()
    assert [far for far, _ in tab.evaluate(LAYOUT_SHIFTS_JS)] == moves
    tab.keyboard.press("Enter")
    says(tab, "Nothing of the guide is kept")
    expect(keep(tab)).to_be_focused()
    # The choice holds on other pages.
    read(tab, server, RECORDING)
    says(tab, "Nothing of the guide is kept")
    tab.wait_for_timeout(1500)
    assert_nothing_is_kept(tab)
    keep(tab).click()
    says(tab, "all pages, and Python")


def test_new_edition_takes_over_once_all_old_tabs_are_closed(
    context: BrowserContext, tab: Page, server: Server, editions: list[Path]
) -> None:
    server.folder, second = editions
    visit(tab, server)
    server.folder = second
    for path in (RECORDING, VALUE, ""):
        look(tab, server, path)
        assert edition(tab, server) == "first"
    says(tab, "newer edition")
    # A page that only the new one has comes from the network, and so does all that it needs.
    look(tab, server, "new/modules/")
    assert edition(tab, server) == "second"
    other = context.new_page()
    look(other, server, RECORDING)
    assert edition(other, server) == "first"
    tab.close()
    other.close()
    again = context.new_page()
    again.wait_for_timeout(3000)  # until the browser has seen that both are closed
    look(again, server, RECORDING)
    assert edition(again, server) == "second"
    says(again, "all pages")
    # Of the first, nothing is left.
    known = [
        each for names in read_cached_files(second).values() for each in names.values()
    ]
    wait_until_true(
        again, f"{KEPT}.then(many => many <= {len({hash for hash, _ in known})})"
    )


def test_new_edition_is_announced_only_when_fully_downloaded(
    tab: Page, server: Server, editions: list[Path]
) -> None:
    server.folder, second = editions
    visit(tab, server)
    server.folder, server.locked = second, {RECORDING}
    server.asked.clear()
    tab.reload()
    while RECORDING not in server.asked:
        tab.wait_for_timeout(200)
    tab.wait_for_timeout(1000)
    tab.reload()
    assert edition(tab, server) == "first"
    says(tab, "all pages")
    server.locked.clear()
    server.asked.clear()
    tab.reload()
    says(tab, "newer edition")
    # What had come is not fetched again.
    assert len({*server.asked} & {*SMALL_SITE_PAGES}) < len(SMALL_SITE_PAGES)
    assert edition(tab, server) == "first"


def test_too_little_storage_is_reported_and_the_page_still_works(
    tab: Page, server: Server
) -> None:
    allow(tab, server, 300_000)
    read(tab, server)
    says(tab, "no room")
    assert_nothing_is_kept(tab)
    server.asked.clear()
    read(tab, server, RECORDING)
    says(tab, "no room")
    tab.wait_for_timeout(1000)
    assert "service-worker.js" not in server.asked  # nor does it try for ever
    tab.locator(".cell .edit").first.click()
    tab.locator(".cell .editor").first.wait_for()


def test_forbidden_storage_is_reported(tab: Page, server: Server) -> None:
    tab.add_init_script(
        """const forbidden = () => { throw new DOMException("", "SecurityError"); };
        ServiceWorkerContainer.prototype.register = async () => forbidden();
        Object.defineProperty(window, "localStorage", { get: forbidden });"""
    )
    read(tab, server)
    says(tab, "does not let the guide keep")
    tab.keyboard.press("End")
    tab.wait_for_timeout(1500)  # after a second at its end, a page has been read
    expect(tab.locator(".md-nav .read")).to_have_count(0)


def test_offline_controls_are_hidden_without_service_workers(
    tab: Page, server: Server
) -> None:
    tab.add_init_script("delete Navigator.prototype.serviceWorker;")
    look(tab, server)
    expect(tab.locator(".offline")).to_be_hidden()


def test_data_saver_mode_caches_only_on_request(tab: Page, server: Server) -> None:
    tab.add_init_script(
        "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
    )
    read(tab, server)
    says(tab, "Nothing of the guide is kept")
    assert {*server.pages} == {VALUE}
    keep(tab).click()
    says(tab, "all pages, and Python")
    tab.reload(wait_until="networkidle")
    says(tab, "all pages, and Python")
