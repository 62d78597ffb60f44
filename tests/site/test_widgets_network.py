"""The network in a reader's hands: its vectors, its forward pass, its slopes."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect
from weave.widgets import read_widget

from tests.promises.site import ROOT
from tests.site.browsing import LONG, outline, strength, styles
from tests.thorough import thorough
from weave.page import read_page
from widgets.forward_pass.model import ForwardPass, forward_pass
from widgets.network.model import Network, network
from widgets.nudge.model import Nudges, nudge

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "network": "gradient-descent/network",
    "forward_pass": "gradient-descent/forward-pass",
    "nudge": "gradient-descent/numerical-gradient",
}
STRIPS = ["x", "hidden", "activated", "logits", "probabilities"]


def opened(context: BrowserContext, address: str, name: str) -> Locator:
    """Open the page of a widget, and wait until it can be touched."""
    tab = context.new_page()
    tab.goto(f"{address}{PAGES[name]}/")
    figure = tab.locator(f"[data-widget={name}]")
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-alive", "", timeout=LONG)
    return figure


def answered(figure: Locator) -> None:
    """Wait until Python has answered what was asked last."""
    expect(figure.locator(".stale")).to_have_count(0, timeout=LONG)
    expect(figure.locator(".python")).to_have_attribute("data-busy", "false")


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
    return float(text.replace("+", ""))


def strip(figure: Locator, name: str) -> Locator:
    return figure.locator(".strip").nth(STRIPS.index(name))


def names_of(shown: Network, strip_name: str) -> list[str]:
    count = {"x": 16, "hidden": 64, "activated": 64}.get(strip_name)
    if count is not None:
        return [f"{strip_name}[{i}]" for i in range(count)]
    what = "logit" if strip_name == "logits" else "probability"
    return [f"{what} of {token}" for token in shown["tokens"]]


def vector(shown: Network, token: int, strip_name: str) -> list[float]:
    hidden = shown["hidden"][token]
    found: dict[str, list[float]] = {
        "x": shown["wte"][token],
        "hidden": hidden,
        "activated": [max(0.0, h) for h in hidden],
        "logits": shown["logits"][token],
        "probabilities": shown["probabilities"][token],
    }
    return found[strip_name]


def assert_strips(figure: Locator, shown: Network, token: int, rel: float) -> None:
    """Each cell says the number that Python has for it."""
    for name in STRIPS:
        options = strip(figure, name).get_by_role("option")
        labels = options.evaluate_all("all => all.map(x => x.ariaLabel)")
        said = [label.split(" = ") for label in labels]
        assert [cell for cell, _ in said] == names_of(shown, name)
        assert [number(value) for _, value in said] == pytest.approx(
            vector(shown, token, name), rel=rel, abs=1e-9
        )
        below = options.evaluate_all(
            "all => all.map(x => x.classList.contains('below'))"
        )
        assert below == [value < 0 for value in vector(shown, token, name)]
        if name in ("logits", "probabilities"):
            heads = [t if len(t) == 1 else "·" for t in shown["tokens"]]
            expect(options.locator(".name")).to_have_text(heads)
        if rel < 1e-6:  # otherwise a number may lie on either side of a step
            of = "hidden" if name == "activated" else name
            every = [vector(shown, each, of) for each in range(27)]
            limit = max(abs(value) for values in every for value in values)
            strong = styles(options.locator(".fill"), "--shade")
            expected = [abs(strength(v, limit)) for v in vector(shown, token, name)]
            assert strong == expected


def contributions(figure: Locator) -> list[tuple[str, list[float], float]]:
    """What is listed of a dot product: names, factors, lengths of bars with signs."""
    rows = figure.locator(".contributions li:not(.empty)").all()
    found = []
    for row in rows:
        factors = row.locator(".text").inner_text().split(" × ")
        width = row.locator(".bar-of-product").evaluate(
            "x => parseFloat(x.style.width)"
        )
        sign = -1 if "below" in (row.get_attribute("class") or "") else 1
        name = row.locator(".name").inner_text()
        found.append((name, [number(factor) for factor in factors], sign * width))
    return found


def assert_products(
    figure: Locator, inputs: list[float], weights: list[float], name: str
) -> None:
    """The five largest products are listed, bars as long as they are large."""
    products = [x * w for x, w in zip(inputs, weights, strict=True)]
    order = sorted(range(len(products)), key=lambda i: -abs(products[i]))[:5]
    order = [i for i in order if products[i] != 0]
    listed = contributions(figure)
    assert [each[0] for each in listed] == [name.format(i) for i in order]
    for i, (_, factors, width) in zip(order, listed, strict=True):
        assert factors == pytest.approx([inputs[i], weights[i]], rel=1e-9)
        share = 50 * products[i] / abs(products[order[0]])
        assert width == pytest.approx(share, abs=0.06)


def test_every_letter_flows_as_python_says(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "network")
    shown = network(**parameters("network"))
    assert_strips(figure, shown, shown["token"], 1e-9)
    picker = figure.get_by_role("radiogroup")
    for letter in ("q", "BOS"):
        picker.get_by_role("radio", name=letter, exact=True).check()
        expect(figure.locator(".flow .title")).to_contain_text(letter)
        assert_strips(figure, shown, shown["tokens"].index(letter), 1e-9)
    off = shown["off"][shown["tokens"].index("BOS")]
    expect(figure).to_contain_text(f"ReLU: {off} of them become 0")


def test_each_cell_tells_the_products_that_made_it(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "network")
    shown = network(**parameters("network"))
    token = shown["token"]
    x, activated = vector(shown, token, "x"), vector(shown, token, "activated")
    title = figure.locator(".detail .title")

    first = max(range(27), key=lambda t: shown["logits"][token][t])
    expect(title).to_contain_text(f"logit of {shown['tokens'][first]} = ")
    assert_products(figure, activated, shown["fc2"][first], "unit {}")

    off = shown["off"][token]
    says = figure.locator(".detail .says")
    expect(says).to_contain_text(
        f"row {first} of fc2: 64 products, of which {off} are 0"
    )

    # What an embedding's number weighs in, and the likeliest tokens
    strip(figure, "x").get_by_role("option").nth(3).click()
    expect(title).to_contain_text("x[3] = ")
    column = [row[3] for row in shown["fc1"]]
    assert_products(figure, [x[3]] * 64, column, "hidden[{}]")
    p = shown["probabilities"][token]
    strip(figure, "probabilities").get_by_role("option").nth(1).click()
    expect(title).to_contain_text("probability of b = ")
    likeliest = sorted(range(27), key=lambda t: -p[t])[:5]
    names = figure.locator(".contributions .name")
    expect(names).to_have_text([shown["tokens"][t] for t in likeliest])
    texts = figure.locator(".contributions .text").all_inner_texts()
    assert [number(text) for text in texts] == [p[t] for t in likeliest]
    said = says.inner_text().partition("the logit ")[2].partition(" and")[0]
    assert number(said) == shown["logits"][token][1]

    # By mouse, in the strip of hidden units
    strip(figure, "hidden").get_by_role("option").nth(37).click()
    expect(title).to_contain_text("hidden[37] = ")
    assert_products(figure, x, shown["fc1"][37], "x[{}]")
    marked = strip(figure, "x").locator(".also")
    assert marked.count() == len(contributions(figure))

    # By keyboard, to a unit that ReLU lets pass and one that it stops
    unit, stopped = shown["passes"][token].index("1"), shown["passes"][token].index("0")
    units = strip(figure, "activated")
    units.focus()
    units.press("Home")
    for _ in range(unit):
        units.press("ArrowRight")
    expect(title).to_contain_text(f"activated[{unit}] = ")
    column = [row[unit] for row in shown["fc2"]]
    of_tokens = [each[0] for each in contributions(figure)]
    largest = sorted(range(27), key=lambda t: -abs(column[t]))[:5]
    assert of_tokens == [f"to {shown['tokens'][t]}" for t in largest]
    units.press("Home")
    for _ in range(stopped):
        units.press("ArrowRight")
    expect(figure.locator(".says")).to_contain_text("so ReLU makes it 0")
    assert contributions(figure) == []
    option = units.get_attribute("aria-activedescendant") or ""
    chosen = figure.page.locator(f"#{option}")
    expect(chosen).to_have_attribute("aria-selected", "true")
    assert chosen.get_attribute("aria-label") == f"activated[{stopped}] = 0"

    # A row down, and by the buttons beside the title
    units.press("Home")
    units.press("ArrowDown")
    expect(title).to_contain_text("activated[32] = ")
    figure.get_by_role("button", name="One cell on").press("Enter")
    expect(title).to_contain_text("activated[33] = ")
    strip(figure, "probabilities").press("End")
    expect(title).to_contain_text("probability of BOS = ")
    on = figure.get_by_role("button", name="One cell on")
    expect(on).to_have_attribute("aria-disabled", "true")


def test_untrained_weights_come_from_python(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "network")
    figure.get_by_role("button", name="untrained", exact=True).click()
    expect(figure.locator(".flow .title")).to_have_text(
        "e through the untrained network", timeout=LONG
    )
    answered(figure)
    shown = network("e", "untrained")
    # exp and gauss round differently from one C library to the next.
    assert_strips(figure, shown, shown["token"], 0.011)
    # These are the numbers that the page prints above.
    printed = figure.page.locator("pre", has_text="64 numbers:").first.inner_text()
    first = re.search(r"16 numbers: +(-?[\d.]+)", printed)
    assert first is not None
    said = strip(figure, "x").get_by_role("option").first.get_attribute("aria-label")
    assert number((said or "").split(" = ")[1]) == pytest.approx(
        float(first[1]), abs=1e-4
    )


def variables(figure: Locator) -> dict[str, str]:
    """What is written of each variable, dashes left out."""
    rows = figure.locator(".variable").all()
    found = {
        row.locator("dt").inner_text(): row.locator("dd").inner_text() for row in rows
    }
    return {name: text for name, text in found.items() if text != "–"}


def assert_step(figure: Locator, walk: ForwardPass, at: int) -> None:
    """Line, words, variables and losses are Python's at a step."""
    step = walk["steps"][at]
    pair = walk["pairs"][step["pair"]]
    expect(figure.locator(".count")).to_have_text(f"{at} of {len(walk['steps']) - 1}")
    expect(figure.locator(".words")).to_have_text(step["says"])
    lit = figure.locator(".code .lit .number").all_inner_texts()
    assert lit == ([str(step["line"])] if step["line"] else [])
    waiting = figure.locator(".code .waiting .number").all_inner_texts()
    assert waiting == [str(line) for line in step["waiting"]]
    known = {
        name
        for each in walk["steps"][: at + 1]
        if each["pair"] == step["pair"]
        for within, names in each["holds"].items()
        for name in names
        if (within, name) != ("forward", "token")
    }
    shown = variables(figure)
    assert shown.keys() == known
    for name, values in pair["vectors"].items():
        if name in known:
            count, *first = shown[name].removesuffix(" …").split()
            assert count == f"{len(values)}:"
            assert [number(x) for x in first] == pytest.approx(values[:3], rel=0.06)
    for name in known & {"token", "target"}:
        token = pair[name]  # type: ignore[literal-required]
        assert shown[name] == f"{token} ({walk['tokens'][token]})"
    for name in known & {"largest", "total"}:
        value = pair[name]  # type: ignore[literal-required]
        assert number(shown[name]) == pytest.approx(value, rel=0.006)
    if "losses" in known:
        last = [f"{each['loss']:.2f}" for each in walk["pairs"][: step["losses"]]]
        few = ["…", *last[-4:]] if len(last) > 4 else last
        assert shown["losses"] == f"[{', '.join(few)}]"
    lines = [line for each in walk["functions"] for line in each["lines"]]
    expect(figure.locator(".code .text")).to_have_text(
        [x["text"].strip() for x in lines]
    )
    expect(figure.locator(".note")).to_contain_text(
        f"is at {walk['blind']:.4f}, the loss"
    )
    rows = figure.locator(".losses tbody tr").all()
    assert len(rows) == len(walk["pairs"])
    for index, (row, each) in enumerate(zip(rows, walk["pairs"], strict=True)):
        after, comes, p, loss, _ = row.locator("td").all_inner_texts()
        tokens = walk["tokens"]
        assert (after, comes) == (tokens[each["token"]], tokens[each["target"]])
        if index < step["losses"]:
            assert number(p) == pytest.approx(each["p"], abs=6e-5)
            assert number(loss) == pytest.approx(each["loss"], abs=6e-5)
        else:
            assert (p, loss) == ("–", "–")
    mean = figure.locator(".losses tfoot td").first.inner_text()
    end = step["line"] == 0
    assert mean == (f"{walk['mean']:.4f}" if end else "–")
    losses = [each["loss"] for each in walk["pairs"]]
    highest = max(walk["blind"], *losses)
    long = [loss * (i < step["losses"]) for i, loss in enumerate(losses)]
    bars = [90 * loss / highest for loss in [*long, walk["mean"] * end]]
    assert styles(figure.locator(".losses .fill"), "width") == pytest.approx(
        bars, abs=0.06
    )
    blind = styles(figure.locator(".losses .blind"), "left")
    assert blind == pytest.approx([90 * walk["blind"] / highest] * len(bars), abs=0.06)


