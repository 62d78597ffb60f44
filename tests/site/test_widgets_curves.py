"""Two walks, two runs and two losses in a reader's hands: what they show is Python's."""

from __future__ import annotations

import re
import struct
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, expect
from weave.widgets import read_widget

from tests.promises.site import ROOT
from tests.site.browsing import LONG, PHONE
from tests.thorough import thorough
from weave.page import read_page
from widgets.order.model import model as order_
from widgets.two_losses.model import model as two_losses_
from widgets.zeroing.model import model as zeroing_

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "order": "autograd/backward",
    "zeroing": "autograd/training-loop",
    "two_losses": "autograd/same-results",
}
WALKS = ("naive", "ordered")


def opened(context: BrowserContext, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGES[name]}/")
    figure = tab.locator(f"[data-widget={name}]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def at_rest(figure: Locator) -> None:
    """Wait until Python has answered."""
    figure.page.wait_for_timeout(100)
    status = figure.locator(".python")
    expect(status).to_have_attribute("data-busy", "false", timeout=LONG)
    expect(status.locator("[role=status]")).to_have_text("")


def parameters(name: str) -> dict[str, Any]:
    """What the page says the widget begins with."""
    path = Path("docs", f"{PAGES[name]}.md")
    page = read_page(path, (ROOT / path).read_text(encoding="utf-8"))
    fences = (fence for fence in page.fences if fence.language == "widget")
    found = (read_widget(page, fence) for fence in fences)
    return next(widget.parameters for widget in found if widget.name == name)


@cache
def zeroing(**given: Any) -> zeroing_.Zeroing:
    *_, result = zeroing_.zeroing(**given)
    return result


@cache
def two_losses(**given: Any) -> two_losses_.TwoLosses:
    *_, result = two_losses_.two_losses(**given)
    return result


def number(text: str) -> float:
    """Read a number as readers see it."""
    digits = "⁰¹²³⁴⁵⁶⁷⁸⁹"
    text = text.replace("−", "-").replace("⁻", "-")
    for value, digit in enumerate(digits):
        text = text.replace(digit, str(value))
    return float(text.replace(" × 10", "e"))


def table(figure: Locator) -> list[list[str]]:
    rows = figure.locator(".readout tbody tr")
    return [row.locator("td").all_inner_texts() for row in rows.all()]


def assert_table(
    figure: Locator, result: zeroing_.Zeroing, step: int, chosen: int = 0
) -> None:
    """The table has what Python says of a step, to the last digit that it shows."""
    caption = f"Step {step:,} learns from “{result['names'][step - 1]}”"
    expect(figure.locator(".readout caption")).to_have_text(caption)
    shown = table(figure)
    for column, run in enumerate((result["zeroed"], result["kept"])):
        lists = [run["losses"]] + [
            run[key][chosen]  # type: ignore[literal-required]
            for key in ("values", "held", "added", "grads")
        ]
        for row, values in enumerate(lists):
            text = shown[row][column]
            if step > len(values):
                assert text == "–"
            elif isinstance(true := values[step - 1], str):
                assert text in ("not a number", "infinite", "minus infinite")
            elif "×" in text:
                assert number(text) == pytest.approx(true, rel=0.005)
            else:
                assert abs(number(text) - true) <= 0.00005 + 1e-6 * abs(true)


def scale(figure: Locator) -> Locator:
    return figure.locator("input[type=range]")


def test_at_first_both_runs_are_shown_where_they_differ_most(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "zeroing")
    result = zeroing(**parameters("zeroing"))
    losses = [x for x in result["kept"]["losses"] if isinstance(x, float)]
    assert_table(figure, result, 1 + losses.index(max(losses)))
    lowest, highest = result["kept"]["lowest"], result["kept"]["highest"]
    says = f"Never zeroed: lowest loss {lowest:.2f}, highest {highest:.2f}."
    expect(figure.locator(".verdict")).to_contain_text(says)


def test_the_keyboard_moves_the_cursor_to_any_step(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "zeroing")
    result = zeroing(**parameters("zeroing"))
    last = len(result["names"])
    scale(figure).press("Home")
    assert_table(figure, result, 1)
    for _ in range(12):
        scale(figure).press("ArrowRight")
    assert_table(figure, result, 13)
    spoken = scale(figure).get_attribute("aria-valuetext") or ""
    assert spoken.startswith(f"step 13 of {last}: with zeroing loss ")
    scale(figure).press("End")
    assert_table(figure, result, last)
    turn = figure.get_by_role("button", name="One step on")
    expect(turn).to_have_attribute("aria-disabled", "true")
    figure.get_by_role("button", name="One step back").press("Enter")
    turn.press("Enter")
    turn.press("Enter")
    expect(turn).to_be_focused()
    assert_table(figure, result, last)
    expect(figure.locator(".scrub [role=status]")).to_contain_text(f"step {last:,} of")


def test_a_mouse_looks_and_a_press_stays(context: BrowserContext, address: str) -> None:
    figure = opened(context, address, "zeroing")
    result = zeroing(**parameters("zeroing"))
    scale(figure).press("Home")
    plane = figure.locator(".plane svg").first
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    assert box is not None
    across = [box["x"] + box["width"] * (step - 1) / 59 for step in (20, 40)]
    mouse, middle = figure.page.mouse, box["y"] + box["height"] / 2
    mouse.move(across[0], middle)
    assert_table(figure, result, 20)
    mouse.move(5, middle)
    assert_table(figure, result, 1)
    mouse.move(across[0], middle)
    mouse.down()
    mouse.move(across[1], middle, steps=4)
    mouse.up()
    mouse.move(5, middle)
    assert_table(figure, result, 40)
    expect(scale(figure)).to_have_value("40")
    scale(figure).press("ArrowRight")
    assert_table(figure, result, 41)


def test_a_finger_moves_the_cursor(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    context.set_default_timeout(LONG)
    figure = opened(context, address, "zeroing")
    plane = figure.locator(".plane svg").first
    box = plane.bounding_box()
    assert box is not None
    planes = figure.locator(".planes")
    outer = planes.bounding_box()
    assert outer is not None
    x = box["x"] - outer["x"] + box["width"] * 29 / 59
    planes.tap(position={"x": x, "y": 60})
    assert_table(figure, zeroing(**parameters("zeroing")), 30)
    context.close()


def test_another_parameter_can_be_watched(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "zeroing")
    result = zeroing(**parameters("zeroing"))
    scale(figure).press("End")
    for chosen, name in enumerate(result["parameters"]):
        figure.locator("select").select_option(label=name)
        assert_table(figure, result, len(result["names"]), chosen)
        expect(figure.locator(".title").last).to_have_text(f"grad of {name}")


def test_other_runs_are_trained_in_the_browser(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "zeroing")
    figure.get_by_label("learning rate", exact=True).fill("1")
    figure.get_by_label("seed", exact=True).fill("7")
    figure.get_by_label("steps", exact=True).fill("25")
    figure.get_by_label("steps", exact=True).press("Enter")
    at_rest(figure)
    result = zeroing(rate=1, seed=7, steps=25)
    expect(scale(figure)).to_have_attribute("max", "25")
    for step in (25, 13, 1):
        while number(scale(figure).input_value()) > step:
            scale(figure).press("ArrowLeft")
        assert_table(figure, result, step)


def test_a_run_that_cannot_go_on_says_why(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "zeroing")
    figure.get_by_role("button", name="the rate of train").click()
    at_rest(figure)
    verdict = figure.locator(".verdict")
    expect(verdict).to_contain_text(re.compile("it ends with step 30: the probability"))
    expect(figure.locator(".plane .broken.s2")).to_have_count(2)
    assert [row[1] for row in table(figure)] == ["–"] * 5


def test_nonsense_is_refused_and_the_runs_stay(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "zeroing")
    field = figure.get_by_label("learning rate", exact=True)
    refusal = figure.locator(".refusal")
    for typed in ("abc", "", "-1", "1e999"):
        before = table(figure)
        field.fill(typed)
        field.press("Enter")
        says = "learning rate: a positive number is needed"
        expect(refusal, typed).to_have_text(says, timeout=LONG)
        expect(field).to_have_value(typed)
        expect(field).to_be_focused()
        assert table(figure) == before, typed
        field.fill("0,3")
        field.press("Enter")
        at_rest(figure)
        expect(refusal).to_have_text("")


def test_a_refusal_does_not_outlive_its_numbers(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "zeroing")
    figure.get_by_label("learning rate", exact=True).fill("abc")
    figure.get_by_role("button", name="Run both").click()
    refusal = figure.locator(".refusal")
    expect(refusal).to_contain_text("a positive number", timeout=LONG)
    figure.get_by_role("button", name="another seed").click()
    figure.get_by_role("button", name="Stop").press("Enter")
    expect(figure.locator(".python [role=status]")).to_have_text("stopped")
    expect(refusal).to_have_text("")


def test_an_absurd_rate_ends_in_words(context: BrowserContext, address: str) -> None:
    errors: list[str] = []
    figure = opened(context, address, "zeroing")
    figure.page.on("pageerror", lambda error: errors.append(str(error)))
    figure.get_by_label("learning rate", exact=True).fill("1e300")
    figure.get_by_role("button", name="Run both").click()
    expect(figure.locator(".verdict")).to_contain_text(
        "the loss is nan, and no step can change that", timeout=LONG
    )
    at_rest(figure)
    assert table(figure)[0] == ["not a number", "not a number"]
    assert errors == []


def place(x: float) -> int:
    """Number the positive floats, each one more than the one below it."""
    (found,) = struct.unpack("<q", struct.pack("<d", x))
    return int(found)


def losses(figure: Locator) -> tuple[float, float]:
    """The two losses as they stand there, with all their digits."""
    hand, graph = figure.locator(".digits tr td").all_inner_texts()[:2]
    return float(hand), float(graph)


def assert_digits(figure: Locator, step: int) -> tuple[float, float]:
    """What is said of a step follows from the digits that stand there."""
    hand, graph = losses(figure)
    apart = abs(place(graph) - place(hand))
    caption = figure.locator(".digits caption").inner_text()
    if apart == 0:
        assert caption == f"Step {step:,}: the same float"
    else:
        units = "unit" if apart == 1 else "units"
        assert caption == f"Step {step:,}: {apart} {units} in the last place apart"
    texts = figure.locator(".digits tr td").all_inner_texts()[:2]
    marks = figure.locator(".digits mark").all_inner_texts()
    assert len(marks) == (2 if apart else 0)
    if marks:
        rests = [
            text.removesuffix(mark) for text, mark in zip(texts, marks, strict=True)
        ]
        assert rests[0] == rests[1]
        assert marks[0][0] != marks[1][0]
    return hand, graph


def test_both_losses_are_shown_to_the_last_digit(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "two_losses")
    result = two_losses(**parameters("two_losses"))
    sizes = [abs(x) for x in result["apart"]]
    first = 1 + sizes.index(max(sizes))
    shown = assert_digits(figure, first)
    assert shown == (result["hand"][first - 1], result["graph"][first - 1])
    scale(figure).press("Home")
    for step in range(1, 12):
        shown = assert_digits(figure, step)
        assert shown == (result["hand"][step - 1], result["graph"][step - 1])
        scale(figure).press("ArrowRight")
    says = f"In {result['equal']} of {len(sizes)} steps the two losses are the same"
    expect(figure.locator(".verdict")).to_contain_text(says)


def test_the_browser_s_own_losses_are_a_few_units_apart_too(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "two_losses")
    figure.get_by_label("steps", exact=True).fill("30")
    figure.get_by_label("seed", exact=True).fill("5")
    figure.get_by_role("button", name="Run both").click()
    at_rest(figure)
    result = two_losses(steps=30, seed=5, relu="right")
    scale(figure).press("Home")
    for step in range(1, 31):
        # exp and gauss round differently from one C library to the next.
        assert assert_digits(figure, step) == pytest.approx(
            (result["hand"][step - 1], result["graph"][step - 1]), rel=1e-13
        )
        scale(figure).press("ArrowRight")


def test_a_wrong_relu_is_far_off_in_the_digits(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "two_losses")
    figure.get_by_role("button", name="a wrong ReLU").click()
    at_rest(figure)
    given = {**parameters("two_losses"), "relu": "wrong"}
    result = two_losses(**given)
    scale(figure).press("Home")
    scale(figure).press("ArrowRight")
    expected = (result["hand"][1], result["graph"][1])
    assert losses(figure) == pytest.approx(expected, rel=1e-13)
    caption = figure.locator(".digits caption").inner_text()
    found = number(re.sub(r"^Step 2: | units.*$", "", caption))
    assert found == pytest.approx(abs(result["apart"][1]), rel=0.05)
    expect(figure.locator(".far")).to_contain_text("floats from here")


def test_a_long_run_can_be_stopped_and_taken_up_again(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "two_losses")
    figure.get_by_role("button", name="the whole run").click()
    expect(figure.locator(".verdict")).to_contain_text(
        re.compile(r"\b[1-9]0 steps"), timeout=LONG
    )
    figure.get_by_role("button", name="Stop").press("Enter")
    expect(figure.locator(".python [role=status]")).to_have_text("stopped")
    taken = int(scale(figure).input_value())
    assert 10 <= taken < 1000
    assert_digits(figure, taken)
    again = figure.get_by_role("button", name="Try again")
    expect(again).to_be_visible()
    figure.get_by_role("button", name=re.compile(r"^\d+ steps")).click()
    at_rest(figure)
    assert_digits(figure, 100)


def rows(figure: Locator) -> list[list[str]]:
    """What is written of both walks so far."""
    shown = figure.locator(".steps tbody tr:not(.to-come):not(.parting)")
    return [
        [" ".join(cell.split()) for cell in row.locator("td").all_inner_texts()]
        for row in shown.all()
    ]


def written(result: order_.Order, until: int) -> list[list[str]]:
    """The same from Python."""
    table = []
    for at in range(until):
        row = []
        for walk in WALKS:
            steps: list[order_.OrderStep] = result[walk]  # type: ignore[literal-required]
            done = (
                f"{steps[at]['formula']} {steps[at]['sum']}" if at < len(steps) else ""
            )
            row.append("complete" if at == len(steps) else done)
        table.append(row)
    return table


def pictured(figure: Locator) -> list[list[str]]:
    """The gradients in both pictures."""
    return [
        [value.strip() for value in picture.locator(".node .value").all_text_contents()]
        for picture in figure.locator(".picture").all()
    ]


def assert_walks(figure: Locator, result: order_.Order, at: int) -> None:
    """Table, pictures and sentences are Python's after so many steps."""
    assert rows(figure) == written(result, at)
    grads = []
    for walk in WALKS:
        steps: list[order_.OrderStep] = result[walk]  # type: ignore[literal-required]
        done = steps[:at]
        grads.append(done[-1]["grads"] if done else result["start"])
        if 0 < at <= len(steps):
            said = figure.locator(".words > span:first-child")
            expect(said.nth(WALKS.index(walk))).to_have_text(steps[at - 1]["says"])
    assert pictured(figure) == grads


def test_both_walks_advance_edge_by_edge(context: BrowserContext, address: str) -> None:
    figure = opened(context, address, "order")
    result = order_.order(**parameters("order"))
    last = len(result["naive"])
    assert_walks(figure, result, last)
    expect(figure.locator(".verdict")).to_have_text(result["verdict"])
    scale(figure).press("Home")
    on = figure.get_by_role("button", name="One step on")
    for at in range(last + 1):
        assert_walks(figure, result, at)
        on.press("Enter")
    expect(on).to_be_focused()
    assert_walks(figure, result, last)
    spoken = figure.locator(".player [role=status]")
    expect(spoken).to_contain_text("a.grad is 6 instead of 4")


def test_a_guess_is_compared_with_the_end(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "order")
    expect(figure.locator(".predict")).to_have_count(0)
    for name, guess, answer in (
        ("used twice", "right", "You were right."),
        ("three doublings", "right", "You guessed otherwise."),
    ):
        example = figure.get_by_role("button", name=name)
        example.click()
        expect(example).to_have_attribute("aria-pressed", "true")
        expect(figure.locator(".predict")).to_be_visible(timeout=LONG)
        at_rest(figure)
        result = order_.order(
            figure.get_by_label("Expression", exact=True).input_value()
        )
        assert_walks(figure, result, 0)
        expect(figure.locator(".verdict")).to_be_hidden()
        figure.get_by_role("button", name=guess, exact=True).click()
        scale(figure).press("End")
        assert_walks(figure, result, max(len(result[w]) for w in ("naive", "ordered")))
        expect(figure.locator(".verdict")).to_have_text(f"{result['verdict']} {answer}")


def test_walks_of_an_older_formula_are_marked(
    newcomer: BrowserContext, address: str
) -> None:
    figure = opened(newcomer, address, "order")
    figure.page.route("**/python_stdlib.zip", lambda route: None)  # never answered
    expect(figure.locator(".both.stale")).to_have_count(0)
    figure.get_by_label("Expression", exact=True).fill("a = 1; b = a + a")
    expect(figure.locator(".both.stale")).to_have_count(1)


def test_a_graph_too_long_to_walk_is_refused(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "order")
    text = "a = 1; b = a + a; c = b + b; d = c + c; e = d + d; f = e + e"
    figure.get_by_label("Expression", exact=True).fill(text)
    says = "one of the walks has more than 32 steps here"
    expect(figure.locator(".refusal")).to_have_text(says, timeout=LONG)
