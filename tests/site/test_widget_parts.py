"""What widgets share, each part in one widget: players, curves, maps, fields, waiting."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.site import see
from tests.site.browsing import LONG, PHONE
from tests.site.figure import Figure, Open, middle
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.count_table.model import count_table
from widgets.zeroing.model import zeroing

# All widgets together are looked at every day.
pytestmark = thorough


@pytest.fixture
def touching(
    browser: Browser, address: str, patience: None
) -> Iterator[Callable[[str], Figure]]:
    """Opens the page of a widget on a phone, for fingers."""
    with browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True) as context:
        context.set_default_timeout(LONG)
        yield lambda name: Figure.open(context, address, name)


# The player


def test_a_player_goes_by_keyboard_keeps_the_focus_and_plays_by_itself(
    open_figure: Open,
) -> None:
    figure = open_figure("backward")
    on, spoken = figure.button("One step on"), figure.find(".player [role=status]")
    figure.press("To the start")
    figure.keys(on, "Enter", "ArrowRight")
    figure.shows({".count": "2 of 44"})
    expect(spoken).to_contain_text("order begins empty")
    for key, at in (("End", 44), ("Enter", 44), ("Home", 0)):
        figure.tab.keyboard.press(key)
        figure.shows({".count": f"{at} of 44"})
        expect(on).to_be_focused()
        expect(on).to_have_attribute("aria-disabled", "true" if at else "false")
    figure.slide("", "ArrowRight")
    expect(spoken).to_be_empty()
    spoken_value = figure.slider().get_attribute("aria-valuetext") or ""
    assert "1 of 44" in spoken_value
    figure.choose("Speed", "250")
    figure.press("Play")
    expect(figure.find(".count")).to_have_text("44 of 44", timeout=LONG)
    expect(figure.button("Play")).to_be_visible()


def test_a_player_plays_on_when_other_steps_come(open_figure: Open) -> None:
    figure = open_figure("backward")
    figure.press("To the start")
    figure.type("x = 2; y = x * x", "Expression")
    figure.shows({".node .data .value": ["2", "4"]})
    figure.choose("Speed", "1600")
    # Both within the time of a step, so that the steps come while the timer runs
    figure.root.evaluate(
        """widget => {
            [...widget.querySelectorAll(".examples button")]
                .find(button => button.textContent === "doubled, doubled").click();
            widget.querySelector(".play").click();
        }"""
    )
    expect(figure.find(".node .data .value")).to_have_text(["1", "2", "4"])
    expect(figure.find(".count")).to_contain_text("3 of")


# Curves


def step(number: int, result: Any) -> Seen:
    name = result["names"][number - 1]
    return {".readout caption": f"Step {number:,} learns from “{name}”"}


def test_curves_have_a_cursor_for_the_keyboard_and_the_mouse(open_figure: Open) -> None:
    figure = open_figure("zeroing")
    *_, result = zeroing(**figure.given)
    last = len(result["names"])
    figure.slide("", "Home")
    for _ in range(12):
        figure.slide("", "ArrowRight")
    figure.shows(step(13, result))
    spoken = figure.slider().get_attribute("aria-valuetext") or ""
    assert spoken.startswith(f"step 13 of {last}: with zeroing loss ")
    figure.slide("", "End")
    figure.shows(step(last, result))
    on = figure.button("One step on")
    expect(on).to_have_attribute("aria-disabled", "true")
    figure.press("One step back", "One step on", "One step on")
    expect(on).to_be_focused()
    figure.shows(step(last, result))
    said = figure.find(".scrub [role=status]")
    expect(said).to_contain_text(f"step {last:,} of")
    # A mouse looks, and a press stays.
    figure.slide("", "Home")
    plane = figure.find(".plane svg").first
    plane.scroll_into_view_if_needed()
    box = figure.box(".plane svg >> nth=0")
    across = [box["x"] + box["width"] * (at - 1) / (last - 1) for at in (20, 40)]
    mouse, height = figure.tab.mouse, box["y"] + box["height"] / 2
    mouse.move(across[0], height)
    figure.shows(step(20, result))
    mouse.move(5, height)
    figure.shows(step(1, result))
    mouse.move(across[0], height)
    mouse.down()
    mouse.move(across[1], height, steps=4)
    mouse.up()
    mouse.move(5, height)
    figure.shows(step(40, result))
    figure.slide("", "ArrowRight")
    figure.shows(step(41, result))


def test_a_finger_moves_the_cursor_and_picks_a_cell(
    touching: Callable[[str], Figure],
) -> None:
    figure = touching("zeroing")
    *_, result = zeroing(**figure.given)
    box, outer = figure.box(".plane svg >> nth=0"), figure.box(".planes")
    x = box["x"] - outer["x"] + box["width"] * 29 / (len(result["names"]) - 1)
    figure.find(".planes").tap(position={"x": x, "y": 60})
    figure.shows(step(30, result))
    figure = touching("count_table")
    cells = figure.find(".cells")
    cells.tap(position=middle(cells, (18, 0), (27, 27)))
    figure.shows({".what": see.containing("s, then a:")})


# Heat maps


def test_cells_of_a_map_are_reached_by_keyboard_and_by_mouse(open_figure: Open) -> None:
    figure = open_figure("count_table")
    result: Any = count_table(**figure.given)

    def cell(name: str) -> Seen:
        return {".what": re.compile("^{}, then {}: ".format(*name.split()))}

    figure.shows(cell("m a"))
    cells = figure.find(".cells")
    for key, name in (
        ("ArrowDown", "n a"),
        ("ArrowRight", "n b"),
        ("ArrowUp", "m b"),
        ("ArrowLeft", "m a"),
        ("ArrowLeft", "m a"),
        ("End", "m BOS"),
        ("ArrowRight", "m BOS"),
        ("Home", "m a"),
        ("ArrowDown", "n a"),
    ):
        cells.press(key)
        figure.shows(cell(name))
    counts = next(t for t in result["tables"] if t["names"] == 1000)["counts"]
    said = figure.find(".heat-map [role=status]")
    expect(said).to_have_text(f"n, then a: {counts[13][0]} times")
    # A mouse looks, and a press stays.
    cells.hover(position=middle(cells, (0, 13), (27, 27)))
    figure.shows(cell("a n"))
    figure.find(".legend").first.hover()
    figure.shows(cell("n a"))
    figure.click_cell(cells, (4, 12), (27, 27))
    figure.find(".legend").first.hover()
    figure.shows({**cell("e m"), ".names.down .at": "e", ".names.across .at": "m"})


# What is typed


MISTAKES = {
    "graph": [
        ("a = 2; b = a + foo", "foo has no value", "f"),
        ("é = 2; é * 😀 + 1", "character 12", "😀"),
        ("x = 0; 1 / x", "not a finite number", "1"),
        ("a = 2; a +", "invalid syntax", ""),
        (" ", "is empty", ""),
        ("x" * 10_000, "longer than 1,000", "x"),
        ("+".join("1" * 60), "119 nodes", None),
        ("<img src=x onerror=alert(1)>", "invalid syntax", "<"),
    ],
    "backward": [
        ("a = 2; b = a ** a", "plain number", "a"),
        ("+".join("1" * 30), "59 nodes", None),
    ],
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_and_marked_and_the_last_graph_stays(
    open_figure: Open, name: str
) -> None:
    figure = open_figure(name)
    for expression, reason, mark in MISTAKES[name]:
        stays = figure.read(".node .value")
        figure.type(expression, "Expression")
        marks = [] if mark is None else [mark]
        seen: Seen = {
            ".mirror mark.wrong": marks,
            ".node .value": stays,
            see.count(".stale"): 1,
        }
        figure.shows(seen, refusal=reason)
        figure.type("a = 3; b = a * a", "Expression")
        figure.shows({".refusal": "", see.count("mark.wrong"): 0})


def test_numbers_that_make_no_sense_are_refused_and_a_refusal_does_not_outlive_them(
    open_figure: Open,
) -> None:
    figure = open_figure("zeroing")
    field, refusal = figure.field("learning rate"), figure.find(".refusal")
    stays = figure.read(".readout td")
    for typed in ("abc", "", "-1", "1e999"):
        figure.type(typed, "learning rate")
        says = "learning rate: a positive number is needed"
        figure.shows({".readout td": stays}, refusal=says)
        expect(field).to_have_value(typed)
        expect(field).to_be_focused()
    figure.type("0,3", "learning rate")
    figure.shows({".refusal": ""})
    figure.type("abc", "learning rate", enter=False)
    figure.press("Run both")
    figure.refuses("a positive number")
    figure.press("another seed")
    figure.press("Stop")
    expect(figure.find(".python [role=status]")).to_have_text("stopped")
    expect(refusal).to_have_text("")


# Waiting for Python


def test_loading_python_can_be_stopped_and_tried_again(
    newcomer: BrowserContext, address: str
) -> None:
    figure = Figure.open(newcomer, address, "graph")
    figure.tab.route("**/python_stdlib.zip", lambda route: None)  # never answered
    expect(figure.find(".stale")).to_have_count(0)
    figure.type("a = 4; b = a * a", "Expression")
    button = figure.find(".python button")
    expect(button).to_have_text("Stop")
    expect(figure.find(".stale")).to_have_count(1)
    button.press("Enter")
    expect(button).to_have_text("Try again")
    expect(figure.find(".python [role=status]")).to_have_text("stopped")
    figure.tab.unroute("**/python_stdlib.zip")
    button.press("Enter")
    figure.shows({".node .data .value": ["4", "16"]})
    expect(button).to_be_hidden()
    assert figure.tab.evaluate("document.activeElement.closest('.widget') !== null")


def test_a_long_run_can_be_stopped_and_another_begun(open_figure: Open) -> None:
    figure = open_figure("two_losses")
    figure.press("the whole run")
    figure.find(".verdict", has_text=re.compile(r"\b[1-9]0 steps")).wait_for()
    figure.press("Stop")
    expect(figure.find(".python [role=status]")).to_have_text("stopped")
    taken = int(figure.slider().input_value())
    assert 10 <= taken < 1000
    figure.shows({".digits caption": re.compile(f"^Step {taken}: ")})
    expect(figure.button("Try again")).to_be_visible()
    figure.find(".examples button", has_text=re.compile(r"^\d+ steps")).press("Enter")
    figure.shows({".digits caption": re.compile("^Step 100: ")})
