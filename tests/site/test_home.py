"""Home in a reader's hands: names come, and the map leads where it says."""

from __future__ import annotations

import json
import random
import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, expect

from microgpt import load_model, sample
from tests.site.accessibility import COLOURS, assert_no_fault, show
from tests.site.browsing import LONG, PHONE
from tests.thorough import thorough
from weave.guide import Guide
from weave.kinds.listing import homes
from widgets.generator.model import generator

# Keeps what is on the screen whenever a letter has been picked.
WATCH = """it => {
  window.seen = [];
  const all = (name) => [...it.querySelectorAll(name)];
  const look = () => {
    if (it.querySelector(".column.picked") === null) return;
    const letters = all(".letters .letter").map(x => x.textContent);
    seen.push([letters, all(".column .fill").map(x => parseFloat(x.style.height))]);
  };
  const how = {subtree: true, childList: true, attributes: true, characterData: true};
  new MutationObserver(look).observe(it, how);
}"""


def invented(tab: Page) -> list[str]:
    return tab.locator(".generator .invented li").all_inner_texts()


def name_of(seed: int) -> str:
    model, tokenizer = load_model()
    return sample(model, tokenizer, random.Random(seed))


@thorough
def test_a_name_comes_letter_by_letter_and_python_only_when_asked(
    newcomer: BrowserContext, address: str, guide: Guide
) -> None:
    tab = newcomer.new_page()
    tab.set_viewport_size({"width": 1280, "height": 800})
    asked: list[str] = []

    def note(request: Request) -> None:
        if "pyodide" in request.url:
            asked.append(request.url)

    newcomer.on("request", note)
    tab.goto(address)
    figure = tab.locator("[data-widget=generator]")
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    given = json.loads(figure.locator("script").text_content() or "")
    (seed,) = given["parameters"].values()
    names = [name_of(seed + more) for more in range(4)]
    assert given["result"] == json.loads(json.dumps(generator(seed)))
    assert invented(tab) == names[:1]
    button = figure.locator("button.main")
    start = tab.get_by_role("link", name=re.compile("Start with Step 0"))
    for part in (button, start, figure.locator(".columns")):
        box = part.bounding_box()
        assert box and box["y"] + box["height"] < 800
    assert asked == []

    # The next name is the page's; each of its letters is drawn from what was shown.
    figure.evaluate(WATCH)
    button.click()
    expect(button).to_have_text("Stop")
    lit = figure.locator(".source-line.lit")
    line = given["result"]["source_line"]
    expect(lit).to_have_text(
        f"Line {line['number']} of {line['path']} picks each letter: {line['text']}"
    )
    status = figure.locator(".sr-only[role=status]")
    expect(status).to_contain_text(f"The name is “{names[1]}”.")
    assert invented(tab) == [names[1], names[0]]
    shown = {tuple(letters): heights for letters, heights in tab.evaluate("seen")}
    word = [*names[1], "end"]
    assert list(shown) == [tuple(word[:count]) for count in range(1, len(word) + 1)]
    for letters, heights in shown.items():
        before = names[1][: len(letters) - 1]
        p = given["result"]["places"][before]["probabilities"]
        wanted = [100 * each / max(p) for each in p]
        assert heights == pytest.approx(wanted, abs=0.06)

    # Python has come meanwhile, and goes on with a seed of its own.
    expect(figure.locator(".python")).to_have_attribute(
        "data-busy", "false", timeout=LONG
    )
    assert asked
    button.press("Enter")
    expect(figure.locator(".says")).to_contain_text("in your browser", timeout=LONG)
    says = figure.locator(".says").inner_text()
    found = re.search(r"“(\w*)”.+ Seed (\d+),", says)
    assert found
    assert found[1] == name_of(int(found[2])) == invented(tab)[0]

    # Stopped in the middle, it stays as it is, and the next one begins anew.
    button.click()
    button.click()
    expect(button).to_have_text("Another name")
    expect(status).to_contain_text("Stopped")
    assert len(invented(tab)) == 3
    home = next(
        h for (path, _), h in homes(guide).items() if path.name == "sampling.py"
    )
    figure.locator(".source-line a").click()
    tab.wait_for_url(f"**/{home.page.path.stem}/#{home.anchor}")


def test_home_on_a_phone_without_scripts_has_a_name_the_ladder_and_a_map_of_links(
    browser: Browser, address: str
) -> None:
    with browser.new_context(java_script_enabled=False, viewport=PHONE) as context:
        tab = context.new_page()
        tab.goto(address)
        assert tab.locator(".generator .letters li").count() > 1
        assert tab.locator(".generator button:visible").count() == 0
        assert tab.locator(".ladder .rung:visible").count() == 8
        ways = tab.locator(".minimap svg a")
        assert ways.count() > 100
        assert all(ways.evaluate_all("all => all.map(x => x.href.baseVal)"))


@thorough
def test_the_map_is_one_stop_for_tab_and_arrows_walk_through_it(
    tab: Page, address: str
) -> None:
    tab.goto(address)
    box = tab.locator(".minimap")
    box.scroll_into_view_if_needed()
    expect(box).to_have_attribute("data-alive", "", timeout=LONG)
    assert tab.locator(".minimap a[tabindex='0']").count() == 1
    labels = box.locator("svg a").evaluate_all("all => all.map(x => x.ariaLabel)")
    box.locator("[tabindex='0']").focus()
    tab.keyboard.press("ArrowDown")
    said = box.locator(".said")
    expect(said).to_have_text(labels[0])
    tab.keyboard.press("End")
    expect(said).to_have_text(labels[-1])
    tab.keyboard.press("ArrowLeft")
    expect(said).to_contain_text("the whole file")
    assert_no_fault(tab, within=".minimap")
    show(tab, "dark")
    assert_no_fault(tab, COLOURS, ".minimap")
    way = box.locator("svg a[aria-label*='autograd.py']").nth(3)
    way.hover()
    expect(said).to_have_text(way.get_attribute("aria-label") or "")
    way.focus()
    target = way.get_attribute("href") or ""
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"**/{target}")


def test_a_first_touch_of_the_map_says_where_the_second_leads(
    browser: Browser, address: str
) -> None:
    with browser.new_context(has_touch=True, viewport=PHONE) as context:
        tab = context.new_page()
        tab.goto(address)
        box = tab.locator(".minimap")
        box.scroll_into_view_if_needed()
        expect(box).to_have_attribute("data-alive", "", timeout=LONG)
        way = box.locator("svg a[aria-label*='nn.py']").first
        way.tap()
        expect(box.locator(".said")).to_have_text(way.get_attribute("aria-label") or "")
        assert tab.url == address
        target = way.get_attribute("href")
        box.locator(".said a").tap()
        tab.wait_for_url(f"**/{target}")