def test_the_forward_pass_is_walked_line_by_line(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "forward_pass")
    walk = forward_pass(**parameters("forward_pass"))
    last = len(walk["steps"]) - 1
    assert_step(figure, walk, last)
    figure.get_by_role("button", name="To the start").press("Enter")
    on = figure.get_by_role("button", name="One step on")
    for at in range(30):
        assert_step(figure, walk, at)
        on.press("Enter")
    expect(on).to_be_focused()
    spoken = figure.locator(".player [role=status]")
    expect(spoken).to_have_text(walk["steps"][30]["says"])
    scale = figure.locator("input[type=range]")
    scale.press("End")
    scale.press("ArrowLeft")
    assert_step(figure, walk, last - 1)


def test_a_name_of_the_reader_is_walked_and_nonsense_refused(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "forward_pass")
    field = figure.get_by_label("A name", exact=True)
    refusal = figure.locator(".refusal")
    field.fill("zoë")
    expect(refusal).to_contain_text("does not know the character 'ë'", timeout=LONG)
    assert_step(figure, forward_pass("emma", "untrained"), 68)
    field.fill("")
    expect(refusal).to_have_text("type a name: one letter or more")
    field.fill("anna")
    figure.get_by_role("button", name="trained", exact=True).click()
    walk = forward_pass("anna", "trained")
    expect(figure.locator(".words")).to_have_text(walk["steps"][0]["says"])
    answered(figure)
    expect(refusal).to_have_text("")
    assert_step(figure, walk, 0)
    figure.locator("input[type=range]").press("End")
    assert_step(figure, walk, len(walk["steps"]) - 1)


