"""The guide on readers' devices: a second visit without the network, and new editions."""

import os
import re
import shutil
import time
import zipfile
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
from tests.site.conftest import FEW, worker_of, write_worker
from tests.thorough import nightly, thorough
from weave.publish import offline
from weave.publish.offline import PROGRAM, SCRIPT, known_by

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


# Whether the Python that a page gets, if it gets any, is that of the second edition: the
# browser may still have that of the first.
OF_THE_SECOND = """() => {
    const { edition } = document.querySelector("[data-edition]").dataset;
    return fetch(`../../assets/python.zip?${edition}`).then(
        async (got) => (await got.text()).includes("of-the-second"), () => false);
}"""


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
    manifest, rest = worker_of(folder)
    for path in [folder / page / "index.html" for page in manifest["pages"]]:
        html = path.read_text("utf-8").replace(manifest["edition"], edition)
        path.write_text(html.replace("</article>", f"<i>{edition}</i></article>"))
    index = folder / SEARCH
    index.write_text(index.read_text("utf-8").replace("{", f'{{"of":"{edition}",', 1))
    for name, line in (
        ("styles/guide.css", f':root{{--edition:"{edition}"}}'),
        ("assets/guide.js", f"document.body.dataset.script='{edition}'"),
    ):
        path = folder / name
        path.write_text(path.read_text("utf-8") + f"\n{line}\n", "utf-8")
        manifest["files"][name] = known_by(path)
    manifest["edition"] = edition
    write_worker(folder, manifest, rest)
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
    """A newer edition: it has a page more, and another Python."""
    folder = tmp_path_factory.mktemp("second") / "site"
    altered(small, folder, "the-second")
    (folder / "new").mkdir()
    html = (folder / "reference/modules/index.html").read_text("utf-8")
    (folder / "new/index.html").write_text(html.replace("../../", "../"))
    with zipfile.ZipFile(folder / "assets/python.zip", "a") as archive:
        archive.writestr("of-the-second.txt", "whatever else has changed")
    manifest, program = worker_of(folder)
    (name,) = [name for name in manifest["python"] if "python.zip" in name]
    manifest["python"][name] = known_by(folder / "assets/python.zip")
    write_worker(folder, manifest, program)
    # Servers tell editions apart by whole seconds.
    for path in folder.rglob("*.*"):
        os.utime(path, (time.time() + 60, time.time() + 60))
    return folder


def test_the_first_load_fetches_nothing_to_keep(
    context: BrowserContext, server: Server
) -> None:
    tab = context.new_page()
    tab.goto(server.address + VALUE, wait_until="networkidle")
    tab.wait_for_timeout(1000)
    assert [path for path in server.asked if "worker" in path or "offline" in path] == [
        path for path in server.asked if "/workers/search." in path
    ]
    assert [path for path in server.asked if path.endswith("/")] == [VALUE]


@nightly
def test_a_page_that_is_only_looked_at_is_kept_after_a_while(
    context: BrowserContext, server: Server
) -> None:
    tab = context.new_page()
    tab.clock.install()
    tab.goto(server.address + VALUE, wait_until="networkidle")
    tab.clock.fast_forward("00:15")
    tab.wait_for_timeout(500)
    assert caches(tab) == []
    tab.clock.fast_forward("00:05")
    tab.clock.resume()
    says(tab, "all pages")


@nightly  # with every change, a few pages: below, and in two more browsers in `test_engines`
def test_every_page_and_the_search_work_offline_after_one_visit(
    context: BrowserContext, server: Server, site: Site
) -> None:
    server.folder = site.folder
    tab = visit(context, server)
    server.away = True
    failed: list[str] = []

    def lost(request: Request) -> None:
        # A search that still starts when its page is left is aborted, without harm.
        # So is what Python would start from: no block has been run on this device.
        if "ABORT" not in (request.failure or "") and "pyodide" not in request.url:
            failed.append(request.url)

    tab.on("requestfailed", lost)
    tab.on("pageerror", lambda error: failed.append(str(error)))
    tab.reload()
    pages = [p.file.parent.relative_to(site.folder).as_posix() for p in site.pages]
    paths = ["" if page == "." else f"{page}/" for page in pages]
    assert tab.evaluate(COMPLETE, [server.address + path for path in paths]) == []
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
def test_files_open_offline_at_their_own_addresses(
    context: BrowserContext, server: Server, site: Site, tmp_path: Path
) -> None:
    manifest, program = worker_of(site.folder)
    shown = ["downloads/step1.py", "downloads/names.txt", "data/step5.json"]
    saved = next(x for x in manifest["files"] if x.startswith("assets/notebooks/"))
    server.folder = shutil.copytree(server.folder, tmp_path / "site")
    small, _ = worker_of(server.folder)
    small["files"] |= {name: manifest["files"][name] for name in (*shown, saved)}
    write_worker(server.folder, small, program)
    tab = context.new_page()

    def opened(address: str) -> tuple[str, bytes]:
        answer = tab.goto(server.address + address)
        assert answer is not None and answer.ok and tab.url.endswith(address)
        return answer.headers["content-type"], answer.body()

    online = {name: opened(name) for name in shown}
    read_on(tab, server, VALUE)
    says(tab, "all pages")
    server.away = True
    for query in ("", "?from=elsewhere"):
        for name in shown:
            assert opened(f"{name}{query}") == online[name], name
        with tab.expect_download() as download, suppress(Error):  # it shows nothing
            tab.goto(f"{server.address}{saved}{query}")
        got = Path(download.value.path()).read_bytes()
        assert got == (site.folder / saved).read_bytes()


