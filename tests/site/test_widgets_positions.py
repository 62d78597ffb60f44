"""What one letter cannot tell, positions and RMSNorm, in a reader's hands."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect
from weave.widgets import read_widget

from tests.promises.site import ROOT
from tests.site.browsing import LONG, shades, strengths, styles
from tests.thorough import thorough
from weave.page import read_page
from widgets.context.model import model as context_
from widgets.positions.model import model as positions_
from widgets.rmsnorm.model import model as rmsnorm_

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "context": "attention/what-changes",
    "positions": "attention/positions",
    "rmsnorm": "attention/rmsnorm",
}
MAPS = ("token", "position", "sum")


def opened(context: BrowserContext, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGES[name]}/")
    figure = tab.locator(f"[data-widget={name}]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def at_rest(figure: Locator) -> None:
    """Wait until Python has answered what was asked last."""
    expect(figure.locator(".stale")).to_have_count(0, timeout=LONG)
    status = figure.locator(".python")
    expect(status).to_have_attribute("data-busy", "false", timeout=LONG)
    expect(status.locator("[role=status]")).to_have_text("")


def parameters(name: str) -> dict[str, Any]:
    """What the page says the widget begins with."""
    path = Path("docs", f"{PAGES[name]}.md")
    page = read_page(path, (ROOT / path).read_text(encoding="utf-8"))
    (fence,) = (fence for fence in page.fences if fence.language == "widget")
    return read_widget(page, fence).parameters


def number(text: str) -> float:
    """Read a number as readers see it."""
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    text = text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    return float(f"1e{text[2:]}" if text.startswith("10-") else text)


@cache
def context_of(name: str) -> context_.Context:
    return context_.context(name)


def assert_place(figure: Locator, name: str, at: int) -> None:
    """Bars, words and table are Python's for a place of a name."""
    result = context_of(name)
    place = result["places"][at]
    items = figure.locator(".pairs li")
    expect(items.locator(".name")).to_have_text(result["tokens"])
    full = number(figure.locator(".note").inner_text().split("\u00a0")[0].split()[-1])
    shown = items.locator(".value").all_inner_texts()
    widths = styles(items.locator(".fill"), "width")
    both = [p for pair in zip(place["one"], place["all"], strict=True) for p in pair]
    for text, width, p in zip(shown, widths, both, strict=True):
        assert float(text.split()[-2]) == pytest.approx(100 * p, abs=0.0501)
        assert width == pytest.approx(min(100, 100 * 100 * p / full), abs=0.06)
    marked = figure.locator(".pairs .mark .name")
    expect(marked).to_have_text(result["tokens"][place["target"]])
    letters = [result["tokens"][each["token"]] for each in result["places"]]
    says = figure.locator(".says")
    expect(says).to_contain_text(f"Step 2's network sees {letters[at]}, ")
    expect(says).to_contain_text(f"has read {' '.join(letters[: at + 1])}.")
    alike = figure.locator(".place.alike .index").all_inner_texts()
    assert [int(index) for index in alike] == place["alike"]
    expect(figure.locator(".place.picked .index")).to_have_text(str(at))
    rows = figure.locator(".readout tbody tr").all()
    for index, (row, each) in enumerate(zip(rows, result["places"], strict=True)):
        cells = row.locator("td").all_inner_texts()
        target = result["tokens"][each["target"]]
        assert cells[:3] == [str(index), letters[index], target]
        losses = [float(cell) for cell in cells[3:]]
        assert losses == pytest.approx(each["losses"], abs=0.0051)
        lower = [
            "lower" in (c.get_attribute("class") or "") for c in row.locator("td").all()
        ]
        assert lower[3:] == [
            each["losses"][0] < each["losses"][1],
            each["losses"][1] < each["losses"][0],
        ]
    means = figure.locator(".readout tfoot td").all_inner_texts()
    assert [float(mean) for mean in means] == pytest.approx(result["means"], abs=0.0051)