def facts(figure: Locator) -> dict[str, float]:
    rows = figure.locator(".readout tr").all()
    return {
        row.locator("th").inner_text(): number(row.locator("td").inner_text())
        for row in rows
    }


def assert_nudge(figure: Locator, result: Nudges, at: int, exact: bool = True) -> None:
    """Table, words and both pictures are Python's for a nudge."""
    each = result["nudges"][at]
    shown = facts(figure)
    assert shown["ε"] == each["epsilon"]
    rel = 1e-3 if exact else 2e-2
    assert shown["true slope"] == pytest.approx(result["slope"], rel=1e-4)
    assert shown["loss with it"] == pytest.approx(each["loss"], rel=1e-5)
    assert shown["difference"] == pytest.approx(each["rise"], rel=rel)
    measured = shown["measured slope: difference / ε"]
    assert measured == pytest.approx(each["slope"], rel=rel)
    if exact:
        assert shown["error"] == pytest.approx(each["error"], rel=0.06)
        expect(figure.locator(".says")).to_have_text(each["says"])
    assert shown["loss without the nudge"] == pytest.approx(result["loss"], rel=1e-5)
    assert_glass(figure, result, at)
    error = outline(figure.locator(".errors path.error"))
    heights = [
        150 * min(1, max(0, math.log10(n["error"]) / -12)) if n["error"] else 150
        for n in result["nudges"]
    ]
    # A nudge's rounding is a machine's own, and largest where nudges are small.
    count = len(heights) if exact else 9
    assert [y for _, y in error][:count] == pytest.approx(
        heights[:count], abs=0.2 if exact else 3
    )
    feet = figure.locator(".errors .foot").all_inner_texts()
    epsilons = [n["epsilon"] for n in result["nudges"][::10]]
    assert [number(foot.removeprefix("ε = ")) for foot in feet] == epsilons
    left = figure.locator(".errors .point").evaluate("x => parseFloat(x.style.left)")
    assert left == pytest.approx(100 * at / (len(result["nudges"]) - 1), abs=0.06)


