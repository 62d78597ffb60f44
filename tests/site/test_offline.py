"""The guide on readers' devices: a second visit without the network, and new editions."""

import os
import re
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Error,
    Locator,
    Page,
    Request,
    expect,
)

from tests.promises.site import ROOT, Site
from tests.site.browsing import DESK, MOVES, Handler, served, wait_for
from tests.site.conftest import FEW, worker_of, write_list
from tests.thorough import nightly, thorough
from weave.publish.offline import write_worker

VALUE, RECORDING = "autograd/value/", "autograd/recording/"
SEARCH = "search/search_index.json"
LOGIN = "<!doctype html><title>Please log in</title>"


@dataclass
class Server:
    """A server that can go away, show other files, and answer nonsense."""

    folder: Path
    origin: str = ""
    away: bool = False
    faults: dict[str, int] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """The site lies in a folder, as a project's pages do."""
        return f"{self.origin}guide/"


@pytest.fixture
def server(small: Path) -> Iterator[Server]:
    server = Server(small)

    class OfServer(Handler):
        def do_GET(self) -> None:
            path = self.path.partition("?")[0].removeprefix("/guide/")
            server.asked.append(path)
            if server.away:
                self.close_connection = True
            elif status := server.faults.get(path):
                self.answer(LOGIN, "text/html", status)
            else:
                super().do_GET()

        def translate_path(self, path: str) -> str:
            if not path.startswith("/guide/"):
                return str(server.folder / "nothing-here")
            self.directory = str(server.folder)
            return super().translate_path(path.removeprefix("/guide"))

    with served(small, OfServer) as server.origin:
        yield server


@pytest.fixture
def context(browser: Browser, server: Server) -> Iterator[BrowserContext]:
    """A reader, who asks no other server for anything."""
    context = browser.new_context(viewport=DESK, service_workers="allow")
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    yield context
    context.close()
    known = (server.origin, "data:", "blob:")
    assert [url for url in asked if not url.startswith(known)] == []


def status(tab: Page) -> Any:
    return tab.locator(".offline [role=status]")


def visit(context: BrowserContext, server: Server, path: str = VALUE) -> Page:
    """Open a page and begin to read it, until all pages are kept."""
    tab = read(context, server, path)
    says(tab, "all pages")
    return tab


def read(context: BrowserContext, server: Server, path: str = VALUE) -> Page:
    """Open a page in a new tab and begin to read it."""
    return read_on(context.new_page(), server, path)


def read_on(tab: Page, server: Server, path: str) -> Page:
    tab.goto(server.address + path, wait_until="networkidle")
    tab.mouse.wheel(0, 300)
    return tab


def says(tab: Page, text: str) -> None:
    """Wait until the page says this of what is kept; Python alone takes a minute."""
    expect(status(tab)).to_contain_text(text, timeout=60_000)


def run_first(tab: Page, says: str) -> None:
    """Run the first block of a page, and wait until its bar says this."""
    tab.locator(".cell .run").first.click()
    state = tab.locator(".cell .state").first
    expect(state).to_contain_text(says, timeout=60_000)


def newer(tab: Page) -> Locator:
    return tab.get_by_role("button", name="Show the newer edition")


def allow(context: BrowserContext, tab: Page, server: Server, size: int) -> None:
    """Give the site so many bytes of room on the device."""
    quota = {"origin": server.origin.rstrip("/"), "quotaSize": size}
    context.new_cdp_session(tab).send("Storage.overrideQuotaForOrigin", quota)


KEPT = """caches.keys()
  .then(all => caches.open(all.find(name => name.endsWith(" files"))))
  .then(cache => cache.keys()).then(all => all.map(({url}) => url))"""
REGISTERED = "navigator.serviceWorker.getRegistrations().then(all => all.length)"


def caches(tab: Page) -> list[str]:
    return list(tab.evaluate("caches.keys()"))


