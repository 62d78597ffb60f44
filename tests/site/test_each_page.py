"""Each page, opened on a phone; each kind of element, at a desk in the other scheme."""

import gzip
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from lxml import etree, html
from playwright.sync_api import Browser, Page

from tests.conftest import found_once
from tests.promises.site import Site, SitePage
from tests.site.accessibility import COLOURS, LOOKS, RULES, SCHEMES, Scheme, faults
from tests.site.browsing import DESK, PAGES, PHONE, TOO_WIDE, path_of
from tests.thorough import nightly, one_of_each, thorough

PARTS = 4  # so that several processes share what every change must pass
MOST_BYTES, MOST_OF_A_LAB = 250_000, 150_000
MOVED = """() => new Promise(done => {
  const parts = entry => entry.sources.map(source => source.node?.outerHTML);
  const report = list => done(list.getEntries().map(parts));
  new PerformanceObserver(report).observe({type: "layout-shift", buffered: true});
  setTimeout(done, 100, []);
})"""
# Axe would look at each word of each program; one of each kind is enough, below.
PLAIN = """() => {
  for (const token of document.querySelectorAll(".highlight code span[class]:not([id])"))
    if (token.childElementCount == 0) token.replaceWith(token.textContent);
}"""
Kinds = tuple[tuple[str, str], ...]
COMPRESSED = {".woff2", ".png", ".webp"}  # as they are: gzip gains nothing


@dataclass
class Visitor:
    """A reader in one tab; what the browser asked for, and what it reported."""

    tab: Page
    asked: set[str] = field(default_factory=set)
    errors: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Visitor]:
    with browser.new_context() as context:
        visitor = Visitor(context.new_page())
        # Each page is the first: nothing of the others is left in the browser's memory.
        session = context.new_cdp_session(visitor.tab)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        context.on("request", lambda request: visitor.asked.add(request.url))
        context.on("weberror", lambda error: visitor.errors.append(str(error.error)))
        context.on(
            "console",
            lambda said: (
                visitor.errors.append(said.text) if said.type == "error" else None
            ),
        )
        yield visitor


@pytest.fixture(scope="session")
def with_all_kinds(request: pytest.FixtureRequest, site: Site) -> set[Path]:
    """Some pages that have, together, every kind of element that any page has.

    Of these, looks are looked at too; `test_widgets_together` looks at those of widgets.
    """
    return found_once(request, "kinds", lambda: covering(site))


@pytest.fixture(scope="session")
def tokens(request: pytest.FixtureRequest, site: Site) -> str:
    return found_once(request, "tokens", lambda: kinds_of_token(site))


@thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_pages_of_all_kinds_are_sound(
    part: int, visitor: Visitor, with_all_kinds: set[Path], address: str, site: Site
) -> None:
    for number, page in enumerate(sorted(with_all_kinds)[part::PARTS]):
        whole = number == 0
        faults = faults_of(page, visitor, address, site, looks=True, whole=whole)
        assert faults == {}, page


@pytest.mark.parametrize("page", one_of_each(PAGES, others=nightly), ids=str)
def test_a_page_is_sound(
    page: Path, visitor: Visitor, address: str, site: Site
) -> None:
    assert faults_of(page, visitor, address, site) == {}


def faults_of(
    page: Path,
    visitor: Visitor,
    address: str,
    site: Site,
    *,
    looks: bool = False,
    whole: bool = False,
) -> dict[str, object]:
    """Find what is wrong with a page on a phone, and with its looks at a desk as well.

    All that surrounds the article is the same everywhere: axe reads it where the whole
    page is asked for.
    """
    within = None if whole else "article"
    tab = visitor.tab
    tab.goto("about:blank")  # the page before may still ask for something
    visitor.asked.clear()
    visitor.errors.clear()
    wrong: dict[str, object] = {}
    screens = {"phone": PHONE, "desk": DESK} if looks else {"phone": PHONE}
    for (name, screen), scheme in zip(screens.items(), schemes_of(page), strict=False):
        tab.set_viewport_size(screen)
        tab.emulate_media(color_scheme=scheme)
        for _ in range(2):  # a busy machine may hold a font back once
            tab.goto(address + path_of(page))
            wrong[f"moves on a {name}"] = moved = tab.evaluate(MOVED)
            if not moved:
                break
        wrong[f"too wide on a {name}"] = max(0, tab.evaluate(TOO_WIDE))
        tab.evaluate(PLAIN)
        if name == "desk":
            wrong["axe at a desk"] = faults(tab, COLOURS, within)
            continue
        wrong["axe on a phone"] = faults(tab, RULES, within, [] if looks else LOOKS)
        tab.wait_for_load_state("networkidle")
        total, table = first_load(site, visitor.asked, address)
        most = MOST_OF_A_LAB if page.match("labs/*") else MOST_BYTES
        wrong["weight"] = table if total > most else []
    own = (address, "data:", f"blob:{address}")
    wrong["asked elsewhere"] = [u for u in visitor.asked if not u.startswith(own)]
    wrong["errors"] = visitor.errors
    return {what: found for what, found in wrong.items() if found}