def test_one_network_repeats_itself_where_the_letter_is_the_same(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "context")
    assert_place(figure, "maria", 5)
    # The keyboard alone, and no Python
    figure.get_by_role("radio", name="place 5, after a").focus()
    for at in (4, 3, 2):
        figure.page.keyboard.press("ArrowLeft")
        assert_place(figure, "maria", at)
    expect(figure.locator(".sr-only[role=status]")).to_contain_text("At place 5")
    figure.get_by_role("radio", name="place 0, after BOS").check()
    assert_place(figure, "maria", 0)
    expect(figure.locator(".python [role=status]")).to_have_text("")

    field = figure.get_by_label("A name", exact=True)
    field.fill("Anna")
    refusal = figure.locator(".refusal")
    expect(refusal).to_contain_text("type 'anna', in small letters", timeout=LONG)
    assert_place(figure, "maria", 0)
    field.fill("a" * 16)
    expect(refusal).to_have_text("type at most 15 letters: this has 16")
    figure.get_by_role("button", name="hannah").click()
    at_rest(figure)
    expect(refusal).to_have_text("")
    assert_place(figure, "hannah", 6)
    figure.get_by_role("radio", name="place 3, after n").check()
    assert_place(figure, "hannah", 3)


@cache
def positions_of(name: str, weights: positions_.State) -> positions_.PositionRows:
    networks = positions_.positions(name, weights)["networks"]
    return next(one for one in networks if one["weights"] == weights)


def assert_maps(figure: Locator, name: str, weights: positions_.State) -> None:
    """The cells of all four maps have the shades of Python's numbers."""
    rows = positions_of(name, weights)
    maps = figure.locator(".heat-map")
    both: tuple[positions_.State, ...] = ("untrained", "trained")
    limit = max(
        abs(value)
        for state in both
        for which in (positions_of(name, state),)
        for table in (which["token"], which["position"], which["sum"])
        for row in table
        for value in row
    )
    tables = (rows["token"], rows["position"], rows["sum"])
    for index, table in enumerate(tables):
        assert shades(maps.nth(index)) == strengths(table, limit)
    assert shades(maps.nth(3)) == strengths(rows["similar"], 1)


def assert_sum(
    figure: Locator, name: str, weights: positions_.State, place: int, at: int
) -> None:
    """The words say what is added, and what it gives."""
    rows = positions_of(name, weights)
    says = figure.locator(".says").inner_text()
    letter = ["BOS", *name][place]
    head, _, sum_ = says.partition(": ")
    assert head == f"{letter} at position {place}, number {at}"
    left, _, total = sum_.partition(" = ")
    first, sign, second = left.replace(" − ", " + −").partition(" + ")
    assert sign
    expected = [rows[which][place][at] for which in MAPS]  # type: ignore[literal-required]
    assert [number(each) for each in (first, second, total)] == expected


def test_a_row_of_the_letter_and_one_of_its_position_are_added(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "positions")
    maps = figure.get_by_role("application")
    expect(maps).to_have_count(4)
    assert_maps(figure, "emma", "trained")
    row = positions_of("emma", "trained")["sum"][3]
    at = max(range(16), key=lambda i: abs(row[i]))
    assert_sum(figure, "emma", "trained", 3, at)
    # By keyboard, from the letters to the positions; one cell is marked in all three.
    maps.nth(0).focus()
    maps.nth(0).press("End")
    maps.nth(0).press("ArrowUp")
    assert_sum(figure, "emma", "trained", 2, 15)
    expect(figure.locator(".maps .picked")).to_have_count(3)
    maps.nth(1).press("Home")
    maps.nth(1).press("ArrowDown")
    assert_sum(figure, "emma", "trained", 3, 0)
    figure.get_by_role("button", name="untrained").press("Enter")
    assert_maps(figure, "emma", "untrained")
    assert_sum(figure, "emma", "untrained", 3, 0)
    # By mouse, in the map of similarities
    box = maps.nth(3).bounding_box()
    assert box is not None
    side = box["width"] / 16
    maps.nth(3).click(position={"x": 5.5 * side, "y": 4.5 * side})
    value = positions_of("emma", "untrained")["similar"][4][5]
    says = figure.locator(".says").inner_text()
    assert says.startswith("Positions 4 and 5: ")
    assert number(says.rstrip(".").split()[-1]) == value
    maps.nth(3).press("ArrowLeft")
    expect(figure.locator(".says")).to_have_text("Position 4 is itself: 1.")