def altered(site: Path, folder: Path, edition: str) -> Path:
    """Copy a site as another edition, each of whose files says so."""
    shutil.copytree(site, folder)
    for path in [folder / page / "index.html" for page in FEW]:
        html = path.read_text("utf-8")
        path.write_text(html.replace("</article>", f"<i>{edition}</i></article>"))
    index = folder / SEARCH
    index.write_text(index.read_text("utf-8").replace("{", f'{{"of":"{edition}",', 1))
    for name, line in (
        ("styles/guide.css", f':root{{--edition:"{edition}"}}'),
        ("assets/guide.js", f"document.body.dataset.script='{edition}'"),
    ):
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write(f"\n{line}\n")
    write_list(folder, worker_of(folder))
    return folder


def editions(tab: Page) -> set[str]:
    """Return the editions that a page shows traces of."""
    wait_for(tab, "document.body.dataset.script")
    found = tab.evaluate(
        """async (index) => [
            document.querySelector("article i").textContent,
            document.body.dataset.script,
            getComputedStyle(document.documentElement)
                .getPropertyValue("--edition").replaceAll('"', ""),
            (await (await fetch(index)).json()).of,
        ]""",
        re.sub(r"[^/]+/", "../", tab.url.partition("/guide/")[2].partition("#")[0])
        + SEARCH,
    )
    return set(found)


