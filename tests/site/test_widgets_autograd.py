"""What readers see in the widgets of autograd is what Python computes."""

from __future__ import annotations

from typing import Any
from unittest.mock import ANY

from playwright.sync_api import expect

from microgpt.autograd import topological_order
from microgpt.cli.expression import evaluate
from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets._drawing import short
from widgets.order.model import order

# All widgets together are looked at every day.
pytestmark = thorough

FIRST = "a = 2; b = 3; c = a + b; d = c * a"
EXPRESSIONS = (
    "x = 1; y = log(1 + exp(x))",
    "a = 2; b = a ** 3 / 4 - 1",
    "2 * -3 + 4 ** 2",
    FIRST,
)
PARTS = """all => all.map(part => {
  const {x, y, width, height} = part.getBoundingClientRect();
  const top = part.ownerSVGElement.getBoundingClientRect().y;
  return [x, y - top, width, height].map(Math.round);
})"""


def computed(expression: str) -> Seen:
    """What the boxes of a graph should show, in the package's own order."""
    output, _ = evaluate(expression)
    output.backward()
    nodes = topological_order(output)
    return {
        ".node .data .value": [short(node.data) for node in nodes],
        ".node .gradient .value": [short(node.grad) for node in nodes],
    }


def test_graph(open_figure: Open) -> None:
    figure = open_figure("graph")
    figure.shows(computed(FIRST))
    assert not figure.asked_python()
    words = figure.find(".words")
    expect(words).to_contain_text(
        "Gradient 7: if a rises by 0.1, d rises by about 0.7."
    )
    figure.find(".node").nth(2).hover()
    expect(words).to_contain_text("c = a + b is 5")
    figure.shows({"mark.here": "a + b", see.count(".edge.strong"): 3})
    figure.find(".node").nth(3).focus()
    expect(words).to_contain_text("The result")
    figure.tab.keyboard.press("ArrowUp")
    expect(words).to_contain_text("c = a + b")
    figure.shows({see.count(".node[tabindex='0']"): 1})
    figure.slider("b").focus()
    expect(words).to_contain_text("b is 3, an input.")

    for expression in EXPRESSIONS:
        figure.type(expression, "Expression")
        figure.shows(computed(expression))
    shapes = figure.find(".picture svg :is(rect, path)")
    before = shapes.evaluate_all(PARTS)
    figure.slide("b", "Home")
    moved = "a = 2; b = -5; c = a + b; d = c * a"
    expect(figure.field("Expression")).to_have_value(moved)
    figure.shows(computed(moved))
    assert shapes.evaluate_all(PARTS) == before, "the layout moved"

    # A power of a number that becomes negative keeps its meaning.
    figure.type("2 ** 2 + 1", "Expression")
    figure.shows(computed("2 ** 2 + 1"))
    figure.slide("", "Home")
    expect(figure.field("Expression")).to_have_value("(-5) ** 2 + 1")
    figure.shows(computed("(-5) ** 2 + 1"))
    # An input that leaves the domain can be moved back.
    figure.type("x = 2; y = log(x)", "Expression")
    figure.shows(computed("x = 2; y = log(x)"))
    figure.slide("x", "Home")
    figure.refuses("not a finite number")
    expect(figure.slider("x")).to_be_enabled()
    figure.slide("x", "End")
    figure.shows(computed("x = 5; y = log(x)"))


def test_backward(open_figure: Open) -> None:
    figure = open_figure("backward")
    figure.shows({".phases [aria-current]": see.containing("chain rule")})
    figure.find(".phases button").first.click()
    figure.shows({".node .gradient .value": ["0", "0", "0", "0 → 1"]})
    on = figure.button("One step on")
    coming: list[tuple[str, str]] = []
    lines = set()
    for _ in range(int(figure.slider().get_attribute("max") or 0)):
        on.press("Enter")
        lit, formula = figure.read(".line.lit .number"), figure.read(".chips code")
        lines |= set(lit)
        if formula:
            adding = figure.read(".node .value:has(.addend)")
            coming.append((*formula, *adding))
            figure.shows({see.count(".edge.strong"): 1})
    assert coming == [
        ("c.grad += 2 × 1", "0 + 2"),
        ("a.grad += 5 × 1", "0 + 5"),
        ("a.grad += 1 × 2", "5 + 2"),
        ("b.grad += 1 × 2", "0 + 2"),
    ]
    figure.shows(computed(FIRST))
    listed = figure.tab.locator("#listing-value-backward [data-linenos]").last
    assert (listed.get_attribute("data-linenos") or "").strip() in lines

    # What is typed is walked through, from the phase that the reader was in.
    figure.find(".phases button").last.press("Enter")
    expression = "x = 0.5; y = log(1 + exp(x)) / x"
    figure.type(expression, "Expression")
    data = ".node .data .value"
    figure.shows({data: computed(expression)[data]})
    expect(figure.find("[aria-current=step]").first).to_contain_text("chain rule")
    figure.keys(on, "End")
    figure.shows(computed(expression))


def walks(result: Any, at: int) -> Seen:
    """Table, pictures and sentences after so many steps of both walks."""
    both = [result["naive"], result["ordered"]]
    cells = [
        "complete"
        if n == len(steps)
        else f"{steps[n]['formula']} {steps[n]['sum']}"
        if n < len(steps)
        else ""
        for n in range(at)
        for steps in both
    ]
    grads = [
        (steps[:at] or [{"grads": result["start"]}])[-1]["grads"] for steps in both
    ]
    says = [steps[at - 1]["says"] if 0 < at <= len(steps) else ANY for steps in both]
    return {
        ".steps tbody tr:not(.to-come):not(.parting) td": cells,
        ".picture .node .value": grads[0] + grads[1],
        ".words > span:first-child": says,
    }


def test_order(open_figure: Open) -> None:
    figure = open_figure("order")
    result: Any = order(**figure.given)
    last = len(result["naive"])
    figure.shows({**walks(result, last), ".verdict": result["verdict"]})
    figure.walks(walks(result, at) for at in range(last + 1))
    spoken = figure.find(".player [role=status]")
    expect(spoken).to_contain_text("a.grad is 6 instead of 4")
    assert not figure.asked_python()
    # A guess is compared with the end.
    figure.shows({see.count(".predict"): 0})
    for name, guess, answer in (
        ("used twice", "right", "You were right."),
        ("three doublings", "right", "You guessed otherwise."),
    ):
        figure.press(name)
        expect(figure.find(".predict")).to_be_visible()
        result = order(figure.field("Expression").input_value())
        figure.shows({**walks(result, 0), see.visible(".verdict"): [False]})
        figure.press(guess)
        figure.slide("", "End")
        end = max(len(result[walk]) for walk in ("naive", "ordered"))
        verdict = f"{result['verdict']} {answer}"
        figure.shows({**walks(result, end), ".verdict": verdict})
    too_long = "a = 1; b = a + a; c = b + b; d = c + c; e = d + d; f = e + e"
    figure.type(too_long, "Expression")
    figure.refuses("one of the walks has more than 32 steps here")