def test_another_name_is_looked_up_and_nonsense_refused(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "positions")
    field = figure.get_by_label("A name", exact=True)
    field.fill("4nna")
    refusal = figure.locator(".refusal")
    expect(refusal).to_contain_text("does not know the character '4'", timeout=LONG)
    assert_maps(figure, "emma", "trained")
    field.fill("aaaaaaaa")
    at_rest(figure)
    expect(figure.locator(".says")).to_contain_text("a at position 2")
    figure.get_by_role("button", name="untrained").click()
    assert_maps(figure, "aaaaaaaa", "untrained")
    expect(figure.locator(".heat-map").nth(1).locator(".names.down span")).to_have_text(
        [str(i) for i in range(9)]
    )


def assert_normed(figure: Locator, numbers: list[float], at: int) -> None:
    """Both vectors, their bars and their sizes are Python's at a scale."""
    result = rmsnorm_.rmsnorm(numbers)
    step = result["scales"][at]
    rows = figure.locator(".both-vectors tbody tr").all()
    before, after = [], []
    for row, x, y in zip(rows, step["x"], step["result"], strict=True):
        cells = row.locator("td:not(.wide)").all_inner_texts()
        before.append(number(cells[0]))
        after.append(number(cells[1]))
        widths = styles(row.locator(".fill"), "width")
        assert widths == pytest.approx(
            [50 * min(1, abs(x) / 4), 50 * min(1, abs(y) / 2)], abs=0.01
        )
        past = row.locator(".scale.past").count()
        assert past == (abs(x) > 4) + (abs(y) > 2)
    assert before == pytest.approx(step["x"], rel=1e-4)
    assert after == pytest.approx(step["result"], rel=1e-4)
    sizes = figure.locator(".sizes td").all_inner_texts()
    expected = [step["mean_square"], result["epsilon"], step["factor"]]
    expected += [step["size"], step["result_size"]]
    assert [number(size) for size in sizes] == pytest.approx(expected, rel=1e-4)
    expect(figure.locator(".verdict")).to_have_text(result["says"])
    scale = number(figure.locator(".size .value").inner_text())
    assert scale == pytest.approx(step["scale"], rel=0.006)


def test_the_scale_moves_the_vector_and_not_the_result(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "rmsnorm")
    numbers = parameters("rmsnorm")["numbers"]
    first = rmsnorm_.rmsnorm(numbers)
    last = len(first["scales"]) - 1
    assert_normed(figure, numbers, first["at"])
    scale = figure.get_by_role("slider", name="Scale", exact=True)
    scale.press("End")
    assert_normed(figure, numbers, last)
    expect(figure.get_by_role("button", name="Longer")).to_be_disabled()
    shorter = figure.get_by_role("button", name="Shorter")
    for at in range(last - 1, -1, -1):
        shorter.press("Enter")
        assert_normed(figure, numbers, at)
    spoken = figure.locator(".size [role=status]")
    expect(spoken).to_contain_text("scale 10⁻⁵: root mean square")
    expect(figure.locator(".python [role=status]")).to_have_text("")
    assert "root mean square" in (scale.get_attribute("aria-valuetext") or "")


def test_other_numbers_are_normed_by_python(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "rmsnorm")
    at = rmsnorm_.POWERS.index(0)
    figure.get_by_role("button", name="zeros").press("Enter")
    expect(figure.locator(".verdict")).to_contain_text("dividing by 0", timeout=LONG)
    at_rest(figure)
    assert_normed(figure, [0.0] * 4, at)
    slider = figure.get_by_role("slider", name="[2]")
    slider.press("End")
    at_rest(figure)
    slider.press("ArrowLeft")
    expect(figure.locator(".both-vectors tbody tr").nth(2)).to_contain_text("3.750")
    at_rest(figure)
    assert_normed(figure, [0.0, 0.0, 3.75, 0.0], at)
