"""Search, reading progress, keyboard shortcuts, the 404 page, and print."""

import json
import re
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import Page, expect

from tests.built_site import Site
from tests.marks import thorough
from tests.site.browsing import QuietHandler, serve_folder, wait_until_true
from weave.guide import Guide, url_path

# Sends queries to the theme's search, started as its page does, without typing.
RUN_QUERIES_JS = """async queries => {
  const { base, search } = JSON.parse(document.querySelector("#__config").textContent);
  const address = new URL(base, location);
  const index = await fetch(new URL("search/search_index.json", `${address}/`));
  const worker = new Worker(new URL(search, location));
  const ask = (type, data) => new Promise(done => {
    worker.onmessage = message => done(message.data.data);
    worker.postMessage({ type, data });
  });
  await ask(0, { ...await index.json(), options: { suggest: true } });
  const results = {};
  for (const query of queries) results[query] = (await ask(2, query)).items.slice(0, 3);
  worker.terminate();
  return results;
}"""


def test_search_ranks_names_and_explanations_first(tab: Page, address: str) -> None:
    tab.goto(f"{address}counting/dataset/")
    text = Path(__file__).with_name("searches.yml").read_text("utf-8")
    names, questions = (yaml.safe_load(text)[kind] for kind in ("names", "questions"))
    phrases = yaml.safe_load(Path("web/search-phrases.yml").read_text("utf-8"))
    listed = {
        f"{p}": url_path(Path("docs", name)) for name, ps in phrases.items() for p in ps
    }
    queries = [*names, *questions, *listed, "xqzzyv"]
    results = tab.evaluate(RUN_QUERIES_JS, queries)
    assert results["xqzzyv"] == []
    for typed, wanted in names.items():
        first = [part["location"] for page in results[typed][:3] for part in page]
        assert any(location.startswith(wanted) for location in first), typed
    for typed, wanted in questions.items():
        first = [page[0]["location"] for page in results[typed][:2]]
        assert any(location.startswith(wanted) for location in first), typed
        assert not first[0].endswith("-code"), typed
        for section, *_ in results[typed]:
            assert not re.search(r"<pre>|section \d+ of \d+", section["text"])
            assert {"why", "how", "do", "does", "the"}.isdisjoint(section["terms"])
    missed = {
        phrase: page
        for phrase, page in listed.items()
        if page
        not in [remove_anchor(found[0]["location"]) for found in results[phrase][:2]]
    }
    assert missed == {}


def remove_anchor(location: str) -> str:
    return location.partition("#")[0]


def test_search_index_contains_every_page(site: Site, guide: Guide) -> None:
    index = json.loads((site.folder / "search/search_index.json").read_text("utf-8"))
    pages = {url_path(path) for path in [*guide.page_paths, *guide.lab_paths]}
    assert {remove_anchor(entry["location"]) for entry in index["docs"]} == pages


@thorough
def test_read_page_is_ticked_and_home_continues(fresh_tab: Page, address: str) -> None:
    fresh_tab.goto(f"{address}attention/rmsnorm/")
    fresh_tab.mouse.wheel(0, 100)
    expect(fresh_tab.locator(".md-nav .read-mark")).to_have_count(0)
    fresh_tab.wait_for_timeout(1500)  # the end must be seen for a second, and was not
    state = json.loads(fresh_tab.evaluate("localStorage['guide:reading']"))
    assert state == {"last": "attention/rmsnorm/", "read": []}
    fresh_tab.locator(".md-footer").scroll_into_view_if_needed()
    tick = fresh_tab.locator(".md-nav__link:has(> .read-mark)").filter(visible=True)
    expect(tick).to_have_text(re.compile(r"RMSNorm\s+✓"))
    fresh_tab.goto(address)
    start = fresh_tab.locator("article a.md-button--primary")
    expect(start).to_have_text("Go on with “The cache”")
    assert start.evaluate("x => x.pathname") == "/attention/cache/"


def test_keys_reach_content_search_and_next_page(fresh_tab: Page, address: str) -> None:
    urls: list[str] = []
    fresh_tab.on("request", lambda request: urls.append(request.url))
    fresh_tab.goto(f"{address}autograd/value/", wait_until="networkidle")
    fresh_tab.keyboard.press("Tab")
    assert "md-skip" in fresh_tab.evaluate("document.activeElement.className")
    # The search index is loaded only when somebody searches.
    assert "search_index" not in f"{urls}"
    fresh_tab.keyboard.press("/")
    fresh_tab.locator("#__search:checked").wait_for(state="attached")
    fresh_tab.keyboard.type("Value.__add__", delay=30)
    first_result = fresh_tab.locator(".md-search-result__item a").first
    expect(first_result).to_have_attribute("href", re.compile("autograd/recording/"))
    assert f"{urls}".count("search_index") == 1
    fresh_tab.keyboard.press("Escape")
    fresh_tab.locator(".md-footer__link--next").focus()
    fresh_tab.keyboard.press("Enter")
    fresh_tab.wait_for_url("**/autograd/recording/")
    # The words of a search are marked on the page that it led to.
    fresh_tab.goto(f"{address}autograd/order/?h=topological")
    fresh_tab.locator("article mark").first.wait_for(state="attached")


