"""What widgets share, each part in one widget: players, maps, what is typed."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Position, expect

from tests.site.browsing import LONG
from tests.site.figure import Figure, Open
from tests.thorough import thorough

pytestmark = thorough


# The player


def test_a_player_goes_by_keyboard_keeps_the_focus_and_plays_by_itself(
    open_figure: Open,
) -> None:
    figure = open_figure("graph")
    on, count = figure.button("One step on"), figure.find(".count")
    figure.press("To the start")
    figure.keys(on, "Enter", "ArrowRight")
    expect(count).to_have_text("2 of 8")
    for key, at in (("End", 8), ("Enter", 8), ("Home", 0)):
        figure.tab.keyboard.press(key)
        expect(count).to_have_text(f"{at} of 8")
        expect(on).to_be_focused()
    figure.choose("Speed", "250")
    figure.press("Play")
    expect(count).to_have_text("8 of 8", timeout=LONG)
    expect(figure.button("Play")).to_be_visible()


def test_a_player_plays_on_when_other_steps_come(open_figure: Open) -> None:
    figure = open_figure("graph")
    values = figure.find(".node .data .value")
    figure.press("Change the numbers", "To the start")
    figure.slide("b", 4)
    expect(values).to_have_text(["2", "4", "", ""])
    figure.choose("Speed", "1600")
    # Both within the time of a step, so that the steps come while the timer runs
    figure.root.evaluate(
        """widget => {
            const scale = widget.querySelector(".inputs input");
            scale.value = "1";
            scale.dispatchEvent(new Event("input", {bubbles: true}));
            widget.querySelector(".play").click();
        }"""
    )
    expect(values).to_have_text(["1", "4", "5", "5"])
    expect(figure.button("Pause")).to_be_visible()
    expect(figure.find(".count")).to_have_text("3 of 8")


# Heat maps


def cell(cells: Locator, row: int, column: int) -> Position:
    """Where the middle of a cell lies, from the corner of its 27 rows and columns."""
    box = cells.bounding_box()
    assert box is not None
    x, y = (column + 0.5) * box["width"] / 27, (row + 0.5) * box["height"] / 27
    return {"x": x, "y": y}


def test_a_finger_picks_a_cell(touching: Callable[[str], Figure]) -> None:
    figure = touching("count_table")
    cells = figure.find(".cells")
    cells.tap(position=cell(cells, 18, 0))
    expect(figure.find(".what")).to_contain_text("s, then a:")


def test_a_mouse_looks_at_cells_and_a_press_stays(open_figure: Open) -> None:
    figure = open_figure("count_table")
    cells, what = figure.find(".cells"), figure.find(".what")
    expect(what).to_have_text(re.compile("^m, then a: "))
    cells.hover(position=cell(cells, 0, 13))
    expect(what).to_have_text(re.compile("^a, then n: "))
    figure.find(".legend").first.hover()
    expect(what).to_have_text(re.compile("^m, then a: "))
    cells.click(position=cell(cells, 4, 12))
    figure.find(".legend").first.hover()
    expect(what).to_have_text(re.compile("^e, then m: "))
    expect(figure.find(".names .at")).to_have_text(["m", "e"])


# What is typed


def test_a_name_typed_on_one_page_is_offered_on_the_next(open_figure: Open) -> None:
    there = open_figure("attention")
    expect(there.find(".own-name")).to_be_hidden()
    there.type("timo1")
    there.tab.wait_for_timeout(1500)
    assert there.tab.evaluate("localStorage.getItem('guide:name')") is None
    there.type("timo")
    expect(there.find(".own-name")).to_be_hidden()
    there.tab.wait_for_function("localStorage.getItem('guide:name') === 'timo'")
    here = open_figure("transformer")
    here.press("timo")
    expect(here.field("A name for the model to read")).to_have_value("timo")
    expect(here.find(".own-name")).to_be_hidden()
