"""A running mean and a race in a reader's hands: what they show is Python's."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect

from tests.site.browsing import outline
from tests.thorough import thorough
from widgets.race.model import model as race_
from widgets.running_mean.model import model as running_mean_

# All widgets together are looked at every day.
pytestmark = thorough

MEAN, RACE, CORRECTED = "adam/momentum", "adam/momentum", "adam/bias-correction"


def opened(context: BrowserContext, address: str, page: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{page}/")
    figure = tab.locator(f"[data-widget={name}]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "")
    return figure


def at_rest(figure: Locator) -> None:
    """Wait until Python has answered all that it was asked."""
    expect(figure.locator(".stale")).to_have_count(0)
    expect(figure.locator(".python")).to_have_attribute("data-busy", "false")
    expect(figure.locator(".python [role=status]")).to_have_text("")


def number(text: str) -> float:
    """Read a number as readers see it."""
    text = text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    return float(text)


def numbers(within: Locator) -> list[float]:
    return [number(text) for text in within.all_inner_texts()]


def near(true: float) -> Any:
    """A number to three decimals; a very small one to three digits."""
    return pytest.approx(true, abs=0.00051) if abs(true) >= 5e-4 else _tiny(true)


def _tiny(true: float) -> Any:
    return pytest.approx(true, rel=0.006)


def slide(figure: Locator, name: str, value: float) -> None:
    figure.get_by_role("slider", name=re.compile(f"^{name}")).fill(str(value))


# A running mean


@cache
def running_mean(beta: float, series: Any, corrected: bool) -> Any:
    return running_mean_.running_mean(beta, series, corrected)


def assert_mean(figure: Locator, result: Any, step: int) -> None:
    """Both tables and all curves are Python's."""
    now, facts = figure.locator(".readout").all()
    expect(now.locator("caption")).to_have_text(f"Step {step:,}")
    lists = ["values", "mean"]
    lists += ["share", "corrected"] if result["corrected"] else []
    for shown, key in zip(numbers(now.locator("td")), lists, strict=True):
        assert shown == near(result[key][step - 1])
    texts = facts.locator("td").all_inner_texts()
    steps = result["half"]
    assert texts[3] == f"{steps} step{'s' if steps > 1 else ''}"
    keys = ["newest", "window", "held", "series_moves", "mean_moves"]
    for text, key in zip(texts[:3] + texts[4:], keys, strict=True):
        assert number(text) == pytest.approx(result[key], rel=0.01, abs=0.0006)
    drawn = ["values", "mean"] + (["corrected"] if result["corrected"] else [])
    lines = figure.locator(".plane path.line")
    expect(lines).to_have_count(len(drawn))
    heights, values = [], []
    for line, key in zip(lines.all(), drawn, strict=True):
        heights += [y for _, y in outline(line)]
        values += result[key]
    assert len(heights) == len(values)
    # Pixels downwards on one scale for all curves: two of them say which.
    low, high = values.index(min(values)), values.index(max(values))
    scale = (heights[high] - heights[low]) / (values[high] - values[low])
    assert scale < 0
    expected = [heights[low] + scale * (value - values[low]) for value in values]
    assert heights == pytest.approx(expected, abs=0.4)


def test_a_running_mean_is_shown_before_python_is_loaded(
    context: BrowserContext, address: str
) -> None:
    asked: list[str] = []
    for page, beta, corrected in ((MEAN, 0.85, False), (CORRECTED, 0.95, True)):
        figure = opened(context, address, page, "running_mean")
        figure.page.on("request", lambda request: asked.append(request.url))
        result = running_mean(beta, "jump", corrected)
        assert_mean(figure, result, 5)
        size = figure.bounding_box()
        scale = figure.get_by_role("slider", name="Step")
        for key, step in (("Home", 1), ("ArrowRight", 2), ("End", 100)):
            scale.press(key)
            assert_mean(figure, result, step)
        figure.get_by_role("button", name="One step back").press("Enter")
        assert_mean(figure, result, 99)
        said = figure.locator(".scrub [role=status]")
        expect(said).to_contain_text("step 99: gradient ")
        assert figure.bounding_box() == size
    assert not [url for url in asked if "pyodide" in url]