def assert_glass(figure: Locator, result: Nudges, at: int) -> None:
    """Curve, secant and tangent lie as their numbers say, on one scale."""
    each = result["nudges"][at]
    glass = figure.locator(".glass")
    title = glass.locator(".title").inner_text()
    assert number(title.rpartition("window ")[2].removesuffix(" wide")) == (
        pytest.approx(2 * each["epsilon"])
    )
    assert number(glass.locator(".tick").first.inner_text()) == pytest.approx(
        result["loss"], rel=1e-5
    )
    value = number(glass.locator(".foot").first.inner_text())
    assert value == pytest.approx(result["value"], rel=0.006)
    heights = [y for _, y in outline(glass.locator("path.loss"))]
    assert len(heights) == len(each["curve"])
    if at > 10:
        return  # steps from float to float, which are a machine's own
    curve = each["curve"]
    low, high = curve.index(min(curve)), curve.index(max(curve))
    scale = (heights[high] - heights[low]) / (curve[high] - curve[low])
    zero = heights[low] - scale * curve[low]
    assert heights == pytest.approx([zero + scale * y for y in curve], abs=0.5)
    for name, slope in (
        ("secant", each["rise"]),
        ("tangent", result["slope"] * each["epsilon"]),
    ):
        ends = [y for _, y in outline(glass.locator(f"path.{name}"))]
        expected = [zero + scale * slope * t for t in (-0.5, 1.5)]
        assert ends == pytest.approx(expected, abs=1.5)