@thorough
def test_axe_finds_no_fault_in_any_colour_of_code(
    tokens: str, visitor: Visitor, address: str
) -> None:
    """Each kind of word that any page highlights, once, on each of its grounds."""
    visitor.tab.set_viewport_size(DESK)
    for scheme in SCHEMES:
        visitor.tab.emulate_media(color_scheme=scheme)
        visitor.tab.goto(address + "autograd/value/")
        visitor.tab.locator("article").evaluate(
            "(it, all) => it.innerHTML = all", tokens
        )
        assert faults(visitor.tab, COLOURS, "article") == []


def covering(site: Site) -> set[Path]:
    """Choose pages until every kind of element that pages have is on one of them."""
    kinds = {
        page.source.path.relative_to("docs"): {
            (within, tag, each)
            for path, _ in elements_of(page)
            for (within, _), (tag, classes) in [(("", ""), *path)[-2:]]
            for each in classes.split() or [""]
            if not any(of.startswith("widget ") for _, of in path)
            if not any(it == "math" or "highlight" in of for it, of in path[:-1])
        }
        for page in site.pages
    }
    chosen: set[Path] = set()
    left = set().union(*kinds.values())
    while left:
        best = max(kinds, key=lambda page: len(kinds[page] & left))
        chosen.add(best)
        left -= kinds[best]
    return chosen


def kinds_of_token(site: Site) -> str:
    """Return HTML with each kind of highlighted word in each kind of frame, once."""
    paths = {
        path
        for page in site.pages
        for path, element in elements_of(page)
        if len(element) == 0 and (element.text or "").strip()
        if ("code", "") in path and any("highlight" in kind for _, kind in path)
    }
    assert len(paths) > 100
    return "".join(
        "".join(f'<{name} class="{classes}">' for name, classes in path)
        + "word"
        + "".join(f"</{name}>" for name, _ in reversed(path))
        for path in sorted(paths)
    )


def elements_of(page: SitePage) -> Iterator[tuple[Kinds, html.HtmlElement]]:
    """Yield what an article holds, with the tags and classes from there to it."""
    todo: list[tuple[Kinds, html.HtmlElement]] = []
    todo += [((), html.parse(page.file).find(".//article"))]
    while todo:
        above, element = todo.pop()
        for child in element.iterchildren(etree.Element):
            path = (*above, (str(child.tag), child.get("class", "")))
            yield path, child
            todo.append((path, child))


def schemes_of(page: Path) -> Sequence[Scheme]:
    """Return the scheme of a page on the phone and that at the desk: by turns."""
    return SCHEMES if PAGES.index(page) % 2 else SCHEMES[::-1]


def first_load(site: Site, asked: set[str], address: str) -> tuple[int, list[str]]:
    """Return how many bytes a page's first load takes, and each file's share."""
    sizes = {
        url: weight(file_of(site, url)) for url in asked if url.startswith(address)
    }
    table = [
        f"{size:8,} {url.removeprefix(address)}"
        for url, size in sorted(sizes.items(), key=lambda item: -item[1])
    ]
    total = sum(sizes.values())
    assert total, "the browser was asked for nothing"
    return total, [f"{total:8,} bytes in all:", *table]


def file_of(site: Site, url: str) -> Path:
    """Return the file that a web server sends for a URL."""
    file = site.folder / unquote(urlsplit(url).path).lstrip("/")
    return file / "index.html" if file.is_dir() else file


@cache
def weight(file: Path) -> int:
    """Return how many bytes of a file travel."""
    data = file.read_bytes()
    return len(data if file.suffix in COMPRESSED else gzip.compress(data, 9))
