"""Letters that become tokens of several letters, in a reader's hands."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.site.browsing import LONG
from tests.thorough import thorough
from widgets.bpe.model import Bpe, bpe

# All widgets together are looked at every day.
pytestmark = thorough

GIVEN = "christopher"


def opened(context: BrowserContext, address: str) -> Locator:
    """Open the page of the widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}efficiency/left-out/")
    figure = tab.locator("[data-widget=bpe]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def assert_shown(figure: Locator, result: Bpe, at: int) -> None:
    """The rows are Python's, and those up to a step can be seen."""
    rows = figure.locator(".rows > li")
    expect(rows).to_have_count(len(result["steps"]), timeout=LONG)
    for number, step in enumerate(result["steps"]):
        row = rows.nth(number)
        chips = row.locator(".chip")
        texts = [piece["text"] + ", new" * piece["made"] for piece in step["pieces"]]
        expect(chips).to_have_text(texts, timeout=LONG)
        expect(row.locator(".says")).to_have_text(f"{step['says']} ({step['counts']})")
        next_ones = [i for i, x in enumerate(step["pieces"]) if x["next"]]
        for i in range(len(texts)):
            style = re.compile(r"\bnext\b")
            assertion = expect(chips.nth(i))
            if i in next_ones:
                assertion.to_have_class(style)
            else:
                assertion.not_to_have_class(style)
        if number > at:
            expect(row).to_be_hidden()
        else:
            expect(row).to_be_visible()
    outcome = figure.locator(".outcome")
    expect(outcome).to_have_text(result["outcome"])
    if at == len(result["steps"]) - 1:
        expect(outcome).to_be_visible()
    else:
        expect(outcome).to_be_hidden()


def test_the_page_shows_all_merges_of_its_name_before_any_script(
    browser: Browser, address: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        tab = context.new_page()
        tab.goto(f"{address}efficiency/left-out/")
        result = bpe(GIVEN)
        figure = tab.locator("[data-widget=bpe]")
        assert_shown(figure, result, len(result["steps"]) - 1)


def test_a_typed_name_is_merged_step_by_step_with_the_keyboard(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    field = figure.locator("input[type=text]")
    field.fill("anandan")
    field.press("Enter")
    result = bpe("anandan")
    assert_shown(figure, result, 0)
    on = figure.get_by_role("button", name="One step on")
    on.focus()
    for at in range(1, len(result["steps"])):
        figure.page.keyboard.press("Enter")
        assert_shown(figure, result, at)
    expect(on).to_have_attribute("aria-disabled", "true")
    figure.page.keyboard.press("Home")
    assert_shown(figure, result, 0)


def test_a_name_that_no_merge_fits_says_so_and_a_wrong_one_is_refused(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    figure.get_by_role("button", name="zyx").click()
    assert_shown(figure, bpe("zyx"), 0)
    field = figure.locator("input[type=text]")
    field.fill("zoë")
    field.press("Enter")
    expect(figure.locator(".refusal")).to_contain_text("does not know", timeout=LONG)
    expect(figure.locator(".answer")).to_have_class(re.compile("stale"))
