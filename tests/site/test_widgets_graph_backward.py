"""The graph sandbox and `backward` line by line, in the hands of a reader."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from microgpt.autograd import topological_order
from microgpt.cli.expression import evaluate
from tests.thorough import thorough
from widgets._drawing import short

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {"graph": "autograd/recording/", "backward": "autograd/backward/"}
FIRST = "a = 2; b = 3; c = a + b; d = c * a"
BOXES = """widget => Object.fromEntries(
    [...widget.querySelectorAll("*")]
        .filter(part => part.checkVisibility() && !part.closest(".sr-only"))
        .map((part, i) => {
            const {x, y, width, height} = part.getBoundingClientRect();
            const top = widget.getBoundingClientRect().y;
            return [`${i} ${part.tagName}`, [x, y - top, width, height].map(Math.round)];
        }))"""


def opened(tab: Page, address: str, name: str) -> Locator:
    """Open the page of a widget and wait until it lives."""
    tab.goto(address + PAGES[name])
    widget = tab.locator(f".widget.{name}")
    widget.scroll_into_view_if_needed()
    tab.locator(f".widget.{name}[data-alive]").wait_for()
    return widget


def numbers(widget: Locator, kind: str) -> list[str]:
    """What the boxes show, those of the inputs first."""
    texts = widget.locator(f".node .{kind} .value").all_text_contents()
    return [text.split(" + ")[0].split(" → ")[0] for text in texts]


def computed(expression: str, kind: str) -> list[str]:
    output, _ = evaluate(expression)
    output.backward()
    attribute = {"data": "data", "gradient": "grad"}[kind]
    return [short(getattr(node, attribute)) for node in topological_order(output)]


def expect_computed(widget: Locator, expression: str) -> None:
    """Wait until the boxes show what the package computes here."""
    for kind in ("data", "gradient"):
        values = widget.locator(f".node .{kind} .value")
        expect(values).to_have_text(computed(expression, kind))


def type_into(widget: Locator, expression: str) -> None:
    widget.get_by_label("Expression").fill(expression)
    widget.get_by_label("Expression").press("Enter")


def test_a_graph_shows_what_the_package_computes_before_python_is_loaded(
    tab: Page, address: str
) -> None:
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    widget = opened(tab, address, "graph")
    for kind in ("data", "gradient"):
        shown = widget.locator(f".node .{kind} .value").all_text_contents()
        assert shown == computed(FIRST, kind)
    assert not [url for url in asked if "pyodide" in url]


def test_a_graph_follows_what_is_typed_and_what_is_moved(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "graph")
    field = widget.get_by_label("Expression")
    for expression in (
        "x = 1; y = log(1 + exp(x))",
        "a = 2; b = a ** 3 / 4 - 1",
        "2 * -3 + 4 ** 2",
    ):
        type_into(widget, expression)
        expect_computed(widget, expression)
    type_into(widget, FIRST)
    expect_computed(widget, FIRST)
    boxes = widget.locator(".picture").evaluate(BOXES)
    slider = widget.get_by_role("slider", name="b")
    slider.focus()
    slider.press("Home")
    moved = field.input_value()
    assert moved == "a = 2; b = -5; c = a + b; d = c * a"
    expect_computed(widget, moved)
    after = widget.locator(".picture").evaluate(BOXES)
    rects = [key for key in boxes if key.endswith(("rect", "path"))]
    assert rects
    assert all(after[key] == boxes[key] for key in rects), "the layout moved"


def test_a_power_of_a_number_that_becomes_negative_keeps_its_meaning(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "graph")
    type_into(widget, "2 ** 2 + 1")
    expect_computed(widget, "2 ** 2 + 1")
    widget.get_by_role("slider").first.press("Home")
    expect(widget.get_by_label("Expression")).to_have_value("(-5) ** 2 + 1")
    expect_computed(widget, "(-5) ** 2 + 1")


MISTAKES = {
    "graph": [
        ("a = 2; b = a + foo", "foo has no value", "f"),
        ("é = 2; é * 😀 + 1", "character 12", "😀"),
        ("x = 0; 1 / x", "not a finite number", "1"),
        ("a = 2; a +", "invalid syntax", " "),
        (" ", "is empty", " "),
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
    tab: Page, address: str, name: str
) -> None:
    widget = opened(tab, address, name)
    for expression, reason, marked in MISTAKES[name]:
        before = numbers(widget, "data")
        type_into(widget, expression)
        expect(widget.locator(".refusal"), expression).to_contain_text(reason)
        marks = widget.locator(".mirror mark.wrong").all_text_contents()
        assert marks == ([] if marked is None else [marked]), expression
        assert numbers(widget, "data") == before, expression
        expect(widget.locator(".stale"), expression).to_have_count(1)
        type_into(widget, "a = 3; b = a * a")
        expect(widget.locator(".refusal"), expression).to_be_empty()
        expect(widget.locator(".stale, mark.wrong"), expression).to_have_count(0)


def test_an_input_that_leaves_the_domain_can_be_moved_back(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "graph")
    type_into(widget, "x = 2; y = log(x)")
    expect_computed(widget, "x = 2; y = log(x)")
    slider = widget.get_by_role("slider", name="x")
    slider.press("Home")
    expect(widget.locator(".refusal")).to_contain_text("not a finite number")
    expect(slider).to_be_enabled()
    slider.press("End")
    expect_computed(widget, "x = 5; y = log(x)")


def test_nodes_speak_to_the_pointer_and_to_the_keyboard(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "graph")
    words = widget.locator(".words")
    expect(words).to_contain_text(
        "Gradient 7: if a rises by 0.1, d rises by about 0.7."
    )
    nodes = widget.locator(".node")
    nodes.nth(2).hover()
    expect(words).to_contain_text("c = a + b is 5")
    assert widget.locator("mark.here").text_content() == "a + b"
    assert widget.locator(".edge.strong").count() == 3
    nodes.nth(3).focus()
    expect(words).to_contain_text("The result")
    tab.keyboard.press("ArrowUp")
    expect(words).to_contain_text("c = a + b")
    assert widget.locator(".node[tabindex='0']").count() == 1
    widget.get_by_role("slider", name="b").focus()
    expect(words).to_contain_text("b is 3, an input.")


def test_backward_walks_to_the_gradients_of_the_package(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "backward")
    assert numbers(widget, "data") == computed(FIRST, "data")
    expect(widget.locator(".phases [aria-current]")).to_contain_text("chain rule")
    widget.locator(".phases button").first.click()
    assert set(numbers(widget, "gradient")) == {"0"}
    on = widget.get_by_role("button", name="One step on")
    scale = widget.get_by_role("slider", name="step")
    last = int(scale.get_attribute("max") or 0)
    lines = set()
    for _ in range(last):
        on.click()
        if lit := widget.locator(".line.lit .number").all_text_contents():
            lines.add(lit[0])
    expect(on).to_have_attribute("aria-disabled", "true")
    on.click(force=True)
    assert numbers(widget, "gradient") == computed(FIRST, "gradient")
    listing = tab.locator("#listing-value-backward [data-linenos]")
    listed = [
        x.strip()
        for x in listing.evaluate_all("all => all.map(x => x.dataset.linenos)")
    ]
    assert listed[-1] in lines, "the line of the chain rule was lit"


def test_what_is_about_to_be_added_is_shown_before_it_is(
    tab: Page, address: str
) -> None:
    widget = opened(tab, address, "backward")
    widget.get_by_role("button", name="The chain rule").click()
    on = widget.get_by_role("button", name="One step on")
    sums = []
    for _ in range(10):
        on.click()
        if widget.locator(".chips code").count():
            formula = widget.locator(".chips code").text_content()
            coming = widget.locator(".node .value", has=tab.locator(".addend"))
            sums.append((formula, coming.text_content()))
            assert widget.locator(".edge.strong").count() == 1
    assert sums == [
        ("c.grad += 2 × 1", "0 + 2"),
        ("a.grad += 5 × 1", "0 + 5"),
        ("a.grad += 1 × 2", "5 + 2"),
        ("b.grad += 1 × 2", "0 + 2"),
    ]


def test_backward_goes_by_keyboard_and_keeps_the_focus(tab: Page, address: str) -> None:
    widget = opened(tab, address, "backward")
    widget.locator(".phases button").first.click()
    on = widget.get_by_role("button", name="One step on")
    on.focus()
    tab.keyboard.press("Enter")
    tab.keyboard.press("ArrowRight")
    expect(widget.locator(".count")).to_have_text("2 of 44")
    spoken = widget.locator(".player [role=status]")
    expect(spoken).to_contain_text("order begins empty")
    tab.keyboard.press("End")
    assert numbers(widget, "gradient") == computed(FIRST, "gradient")
    assert on.evaluate("button => button === document.activeElement")
    tab.keyboard.press("Home")
    assert set(numbers(widget, "gradient")) == {"0"}
    assert on.evaluate("button => button === document.activeElement")
    scale = widget.get_by_role("slider", name="step")
    scale.press("ArrowRight")
    expect(spoken).to_be_empty()
    assert "1 of 44" in (scale.get_attribute("aria-valuetext") or "")


def test_backward_plays_by_itself(tab: Page, address: str) -> None:
    widget = opened(tab, address, "backward")
    widget.get_by_label("Speed").select_option("fast")
    widget.get_by_role("button", name="Play").click()
    expect(widget.locator(".count")).to_have_text("44 of 44")
    expect(widget.get_by_role("button", name="Play")).to_be_visible()
    assert numbers(widget, "gradient") == computed(FIRST, "gradient")


def test_backward_plays_on_when_another_walk_comes(tab: Page, address: str) -> None:
    widget = opened(tab, address, "backward")
    widget.locator(".phases button").first.click()
    type_into(widget, "x = 2; y = x * x")
    expect(widget.locator(".node .data .value")).to_have_text(["2", "4"])
    widget.get_by_label("Speed").select_option("slow")
    # Both within the time of a step, so that the walk comes while the timer runs.
    widget.evaluate(
        """widget => {
            [...widget.querySelectorAll(".examples button")]
                .find(button => button.textContent === "doubled, doubled").click();
            widget.querySelector(".play").click();
        }"""
    )
    expect(widget.locator(".node .data .value")).to_have_text(["1", "2", "4"])
    expect(widget.locator(".count")).to_contain_text("3 of")


def test_backward_walks_through_what_is_typed(tab: Page, address: str) -> None:
    widget = opened(tab, address, "backward")
    widget.get_by_role("button", name="The chain rule").click()
    expression = "x = 0.5; y = log(1 + exp(x)) / x"
    type_into(widget, expression)
    expect(widget.locator(".node .data .value")).to_have_text(
        computed(expression, "data")
    )
    expect(widget.locator("[aria-current=step]").first).to_contain_text("chain rule")
    widget.get_by_role("button", name="One step on").press("End")
    assert numbers(widget, "gradient") == computed(expression, "gradient")


def test_loading_python_can_be_stopped_and_tried_again(
    newcomer: BrowserContext, address: str
) -> None:
    tab = newcomer.new_page()
    widget = opened(tab, address, "graph")
    tab.route("**/python_stdlib.zip", lambda route: None)
    type_into(widget, "a = 4; b = a * a")
    button = widget.locator(".python button")
    expect(button).to_have_text("Stop")
    button.click()
    expect(button).to_have_text("Try again")
    expect(widget.locator(".python [role=status]")).to_have_text("stopped")
    tab.unroute("**/python_stdlib.zip")
    button.press("Enter")
    expect_computed(widget, "a = 4; b = a * a")
    expect(button).to_be_hidden()
    focused = "document.activeElement.closest('.widget') !== null"
    assert tab.evaluate(focused)
