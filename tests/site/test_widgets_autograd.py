"""What readers see in the widgets of autograd is what Python computes."""

from __future__ import annotations

import re
import struct
from typing import Any
from unittest.mock import ANY

from playwright.sync_api import expect
from pytest import approx

from microgpt.autograd import topological_order
from microgpt.cli.expression import evaluate
from tests.site import see
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets._drawing import short
from widgets.order.model import order
from widgets.two_losses.model import two_losses
from widgets.zeroing.model import zeroing

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


def two_runs(result: Any, step: int, chosen: int = 0) -> Seen:
    """What the table should say of both runs at a step."""
    runs = result["zeroed"], result["kept"]
    lists = [[run["losses"] for run in runs]] + [
        [run[key][chosen] for run in runs]
        for key in ("values", "held", "added", "grads")
    ]
    name = result["names"][step - 1]
    return {
        ".readout caption": f"Step {step:,} learns from “{name}”",
        see.numbers(".readout tbody td"): [
            see.rounded(of[step - 1] if step <= len(of) else None, 4)
            for row in lists
            for of in row
        ],
    }


def test_zeroing(open_figure: Open) -> None:
    figure = open_figure("zeroing")
    (*_, result) = zeroing(**figure.given)
    losses = [x for x in result["kept"]["losses"] if isinstance(x, float)]
    worst, last = 1 + losses.index(max(losses)), len(result["names"])
    lowest, highest = result["kept"]["lowest"], result["kept"]["highest"]
    says = f"Never zeroed: lowest loss {lowest:.2f}, highest {highest:.2f}."
    figure.shows({**two_runs(result, worst), ".verdict": see.containing(says)})
    figure.slide("", "End")
    for chosen, name in enumerate(result["parameters"]):
        figure.find("select").select_option(label=name)
        figure.shows(two_runs(result, last, chosen))
        expect(figure.find(".title").last).to_have_text(f"grad of {name}")
    assert not figure.asked_python()
    # Other runs are trained in the browser.
    figure.find("select").select_option(index=0)
    for label, value in (("learning rate", "1"), ("seed", "7"), ("steps", "25")):
        figure.type(value, label, enter=label == "steps")
    (*_, result) = zeroing(rate=1, seed=7, steps=25)
    figure.shows({see.attribute("input[type=range]", "max"): "25"})
    for step in (25, 13, 1):
        figure.slide("", step)
        figure.shows(two_runs(result, step))
    # A run that cannot go on says why.
    figure.press("the rate of train")
    says = "it ends with step 30: the probability"
    figure.shows({".verdict": see.containing(says), see.count(".plane .broken.s2"): 2})
    assert figure.read(".readout tbody td:last-child") == ["–"] * 5
    figure.type("1e300", "learning rate")
    says = "the loss is nan, and no step can change that"
    figure.shows({".verdict": see.containing(says)})
    assert figure.read(".readout tbody td")[:2] == ["not a number"] * 2


def place(x: float) -> int:
    """Number the positive floats, each one more than the one below it."""
    (found,) = struct.unpack("<q", struct.pack("<d", x))
    return int(found)


def digits(figure: Figure, step: int) -> list[float]:
    """The two losses of a step as they stand there, of which all else must follow."""
    figure.shows({".digits caption": re.compile(f"^Step {step:,}: ")})
    texts = figure.read(".digits tr td")[:2]
    hand, graph = map(float, texts)
    apart = abs(place(graph) - place(hand))
    units = f"{apart} unit{'s' * (apart > 1)} in the last place apart"
    figure.shows(
        {".digits caption": f"Step {step:,}: {units if apart else 'the same float'}"}
    )
    marks = figure.read(".digits mark")
    assert len(marks) == (2 if apart else 0)
    if marks:
        rests = [t.removesuffix(mark) for t, mark in zip(texts, marks)]
        assert rests[0] == rests[1]
        assert marks[0][0] != marks[1][0]
    return [hand, graph]


def test_two_losses(open_figure: Open) -> None:
    figure = open_figure("two_losses")
    given = figure.given
    (*_, result) = two_losses(**given)
    sizes = [abs(x) for x in result["apart"]]
    first = 1 + sizes.index(max(sizes))

    def both(step: int) -> list[float]:
        return [result["hand"][step - 1], result["graph"][step - 1]]

    assert digits(figure, first) == both(first)
    says = f"In {result['equal']} of {len(sizes)} steps the two losses are the same"
    figure.shows({".verdict": see.containing(says)})
    for step in range(1, 7):
        figure.slide("", step)
        assert digits(figure, step) == both(step)
    assert not figure.asked_python()
    # The browser's own; exp and gauss round differently from one C library to the next.
    figure.type("30", "steps", enter=False)
    figure.type("5", "seed")
    (*_, result) = two_losses(steps=30, seed=5, relu="right")
    figure.shows({see.attribute("input[type=range]", "max"): "30"})
    for step in range(1, 31, 3):
        figure.slide("", step)
        assert digits(figure, step) == approx(both(step), rel=1e-13)
    # A wrong ReLU is far off.
    figure.press("a wrong ReLU")
    (*_, result) = two_losses(**{**given, "relu": "wrong"})
    figure.shows({".far": see.containing("floats from here")})
    figure.slide("", 2)
    figure.shows({".digits caption": re.compile("^Step 2: ")})
    assert numbers_of(figure) == approx(both(2), rel=1e-13)
    (caption,) = figure.read(".digits caption")
    found = see.number(re.sub(r"^Step 2: | units.*$", "", caption))
    assert found == approx(abs(result["apart"][1]), rel=0.05)


def numbers_of(figure: Figure) -> list[float]:
    return [float(text) for text in figure.read(".digits tr td")[:2]]