def test_the_nudge_can_be_made_smaller_until_it_is_lost(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "nudge")
    result = nudge(**parameters("nudge"))
    assert_nudge(figure, result, 0)
    scale = figure.locator("input[type=range]")
    scale.press("Home")
    for at in range(len(result["nudges"])):
        assert_nudge(figure, result, at)
        scale.press("ArrowRight")
    spoken = scale.get_attribute("aria-valuetext") or ""
    assert spoken.startswith("ε = 1e-15, measured slope ")
    larger = figure.get_by_role("button", name="A larger nudge")
    larger.press("Enter")
    expect(figure.locator(".size [role=status]")).to_contain_text("ε = 3e-15")
    assert_nudge(figure, result, len(result["nudges"]) - 2)
    # The picture of the errors can be pressed, too.
    plane = figure.locator(".errors .plane")
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    assert box is not None
    figure.page.mouse.click(box["x"] + box["width"] / 3, box["y"] + 40)
    assert_nudge(figure, result, result["usual"])


def test_another_parameter_is_measured_in_the_browser(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "nudge")
    figure.get_by_label("matrix").select_option("fc2")
    figure.get_by_label("column").select_option("10")
    expect(figure.locator(".belongs")).to_contain_text("fc2[12][10]", timeout=LONG)
    answered(figure)
    result = nudge("emma", "untrained", "fc2", 12, 10)
    expect(figure.locator(".belongs")).to_contain_text(result["belongs"])
    scale = figure.locator("input[type=range]")
    scale.press("Home")
    for at in range(14):
        assert_nudge(figure, result, at, exact=False)
        scale.press("ArrowRight")
    # A shape that has no such column takes its last one.
    figure.get_by_label("column").select_option("63")
    figure.get_by_label("matrix").select_option("fc1")
    expect(figure.locator(".belongs")).to_contain_text("fc1[12][15]", timeout=LONG)
    figure.get_by_label("A name", exact=True).fill("e mma")
    expect(figure.locator(".refusal")).to_contain_text("does not know the character")
    expect(figure.locator(".belongs")).to_contain_text("fc1[12][15]")
