"""The ladder of speeds in a reader's hands: recorded bars, and those measured here."""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect

from tests.site.browsing import LONG
from tests.thorough import thorough
from widgets.speeds.model import SpeedsSetting, SpeedsTime, speeds

# All widgets together are looked at every day.
pytestmark = thorough

PAGE = "efficiency/speeds/"
DASH = "–"


def opened(context: BrowserContext, address: str) -> Locator:
    tab = context.new_page()
    tab.goto(address + PAGE)
    figure = tab.locator("[data-widget=speeds]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def settings(grown: str) -> list[SpeedsSetting]:
    (page,) = speeds(task="page")
    return [one for one in page["settings"] if one["grown"] == grown]


def milliseconds(text: str) -> float:
    number, unit = text.split()
    return float(number) * {"ms": 1, "s": 1000}[unit]


def cells(figure: Locator, engine: str) -> list[str]:
    row = figure.locator("tbody tr", has=figure.page.get_by_text(engine, exact=True))
    return row.locator("td:not(.track)").all_inner_texts()


def expect_recorded(figure: Locator, engines: list[SpeedsTime]) -> None:
    rows = figure.locator("tbody tr").all()
    shown = {row.locator("th").inner_text(): row for row in rows}
    for time in engines:
        ms, times, *_ = cells(figure, time["engine"])
        assert milliseconds(ms) == pytest.approx(time["ms"], rel=6e-3)
        ratio = float(times.removesuffix(" ×").replace(",", ""))
        assert ratio == pytest.approx(time["times"], rel=0.06)
    missing = set(shown) - {time["engine"] for time in engines}
    assert all(cells(figure, name)[0] == DASH for name in missing)


def lengths(figure: Locator, kind: str) -> list[float]:
    return [
        bar.bounding_box()["width"] for bar in figure.locator(f".length.{kind}").all()
    ]  # type: ignore[index]


def test_without_scripts_the_ladder_stands_there(
    browser: Browser, address: str
) -> None:
    with browser.new_context(java_script_enabled=False) as context:
        tab = context.new_page()
        tab.goto(address + PAGE)
        figure = tab.locator("[data-widget=speeds]")
        (ladder,) = settings("names")
        expect_recorded(figure, ladder["engines"])
        assert len(lengths(figure, "recorded")) == len(ladder["engines"])
        expect(figure.locator(".controls").first).not_to_be_visible()


def test_bars_are_in_order_and_ten_times_is_one_line(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    (ladder,) = settings("names")
    widths = lengths(figure, "recorded")
    times = [time["ms"] for time in ladder["engines"]]
    order = sorted(range(len(times)), key=times.__getitem__)
    assert sorted(range(len(widths)), key=widths.__getitem__) == order
    # The lines are drawn by the look of the table, which is told how many there are.
    ten_times = figure.locator("tbody").evaluate(
        """body => body.querySelector(".length").parentElement.getBoundingClientRect()
            .width / Number(body.style.getPropertyValue("--powers"))"""
    )
    for width, ms in zip(widths, times, strict=True):
        slower = math.log10(ms / times[0])
        assert width - widths[0] == pytest.approx(ten_times * slower, abs=2)


def test_each_size_shows_its_recorded_times(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    for grown in ("layers", "width", "context", "batch"):
        figure.get_by_role("button", name=grown, exact=True).press("Enter")
        slider = figure.locator("input[type=range]")
        for place, setting in enumerate(settings(grown)):
            if place > 0:
                slider.press("ArrowRight")
            says = figure.locator(".says")
            layers = f"{setting['layers']} layer{'s' * (setting['layers'] > 1)}"
            expect(says).to_have_text(
                f"{layers}, width {setting['width']}, context {setting['context']},"
                f" batch {setting['batch']}: {setting['parameters']:,} parameters"
            )
            expect_recorded(figure, setting["engines"])
            assert not re.search(r"NaN|undefined|Infinity", figure.inner_text())


def test_readers_measure_beside_the_record(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    assert lengths(figure, "own") == []
    figure.get_by_role("button", name="Measure here").press("Enter")
    verdict = figure.locator(".verdict")
    expect(verdict).to_contain_text("agree to 1e-9", timeout=LONG)
    expect(figure.locator(".length.own")).to_have_count(3)
    (ladder,) = settings("names")
    expect_recorded(figure, ladder["engines"])
    for engine in ("value", "dot", "lists"):
        assert milliseconds(cells(figure, engine)[2]) > 0
    assert cells(figure, "numpy")[2:] == [DASH, DASH]
    # Another setting has none of the reader's own; back again, they are there.
    figure.get_by_role("button", name="width", exact=True).click()
    expect(figure.locator(".length.own")).to_have_count(0)
    figure.get_by_role("button", name="as in the table").click()
    expect(figure.locator(".length.own")).to_have_count(3)


def test_what_would_take_too_long_is_not_begun(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address)
    figure.get_by_role("button", name="width", exact=True).click()
    figure.locator("input[type=range]").press("End")
    expect(figure.locator(".verdict")).to_contain_text("too long for a page")
    button = figure.get_by_role("button", name="Measure here")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    expect(figure.locator(".python")).to_have_attribute("data-busy", "false")