def test_table_of_contents_marks_clicked_section(fresh_tab: Page, address: str) -> None:
    fresh_tab.goto(f"{address}counting/loss/")
    contents = fresh_tab.locator(".md-sidebar--secondary .md-nav__list")
    for link in contents.get_by_role("link").all():
        link.click()
        marked = contents.locator(".md-nav__link--active").last
        expect(marked).to_have_text(link.inner_text())


@thorough
def test_keyboard_shortcuts_can_be_turned_off(fresh_tab: Page, address: str) -> None:
    fresh_tab.goto(f"{address}attention/rmsnorm/")
    fresh_tab.keyboard.press("?")
    dialog = fresh_tab.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    # Single keys are pressed here, the editor's in test_code_blocks.py.
    names, actions = (dialog.locator(x).all_text_contents() for x in ("dt", "dd"))
    assert dict(zip(names, actions, strict=True)) == {
        "/": "search",
        "n": "the next page",
        "p": "the page before",
        "?": "this help",
        "Shift+Enter or Ctrl+Enter": "run the block of code that has the focus",
        "Escape": "close what is open; leave the editor, then Tab goes on",
    }
    dialog.get_by_role("checkbox").uncheck()
    fresh_tab.keyboard.press("Escape")
    expect(dialog).not_to_be_visible()
    for key in ("?", "/", "n"):
        fresh_tab.keyboard.press(key)
    expect(dialog).not_to_be_visible()
    expect(fresh_tab.locator("#__search")).not_to_be_checked()
    assert fresh_tab.url == f"{address}attention/rmsnorm/"
    fresh_tab.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_role("checkbox").check()
    fresh_tab.keyboard.press("Escape")
    fresh_tab.keyboard.press("/")
    expect(fresh_tab.locator(".md-search__input")).to_be_focused()
    # The theme opens the search a moment later, and Escape closes only an open one.
    expect(fresh_tab.locator("#__search")).to_be_checked()
    fresh_tab.keyboard.press("Escape")
    fresh_tab.keyboard.press("n")
    fresh_tab.wait_for_url("**/attention/cache/")
    fresh_tab.keyboard.press("p")
    fresh_tab.wait_for_url("**/attention/rmsnorm/")


@pytest.mark.parametrize("path", ["attenton/rmsnrm/", "a/b/c/d/rmsnrm"])
def test_404_page_offers_a_search(path: str, fresh_tab: Page, site: Site) -> None:
    """The build does not know the folder: `SITE_URL` is not set."""
    not_found_html = (site.folder / "404.html").read_text("utf-8")

    class NotFoundHandler(QuietHandler):
        def send_error(self, code: int, *of: object) -> None:
            self.send_text(not_found_html, "text/html; charset=utf-8", code)

    with serve_folder(site.folder.parents[1], NotFoundHandler) as address:
        address += f"{site.folder.parent.name}/{site.folder.name}/"
        fresh_tab.goto(address + path)
        article = fresh_tab.locator("article")
        expect(article.locator(".search-guide")).to_have_css("cursor", "pointer")
        wait_until_true(fresh_tab, "document.fonts.check('1em Literata')")
        # No page has been read.
        expect(article.locator(".continue-reading")).to_be_hidden()
        fresh_tab.get_by_role("button", name="Search the guide").click()
        expect(fresh_tab.locator(".md-search__input")).to_be_focused()
        first = fresh_tab.locator(".md-search-result__link").first
        expect(first).to_contain_text("RMSNorm")
        assert first.evaluate("x => x.href").startswith(address)
        article.get_by_role("link", name="Home").evaluate("x => x.click()")
        fresh_tab.wait_for_url(address)


def test_page_from_disk_says_why_nothing_runs(fresh_tab: Page, site: Site) -> None:
    fresh_tab.goto((site.folder / "autograd/value/index.html").as_uri())
    assert fresh_tab.get_by_text("python -m http.server").count() == 1
    buttons = fresh_tab.locator(".run, .edit, .controls, .offline")
    assert buttons.filter(visible=True).count() == 0


ELEMENTS_BEYOND_PAPER_JS = """() => [...document.querySelectorAll("article *")]
  .filter(x => !x.closest("svg, math") || x.matches("svg, math"))
  .filter(x => getComputedStyle(x).display !== "inline") // its last space may hang out
  .filter(x => x.getBoundingClientRect().width > 1)
  .filter(x => x.getBoundingClientRect().right > document.body.clientWidth + 1)
  .map(x => x.outerHTML.slice(0, 80))"""


def test_printed_page_fits_and_has_no_controls(fresh_tab: Page, address: str) -> None:
    fresh_tab.emulate_media(media="print", color_scheme="dark")
    fresh_tab.set_viewport_size({"width": 673, "height": 950})  # A4 without its margins
    fresh_tab.goto(f"{address}autograd/backward/")
    assert fresh_tab.evaluate(ELEMENTS_BEYOND_PAPER_JS) == []
    controls = "button, .cell-toolbar, .controls, header, footer, .md-nav, .headerlink"
    assert fresh_tab.locator(controls).filter(visible=True).count() == 0
    expect(fresh_tab.locator(".solution pre").first).to_be_visible()
    body = fresh_tab.locator("body")
    expect(body).to_have_css("background-color", "rgb(255, 255, 255)")
    assert 4 <= count_printed_pages(fresh_tab) < 15
    fresh_tab.goto(f"{address}reference/recap-sheet/")
    assert 1 < count_printed_pages(fresh_tab) <= 4


def count_printed_pages(tab: Page) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", tab.pdf(format="A4")))