def test_beta_and_series_are_chosen_with_the_keyboard(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, CORRECTED, "running_mean")
    beta = figure.get_by_role("slider", name="β")
    beta.press("ArrowRight")
    at_rest(figure)
    assert_mean(figure, running_mean(0.96, "jump", True), 5)
    for end, value in (("End", 0.99), ("Home", 0)):
        beta.press(end)
        at_rest(figure)
        assert_mean(figure, running_mean(value, "jump", True), 5)
    slide(figure, "β", 0.9)
    button = figure.get_by_role("button", name="a real gradient")
    button.press("Enter")
    at_rest(figure)
    expect(button).to_have_attribute("aria-pressed", "true")
    assert_mean(figure, running_mean(0.9, "gradient", True), 5)
    figure.get_by_role("button", name="noise alone").press("Enter")
    at_rest(figure)
    assert_mean(figure, running_mean(0.9, "noise", True), 5)


# A race


@cache
def race(sgd: float, adam: float, steepness: float, turned: bool) -> Any:
    return race_.race(sgd, adam, steepness, turned)


def assert_race(figure: Locator, result: Any, at: int) -> None:
    """The table, the words, the paths and where both are now are Python's at a step."""
    figure.get_by_text(re.compile(rf"^After {at} steps?$")).wait_for()
    runners = (("s1", result["sgd"]), ("s2", result["adam"]))
    cells = figure.locator("tbody tr").all()
    for column, (kind, path) in enumerate(runners):
        shown = [row.locator("td").nth(column).inner_text() for row in cells]
        walked = path["points"][: at + 1]
        if at < len(path["points"]):
            for text, true in zip(
                shown, [*path["points"][at], path["losses"][at]], strict=True
            ):
                if abs(true) >= 1e5:
                    assert number(text) == _tiny(true)
                else:
                    assert number(text) == near(true)
        else:
            assert shown == ["–"] * 3
        drawn = outline(figure.locator(f".valley .line.{kind}"))
        expected = [
            [max(-100_000, min(100_000, 100 * value)) for value in (x, -y)]
            for x, y in walked
        ]
        assert [list(point) for point in drawn] == [
            pytest.approx(point, abs=0.51) for point in expected
        ]
        now = figure.locator(f".now.{kind}")
        x, y = walked[-1]
        if abs(x) > 5.6 or abs(y) > 3.9:
            expect(now).to_have_count(0)
            continue
        left, top = now.evaluate(
            "now => [parseFloat(now.style.left), parseFloat(now.style.top)]"
        )
        assert left == pytest.approx(50 + x / 0.112, abs=0.01)
        assert top == pytest.approx(50 - y / 0.078, abs=0.01)
    ends = [result["sgd"]["end"], result["adam"]["end"]]
    expect(figure.locator(".verdicts p")).to_have_text(ends)
    contours = figure.locator(".contour")
    expect(contours).to_have_count(len(result["contours"]))
    for line, contour in zip(contours.all(), result["contours"], strict=True):
        flat = [(100 * x, -100 * y) for x, y in contour["points"]]
        assert outline(line) == [pytest.approx(point, abs=0.51) for point in flat]


def test_the_race_is_run_before_python_is_loaded(
    context: BrowserContext, address: str
) -> None:
    asked: list[str] = []
    figure = opened(context, address, RACE, "race")
    figure.page.on("request", lambda request: asked.append(request.url))
    result = race(0.038, 0.2, 50, False)
    assert_race(figure, result, 60)
    size = figure.bounding_box()
    on = figure.get_by_role("button", name="One step on")
    on.press("Home")
    for at in range(4):
        assert_race(figure, result, at)
        on.press("Enter")
    said = figure.locator(".player [role=status]")
    expect(said).to_have_text(re.compile(r"^SGD: loss [\d.]+, Adam: loss [\d.]+$"))
    figure.get_by_role("slider", name="Steps of the race").press("End")
    assert_race(figure, result, 60)
    assert figure.bounding_box() == size
    assert not [url for url in asked if "pyodide" in url]


def test_other_rates_and_valleys_are_asked_of_python(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, RACE, "race")
    figure.get_by_role("button", name="SGD too fast").press("Enter")
    at_rest(figure)
    result = race(0.05, 0.2, 50, False)
    assert "explodes" in result["sgd"]["end"]
    assert_race(figure, result, 60)
    scale = figure.get_by_role("slider", name="Steps of the race")
    scale.fill("20")
    assert_race(figure, result, 20)
    figure.get_by_label("turn the valley").press("Space")
    at_rest(figure)
    assert_race(figure, race(0.05, 0.2, 50, True), 20)
    slide(figure, "steepness", 10)
    slide(figure, "rate of SGD", 0.19)
    slide(figure, "rate of Adam", 0.5)
    at_rest(figure)
    assert_race(figure, race(0.19, 0.5, 10, True), 20)
    figure.get_by_role("button", name="a round bowl").press("Enter")
    at_rest(figure)
    assert_race(figure, race(0.038, 0.2, 1, False), 20)