@thorough
@pytest.mark.parametrize("first_act", ["read", pytest.param("run", marks=nightly)])
def test_blocks_run_offline_after_one_run_on_another_page(
    first_act: str, context: BrowserContext, server: Server
) -> None:
    if first_act == "read":
        tab = visit(context, server)
        python = ("assets/pyodide-*/*", "assets/worker-*.js", "assets/python.zip")
        files = [file for part in python for file in server.folder.glob(part)]
        size = sum(file.stat().st_size for file in files) / 1e6
        says(tab, f"Not yet: Python, about {size:.0f} MB.")
    else:  # Python is there before the service worker is
        tab = context.new_page()
        tab.goto(server.address + VALUE, wait_until="networkidle")
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
    assert other.evaluate(OF_THE_SECOND) is False
    tab.close()
    other.close()
    again = context.new_page()
    again.wait_for_timeout(3000)  # until the browser has seen that both are closed
    again.goto(server.address + RECORDING)
    assert editions(again) == {"the-second"}
    expect(status(again)).to_contain_text("all pages")
    # Of the first, nothing is left.
    wait_for(again, f"{KEPT}.then(all => all.every(key => !/the-first/.test(key)))")


@thorough
def test_the_reader_can_ask_for_the_new_edition(
    context: BrowserContext, server: Server, first: Path, second: Path
) -> None:
    server.folder = first
    tab = visit(context, server)
    other = visit(context, server, RECORDING)
    tab.reload()
    server.folder = second
    tab.reload()
    expect(newer(tab)).to_be_visible(timeout=30_000)
    says(tab, "newer edition")
    server.away = True  # it has come whole
    newer(tab).click()
    for page in (tab, other):
        expect(page.locator("article i")).to_have_text("the-second")
        assert editions(page) == {"the-second"}
    server.away = False
    # It does no harm if the browser then deletes what was kept.
    tab.evaluate(
        "caches.keys().then(all => Promise.all(all.map(n => caches.delete(n))))"
    )
    tab.reload(wait_until="networkidle")
    assert editions(tab) == {"the-second"}
    says(tab, "all pages")


# Which pages, or files that a page names to be shown as it is, do not come
COMPLETE = """async (pages) => {
  const missing = [];
  const files = new Set();
  for (const page of pages) {
    const answer = await fetch(page);
    if (!answer.ok) missing.push(page);
    const it = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!it.querySelector("article h1")) missing.push(page);
    for (const named of it.querySelectorAll("script[src], link[rel=stylesheet], img[src]"))
      files.add(new URL(named.getAttribute("src") ?? named.getAttribute("href"), page).href);
  }
  for (const file of files)
    if (!(await fetch(file).catch(() => ({})))?.ok) missing.push(file);
  return missing;
}"""


@thorough
@pytest.mark.parametrize(
    ("path", "status"),
    [
        (RECORDING, 500),
        pytest.param("service-worker.js", 200, marks=nightly),
        pytest.param(RECORDING, 200, marks=nightly),
        pytest.param("styles/guide.css", 404, marks=nightly),
        pytest.param(SEARCH, 200, marks=nightly),
    ],
)
def test_an_edition_that_does_not_come_whole_changes_nothing(
    context: BrowserContext,
    server: Server,
    first: Path,
    second: Path,
    path: str,
    status: int,
) -> None:
    server.folder = first
    tab = visit(context, server)
    server.folder = second
    server.faults[path] = status
    asked = len(server.asked)
    tab.goto(server.address + RECORDING)
    end = time.monotonic() + 20
    while path not in server.asked[asked:]:
        assert time.monotonic() < end, "nothing of the newer edition was asked for"
        tab.wait_for_timeout(200)
    tab.wait_for_timeout(1000)
    assert editions(tab) == {"the-first"}
    expect(newer(tab)).to_be_hidden()
    tab.goto("about:blank")
    tab.goto(server.address + VALUE)
    assert editions(tab) == {"the-first"}
    server.faults.clear()
    tab.reload()
    expect(newer(tab)).to_be_visible(timeout=30_000)


@nightly
def test_a_first_visit_to_a_server_in_trouble_keeps_nothing_wrong(
    context: BrowserContext, server: Server, site: Site
) -> None:
    server.folder = site.folder
    (editor,) = server.folder.glob("assets/editor-*.js")
    server.faults[f"assets/{editor.name}"] = 500
    server.faults["styles/widgets.css"] = 200
    tab = read(context, server)
    says(tab, "Not all could be fetched")
    server.faults.clear()
    asked = len(server.asked)
    read_on(tab, server, RECORDING)
    says(tab, "all pages")
    # What had come is not fetched again.
    again = [path for path in server.asked[asked:] if path.startswith("reference/")]
    assert len(again) < 10


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
    says(tab, "no room")
    server.away = True
    tab.goto(server.address + RECORDING)
    assert tab.locator("article h1").is_visible()


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
    context: BrowserContext,
    server: Server,
    small: Path,
    tmp_path: Path,
) -> None:
    visit(context, server, "").close()
    # The address that a built site had a moment ago, in the same folder.
    (tmp_path / PROGRAM).parent.mkdir(parents=True)
    shutil.copy(ROOT / PROGRAM, tmp_path / PROGRAM)
    offline.write_worker(tmp_path, previewing=True)
    server.folder = shutil.copytree(small, tmp_path / "site")
    shutil.copy(tmp_path / SCRIPT, server.folder)
    tab = context.new_page()
    tab.goto(server.address)
    # The worker of the built site removes itself, and the page is loaded again.
    wait_for(tab, f"{REGISTERED}.then(number => number == 0)")
    wait_for(tab, "caches.keys().then(all => all.length == 0)")
