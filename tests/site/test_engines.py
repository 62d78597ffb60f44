"""What pages promise, in the engines of Firefox and Safari: all other tests are in that of Chrome."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.promises.site import Site
from tests.site.browsing import Handler, served
from tests.site.engines import Engine, Firefox, WebKit
from tests.thorough import thorough

pytestmark = thorough

PROGRAMS = {
    Firefox: ["firefox-esr", "firefox"],
    WebKit: ["WebKitWebDriver"],
}
# Comes first in each page: what goes wrong there, for those who drive it from outside.
WATCH = """
window.wrong = [];
for (const kind of ["error", "unhandledrejection"])
  addEventListener(kind, (event) => wrong.push(`${event.message ?? event.reason}`));
"""
BAR = "document.querySelector('#block-1 .bar')"
PRINTED = "document.querySelector('#block-1 pre.output').textContent"
SAYS = "document.querySelector('.widget .says').textContent"


class Watched(Handler):
    """Serves pages that remember what went wrong in them."""

    def do_GET(self) -> None:
        file = Path(self.translate_path(self.path))
        file = file / "index.html" if file.is_dir() else file
        if self.path.endswith("/watch.js"):
            self.answer(WATCH, "text/javascript")
        elif file.suffix == ".html":
            script = '<head><script src="/watch.js"></script>'
            html = file.read_text("utf-8").replace("<head>", script, 1)
            self.answer(html, "text/html; charset=utf-8")
        else:
            super().do_GET()


@pytest.fixture(scope="module", params=PROGRAMS, ids=lambda kind: kind.__name__)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """A browser whose reader comes for the first time; the tests go on where others ended."""
    programs = PROGRAMS[request.param]
    if not any(map(shutil.which, programs)):
        reason = f"no {request.param.__name__} here: install {programs[0]}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    browser: Engine = request.param()
    yield browser
    browser.close()


@pytest.fixture(scope="module")
def pages(engine: Engine, site: Site) -> Iterator[str]:
    with served(site.folder, Watched) as address:
        yield address


@pytest.fixture(autouse=True)
def nothing_goes_wrong(engine: Engine) -> Iterator[None]:
    yield
    assert engine.value("window.wrong ?? []") == []


def write(engine: Engine, code: str) -> None:
    """Replace what stands in the editor of the first block, as typing would."""
    engine.until("!!document.querySelector('#block-1 .cm-content')")
    engine.run(f"""
        document.querySelector("#block-1 .cm-content").focus();
        document.execCommand("selectAll");
        document.execCommand("insertText", false, {code!r});
    """)


def run(engine: Engine, ending: str = "done") -> str:
    """Run the first block until its bar says that it has ended so; return what it printed."""
    engine.run(f"delete {BAR}.dataset.state")
    engine.press("#block-1 .run")
    states = [ending, "done", "failed", "stopped"]
    state = engine.until(f"{states}.find(x => x === {BAR}.dataset.state)")
    assert state == ending, engine.value(f"{BAR}.textContent")
    return str(engine.value(PRINTED))


def test_a_block_runs_is_edited_and_stops(engine: Engine, pages: str) -> None:
    engine.open(f"{pages}autograd/recording/")
    shown = engine.value(PRINTED)
    assert run(engine) == shown
    assert engine.value(f"{BAR}.textContent").count("same output") == 1
    engine.press("#block-1 .edit")
    write(engine, "print(6 * 7)")
    assert run(engine) == "42\n"
    # The same Python goes on, so that nobody has to wait for another; only a busy machine,
    # on which it takes seconds to stop, may have to start one.
    assert any(goes_on_after_a_stop(engine) for _ in range(3))


def goes_on_after_a_stop(engine: Engine) -> bool:
    """Stop an endless loop and run another program; tell whether that is in the same Python."""
    write(engine, "import keyword\nkeyword.kwlist.append('marked')\nwhile True: pass")
    run(engine, "running")
    engine.press("h1")  # or Run and Stop, in one place, would be a double click
    engine.press("#block-1 .stop")
    engine.until(f"{BAR}.dataset.state === 'stopped'")
    write(engine, "import keyword\nprint('marked' in keyword.kwlist)")
    return run(engine) == "True\n"


def test_the_next_page_starts_python_from_the_snapshot(
    engine: Engine, pages: str
) -> None:
    engine.open(f"{pages}autograd/value/")
    assert run(engine) == engine.value(PRINTED)
    kept = engine.run("""
        const cache = await caches.open(`guide ${location.origin}/ python`);
        return (await cache.keys()).length;
    """)
    assert kept == 1


def come_alive(engine: Engine, widget: str) -> None:
    """Go to a widget, and wait until the page's script has taken it over."""
    found = f"document.querySelector('[data-widget={widget}]')"
    engine.run(f"{found}.scrollIntoView()")
    engine.until(f"'alive' in {found}.dataset")


def test_an_instrument_answers(engine: Engine, pages: str) -> None:
    engine.open(f"{pages}attention/what-changes/")
    come_alive(engine, "attention")
    before = engine.value(SAYS)
    engine.press(".widget.attention input[type=text]")
    engine.type("na")
    engine.until(f"{SAYS} !== {before!r}")


def test_a_model_trains_in_the_page(engine: Engine, pages: str) -> None:
    engine.open(f"{pages}adam/what-changes/")
    come_alive(engine, "trainer")
    engine.press(".widget.trainer .train")
    engine.until(f"{SAYS}.startsWith('After ')")


def test_search_finds_a_page_and_colours_change_and_stay(
    engine: Engine, pages: str
) -> None:
    engine.open(pages)
    paper = "getComputedStyle(document.body).backgroundColor"
    before = engine.value(paper)
    for _ in range(3):  # the system's, light and dark, in some order
        engine.press(".scheme button")
        if engine.value(paper) != before:
            break
    after = engine.value(paper)
    assert after != before
    engine.open(f"{pages}attention/scores/")
    assert engine.value(paper) == after
    # Formulas and terms are drawn here, too.
    style = "getComputedStyle(document.querySelector('article {}')).{}"
    for element in ("data", "a.term"):
        assert engine.value(style.format(element, "textDecorationStyle")) == "dotted"
    widths = "[...document.querySelectorAll('article math')].map(x => x.getBoundingClientRect().width)"
    assert min(engine.value(widths)) > 3
    engine.type("/")
    engine.until("document.activeElement?.matches('.md-search__input') ?? false")
    engine.type("learning rate")
    engine.until("!!document.querySelector('.md-search-result__item a')")


def test_after_one_visit_it_works_without_the_network(
    engine: Engine, small: Path
) -> None:
    with served(small) as address:  # as they are, which their hashes say
        engine.open(f"{address}autograd/recording/")
        engine.press("h1")  # a sign that somebody reads
        engine.press(".offline .keep-all")
        engine.until("document.querySelector('.offline .keep-all').hidden")
    engine.open(f"{address}autograd/recording/")
    assert run(engine) == engine.value(PRINTED)
    engine.open(f"{address}autograd/order/")
    assert "order" in engine.value("document.title")