@pytest.fixture(scope="session")
def first(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return altered(small, tmp_path_factory.mktemp("first") / "site", "the-first")


@pytest.fixture(scope="session")
def second(small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A newer edition, which has a page more."""
    folder = altered(small, tmp_path_factory.mktemp("second") / "site", "the-second")
    (folder / "new").mkdir()
    html = (folder / "reference/modules/index.html").read_text("utf-8")
    (folder / "new/index.html").write_text(html.replace("../../", "../"))
    # Servers tell editions apart by whole seconds.
    for path in folder.rglob("*.*"):
        os.utime(path, (time.time() + 60, time.time() + 60))
    return folder


@thorough
def test_the_first_load_fetches_nothing_to_keep_and_a_long_look_does(
    context: BrowserContext, server: Server
) -> None:
    tab = context.new_page()
    tab.clock.install()
    tab.goto(server.address + VALUE, wait_until="networkidle")
    tab.clock.fast_forward("00:15")
    tab.wait_for_timeout(500)
    assert caches(tab) == []
    assert not [path for path in server.asked if re.search("service-w|offline", path)]
    assert [path for path in server.asked if path.endswith("/")] == [VALUE]
    tab.clock.fast_forward("00:05")
    tab.clock.resume()
    says(tab, "all pages")


@thorough
def test_pages_the_search_and_downloads_work_offline_after_one_visit(
    context: BrowserContext, server: Server, site: Site, tmp_path: Path
) -> None:
    server.folder = shutil.copytree(server.folder, tmp_path / "site")
    whole, few = worker_of(site.folder)["files"], worker_of(server.folder)
    saved = next(name for name in whole if name.startswith("assets/notebooks/"))
    shown = ["downloads/step1.py", "downloads/names.txt", "data/step5.json"]
    few["files"] |= {name: whole[name] for name in (*shown, saved)}
    write_list(server.folder, few)
    tab = context.new_page()

    def opened(address: str) -> tuple[str, bytes]:
        answer = tab.goto(server.address + address)
        assert answer is not None and answer.ok and tab.url.endswith(address)
        return answer.headers["content-type"], answer.body()

    online = {name: opened(name) for name in shown}
    read_on(tab, server, VALUE)
    says(tab, "all pages")
    server.away = True
    assert {name: opened(name) for name in shown} == online
    with tab.expect_download() as download, suppress(Error):  # it shows nothing
        tab.goto(f"{server.address}{saved}?from=elsewhere")
    got = Path(download.value.path()).read_bytes()
    assert got == (site.folder / saved).read_bytes()
    failed: list[str] = []

    def lost(request: Request) -> None:
        # A search that still starts when its page is left is aborted, without harm.
        # So is what Python would start from: no block has been run on this device.
        of_python = re.search(r"/assets/(pyodide-|python\.zip)", request.url)
        if "ABORT" not in (request.failure or "") and not of_python:
            failed.append(request.url)

    tab.on("requestfailed", lost)
    tab.on("pageerror", lambda error: failed.append(str(error)))
    for path in FEW:
        assert tab.goto(f"{server.address}{path}?h=value", wait_until="networkidle")
    tab.goto(f"{server.address}autograd/value")
    assert tab.url.endswith("autograd/value/")
    tab.keyboard.press("/")
    tab.keyboard.type("topological", delay=30)
    tab.locator(".md-search-result__item").first.wait_for()
    tab.locator(".cell .edit").first.dispatch_event("click")
    tab.locator(".cell .editor").first.wait_for()
    assert failed == []


@thorough
def test_blocks_run_offline_after_one_run_on_another_page(
    context: BrowserContext, server: Server
) -> None:
    tab = visit(context, server)
    size = sum(number for _, number in worker_of(server.folder)["python"].values())
    says(tab, f"Not yet: Python, about {size / 1e6:.0f} MB.")
    run_first(tab, "same output")
    says(tab, "and Python")
    server.away = True
    tab.goto(server.address + RECORDING)
    run_first(tab, "same output")


@thorough
def test_all_can_be_kept_and_removed_by_keyboard(
    context: BrowserContext, server: Server
) -> None:
    tab = context.new_page()
    tab.goto(server.address + VALUE, wait_until="networkidle")
    moves = [far for far, _ in tab.evaluate(MOVES)]
    keep = tab.get_by_role("button", name="Save for offline reading")
    keep.focus()
    tab.keyboard.press("Enter")
    says(tab, "all pages, and Python")
    remove = tab.get_by_role("button", name="Remove")
    expect(remove).to_be_focused()
    assert [far for far, _ in tab.evaluate(MOVES)] == moves
    tab.keyboard.press("Enter")
    says(tab, "Nothing of the guide is kept")
    expect(keep).to_be_focused()
    assert caches(tab) == []
    # The choice holds on other pages.
    read_on(tab, server, RECORDING)
    says(tab, "Nothing of the guide is kept")
    tab.wait_for_timeout(1500)
    assert caches(tab) == []
    assert tab.evaluate(REGISTERED) == 0
    keep.click()
    says(tab, "all pages, and Python")


@thorough
def test_a_new_edition_waits_until_the_old_one_is_closed(
    context: BrowserContext, server: Server, first: Path, second: Path
) -> None:
    server.folder = first
    tab = visit(context, server)
    server.folder = second
    for path in (RECORDING, VALUE, ""):
        tab.goto(server.address + path, wait_until="networkidle")
        assert editions(tab) == {"the-first"}
    expect(newer(tab)).to_be_visible(timeout=30_000)
    # A page that only the new one has comes from the network, and so does all that it needs.
    tab.goto(f"{server.address}new/", wait_until="networkidle")
    assert editions(tab) == {"the-second"}
    other = context.new_page()
    other.goto(server.address + RECORDING, wait_until="networkidle")
    assert editions(other) == {"the-first"}
    tab.close()
    other.close()
    again = context.new_page()
    again.wait_for_timeout(3000)  # until the browser has seen that both are closed
    again.goto(server.address + RECORDING)
    assert editions(again) == {"the-second"}
    expect(status(again)).to_contain_text("all pages")
    # Of the first, nothing is left.
    hashes = {
        known[0] for names in worker_of(second).values() for known in names.values()
    }
    wait_for(again, f"{KEPT}.then(all => all.length <= {len(hashes)})")


@thorough
@pytest.mark.parametrize("status", [200, pytest.param(500, marks=nightly)])
def test_the_reader_can_ask_for_the_new_edition_once_it_has_come_whole(
    status: int, context: BrowserContext, server: Server, first: Path, second: Path
) -> None:
    server.folder = first
    tab, other = visit(context, server), visit(context, server, RECORDING)
    server.folder = second
    server.faults[RECORDING] = status
    asked = len(server.asked)
    tab.reload()
    while RECORDING not in server.asked[asked:]:
        tab.wait_for_timeout(200)
    tab.wait_for_timeout(1000)
    tab.reload()
    assert editions(tab) == {"the-first"}
    expect(newer(tab)).to_be_hidden()
    server.faults.clear()
    asked = len(server.asked)
    tab.reload()
    expect(newer(tab)).to_be_visible(timeout=30_000)
    says(tab, "newer edition")
    # What had come is not fetched again.
    assert len([path for path in server.asked[asked:] if path in FEW]) < len(FEW)
    server.away = True
    newer(tab).click()
    for page in (tab, other):
        expect(page.locator("article i")).to_have_text("the-second", timeout=30_000)
        assert editions(page) == {"the-second"}


@thorough
def test_without_room_a_sentence_says_so_and_the_page_works(
    context: BrowserContext, server: Server
) -> None:
    tab = context.new_page()
    allow(context, tab, server, 300_000)
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    tab.goto(server.address + VALUE, wait_until="networkidle")
    tab.mouse.wheel(0, 300)
    says(tab, "no room")
    assert caches(tab) == []
    asked = len(server.asked)
    read_on(tab, server, RECORDING)
    says(tab, "no room")
    tab.wait_for_timeout(1000)
    assert "service-worker.js" not in server.asked[asked:]  # nor does it try for ever
    tab.locator(".cell .edit").first.click()
    tab.locator(".cell .editor").first.wait_for()
    assert errors == []


@nightly
def test_room_for_pages_but_not_for_python(
    context: BrowserContext, server: Server
) -> None:
    tab = visit(context, server)
    allow(context, tab, server, 8_000_000)
    tab.get_by_role("button", name="Save for offline reading").click()
    says(tab, "There is no room for more.")


@thorough
def test_where_storage_is_forbidden_a_sentence_says_so(
    context: BrowserContext, server: Server
) -> None:
    context.add_init_script(
        """ServiceWorkerContainer.prototype.register = async () => {
            throw new DOMException("forbidden", "SecurityError");
        };
        Object.defineProperty(window, "localStorage", { get() {
            throw new DOMException("forbidden", "SecurityError");
        } });"""
    )
    tab = context.new_page()
    errors: list[str] = []
    tab.on("pageerror", lambda error: errors.append(str(error)))
    read_on(tab, server, VALUE)
    says(tab, "does not let the guide keep")
    tab.keyboard.press("End")
    tab.wait_for_timeout(1500)  # after a second at its end, a page has been read
    expect(tab.locator(".reading")).to_be_hidden()
    assert errors == []


def test_a_browser_without_service_workers_has_no_control(
    context: BrowserContext, server: Server
) -> None:
    context.add_init_script("delete Navigator.prototype.serviceWorker;")
    tab = context.new_page()
    tab.goto(server.address + VALUE, wait_until="networkidle")
    expect(tab.locator(".offline")).to_be_hidden()


@thorough
def test_for_who_saves_data_nothing_is_fetched_unasked(
    context: BrowserContext, server: Server
) -> None:
    saving = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
    context.add_init_script(saving)
    tab = read(context, server)
    says(tab, "Nothing of the guide is kept")
    assert {path for path in server.asked if path.endswith("/")} == {VALUE}
    tab.get_by_role("button", name="Save for offline reading").click()
    says(tab, "all pages, and Python")
    tab.reload(wait_until="networkidle")
    says(tab, "all pages, and Python")


@nightly
def test_who_previews_sees_no_page_that_an_earlier_build_has_kept(
    context: BrowserContext, server: Server, small: Path, tmp_path: Path
) -> None:
    visit(context, server, "").close()
    # The address that a built site had a moment ago
    server.folder = shutil.copytree(small, tmp_path / "site")
    write_worker(ROOT, server.folder, previewing=True)
    page = server.folder / "index.html"  # which asks for no worker in a preview
    page.write_text(
        page.read_text("utf-8").replace(' offline" aria-label', '" aria-label')
    )
    tab = read(context, server, "")
    # The worker of the built site removes itself, and the page is loaded again.
    expect(tab.locator(".offline")).to_have_count(0, timeout=60_000)
    assert tab.evaluate(REGISTERED) == 0
    assert caches(tab) == []
