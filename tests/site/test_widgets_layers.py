"""Two models, all parameters, dot products and softmax in a reader's hands."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, expect
from weave.widgets import read_widget

from tests.promises.site import ROOT
from tests.site.browsing import (
    LONG,
    shades,
    strengths,
    styles,
)
from tests.thorough import thorough
from weave.page import read_page
from widgets.dot_product.model import model as dot_product_
from widgets.logits.model import model as logits_
from widgets.two_models.model import model as two_models_
from widgets.weights.model import model as weights_

# All widgets together are looked at every day.
pytestmark = thorough

PAGES = {
    "two_models": "gradient-descent/what-changes",
    "weights": "gradient-descent/parameters",
    "dot_product": "gradient-descent/layers",
    "logits": "gradient-descent/layers",
}

# Widgets come to life when they are seen; nothing is seen before `release()`.


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
    fences = (fence for fence in page.fences if fence.language == "widget")
    found = (read_widget(page, fence) for fence in fences)
    return next(widget.parameters for widget in found if widget.name == name)


def number(text: str) -> float:
    """Read a number as readers see it."""
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    text = text.replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    return float(text.replace(",", ""))


def cells(figure: Locator, part: str = "tbody") -> list[list[str]]:
    """The cells of the table, without its heads."""
    rows = figure.locator(f".readout {part} tr").all()
    return [row.locator("td").all_inner_texts() for row in rows]


@cache
def two_models(name: str) -> two_models_.TwoModels:
    return two_models_.two_models(name)


def assert_bars(figure: Locator, token: int, which: int) -> None:
    """Every bar is as long as its number says, which is Python's."""
    result = two_models("emma")
    rows = (result["table"][token], result["networks"][which]["rows"][token])
    bars = figure.locator(".pairs li")
    expect(bars.locator(".name")).to_have_text(result["tokens"])
    # A full bar is 20, 40 or 100 %.
    full = float(figure.locator(".note").inner_text().split()[-2])
    texts = bars.locator(".value").all_inner_texts()
    widths = styles(bars.locator(".fill"), "width")
    both = [p for pair in zip(*rows, strict=True) for p in pair]
    for p, text, width in zip(both, texts, widths, strict=True):
        shown = float(text.split()[-2])
        assert shown == pytest.approx(100 * p, abs=0.051)
        assert width == pytest.approx(100 * 100 * p / full, abs=0.06)
    keys = figure.locator(".keys > span")
    title = result["networks"][which]["title"]
    expect(keys).to_have_text(["count table, 1,000 names", f"network, {title}"])
    for key, color in zip(keys.all(), ("m1", "m2"), strict=True):
        expect(key.locator(".swatch")).to_have_class(f"swatch {color}")
    apart = 100 * result["networks"][which]["apart"][token]
    says = figure.locator(".says")
    expect(says).to_contain_text(f"counted {result['pairs'][token]:,} pairs")
    expect(says).to_contain_text(f"{apart:.1f} % of the probability")


def assert_losses(figure: Locator, name: str) -> None:
    expect(figure.locator(".readout caption")).to_contain_text(f"“{name}”")
    result = two_models(name)
    expected = [result["table_loss"], *(n["loss"] for n in result["networks"])]
    shown = [number(row[0]) for row in cells(figure)]
    assert shown == pytest.approx(expected, abs=1e-4)
    heads = ["count table", *(f"network, {n['title']}" for n in result["networks"])]
    expect(figure.locator(".readout th")).to_have_text(heads)


def test_both_models_are_shown_side_by_side_for_each_token(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "two_models")
    tokens = two_models("emma")["tokens"]
    assert_bars(figure, tokens.index("m"), 1)
    assert_losses(figure, "emma")
    # The keyboard alone: a letter is typed, arrows go on from there.
    figure.get_by_role("radio", name="m", exact=True).focus()
    figure.page.keyboard.press("x")
    assert_bars(figure, tokens.index("x"), 1)
    figure.page.keyboard.press("ArrowRight")
    assert_bars(figure, tokens.index("y"), 1)
    figure.get_by_role("button", name="untrained").press("Enter")
    assert_bars(figure, tokens.index("y"), 0)
    spoken = figure.locator(".sr-only[role=status]").first
    expect(spoken).to_contain_text("After y: the table has counted")
    figure.get_by_role("radio", name="BOS").click()
    assert_bars(figure, tokens.index("BOS"), 0)
    # No Python was needed for any of that.
    expect(figure.locator(".python [role=status]")).to_have_text("")


def test_losses_of_a_typed_name_are_python_s_and_nonsense_is_refused(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "two_models")
    field = figure.get_by_label("A name", exact=True)
    field.fill("Zoë!")
    field.press("Enter")
    refusal = figure.locator(".refusal")
    expect(refusal).to_contain_text("does not know the character", timeout=LONG)
    expect(field).to_have_value("Zoë!")
    assert_losses(figure, "emma")
    field.fill("maxine")
    at_rest(figure)
    expect(refusal).to_have_text("")
    assert_losses(figure, "maxine")
    figure.get_by_role("button", name="xavier").click()
    at_rest(figure)
    assert_losses(figure, "xavier")


@cache
def weights() -> weights_.WeightMatrices:
    return weights_.weights(**parameters("weights"))


def assert_cell(figure: Locator, matrix: int, row: int, column: int) -> None:
    """The table has the numbers of a parameter, and its name."""
    expected = weights()["matrices"][matrix]
    name = f"{expected['name']}[{row}][{column}]"
    expect(figure.locator(".readout code")).to_have_text(name)
    shown = [number(cell[0]) for cell in cells(figure)]
    values = (expected["before"], expected["after"], expected["change"])
    assert shown == [of[row][column] / 100 for of in values]


def assert_histogram(figure: Locator) -> None:
    """Bars and outline are as high as their counts, and the note has the rest."""
    shown = weights()
    histogram = shown["histogram"]
    most = histogram["most"]
    after = figure.locator(".histogram path.after").get_attribute("d") or ""
    bars = {int(i): float(y) for i, y in re.findall(r"M(\d+) 100V([\d.]+)", after)}
    assert bars == {
        i: pytest.approx(100 * (1 - count / most), abs=0.06)
        for i, count in enumerate(histogram["after"])
        if count
    }
    before = figure.locator(".histogram path.before").get_attribute("d") or ""
    line = [float(y) for y in re.findall(r"V([\d.]+)H", before)]
    high = [100 * (1 - count / most) for count in histogram["before"]]
    assert line == pytest.approx(high, abs=0.06)
    marks = figure.locator(".histogram .marks span")
    low, width = histogram["edges"][0], histogram["edges"][-1] - histogram["edges"][0]
    for mark, left in zip(marks.all(), styles(marks, "left"), strict=True):
        at = (number(mark.inner_text()) - low) / width
        assert left == pytest.approx(100 * at, abs=2)
    expect(figure.locator(".note").last).to_have_text(
        f"Each bar is {histogram['width']} wide; the highest stands for {most} parameters. "
        f"Standard deviation before training {shown['before']['deviation']:.3f}, "
        f"after {shown['after']['deviation']:.3f}. Farthest from 0: "
        f"before {shown['before']['farthest']:.3f}, "
        f"after {shown['after']['farthest']:.3f}."
    )


def test_every_parameter_can_be_picked_before_and_after_training(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "weights")
    given = parameters("weights")
    assert_cell(figure, 0, given["row"], given["column"])
    wte = figure.locator(".wte .cells")
    wte.focus()
    figure.page.keyboard.press("ArrowUp")
    figure.page.keyboard.press("ArrowRight")
    assert_cell(figure, 0, given["row"] - 1, given["column"] + 1)
    expect(figure.locator(".wte [role=status]")).to_contain_text("the letter d: before")
    fc2 = figure.locator(".fc2 .cells")
    box = fc2.bounding_box()
    assert box is not None
    at = {"x": box["width"] * 40.5 / 64, "y": box["height"] * 26.5 / 27}
    fc2.click(position=at)  # type: ignore[arg-type]
    assert_cell(figure, 2, 26, 40)
    expect(figure.locator(".readout caption")).to_contain_text("the row for BOS")
    expect(figure.locator(".picked")).to_have_count(1)
    figure.locator(".fc1 .cells").focus()
    figure.page.keyboard.press("End")
    assert_cell(figure, 1, 0, 15)
    for view, says in (
        ("before", "before training"),
        ("change", "change"),
        ("after", "after training"),
    ):
        button = figure.get_by_role("button", name=says)
        button.press("Enter")
        expect(button).to_have_attribute("aria-pressed", "true")
        for matrix in weights()["matrices"]:
            values: list[list[float]] = matrix[view]  # type: ignore[literal-required]
            picture = figure.locator(f".maps .{matrix['name']}")
            assert shades(picture) == strengths(values, 50)
    assert_histogram(figure)
    expect(figure.locator(".fc2 .ends span").last).to_have_text("≥ 0.50")


def assert_products(figure: Locator, w: list[float], x: list[float]) -> None:
    """Table and sentence are Python's."""
    at_rest(figure)
    result = dot_product_.dot_product(w, x)
    shown = [[number(cell) for cell in row[:4]] for row in cells(figure)]
    rows = zip(w, x, result["products"], result["running"], strict=True)
    for texts, expected in zip(shown, rows, strict=True):
        assert texts == pytest.approx(list(expected), abs=5.1e-4, rel=0.005)
    (total,) = cells(figure, "tfoot")
    assert number(total[0]) == pytest.approx(result["sum"], abs=5.1e-4)
    sums = [0.0, *result["running"]]
    half = next(s for s in (1, 2, 4, 8, 16) if s >= max(map(abs, sums)))
    ends = [*pairwise(sums), (0.0, result["sum"])]
    stretches = figure.locator(".stretch")
    lefts = [50 + 50 * min(both) / half for both in ends]
    assert styles(stretches, "left") == pytest.approx(lefts, abs=0.006)
    wide = [50 * abs(b - a) / half for a, b in ends]
    assert styles(stretches, "width") == pytest.approx(wide, abs=0.006)
    expect(figure.locator(".scale-note")).to_contain_text(f"from −{half} to {half},")
    expect(figure.locator(".verdict")).to_contain_text(result["says"])


def test_products_follow_the_numbers_and_letters_that_readers_choose(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "dot_product")
    given = parameters("dot_product")
    assert_products(figure, **given)
    slider = figure.get_by_label("w[1]")
    slider.press("End")
    w = [given["w"][0], 2.0, *given["w"][2:]]
    assert_products(figure, w, given["x"])
    slider.press("ArrowLeft")
    w[1] = 1.9
    assert_products(figure, w, given["x"])
    figure.get_by_role("button", name="opposite").click()
    assert_products(figure, given["w"], [-value for value in given["w"]])
    figure.get_by_role("button", name="cancelling").click()
    at_rest(figure)
    (total,) = cells(figure, "tfoot")
    assert total[0] == "0.00"
    figure.get_by_role("button", name="two embeddings").press("Enter")
    embeddings = dot_product_.embeddings()
    a, o, w_ = (embeddings[ord(letter) - ord("a")] for letter in "aow")
    assert_products(figure, a["vector"], o["vector"])
    says = "those of o, e, u, i agree most with that of a"
    expect(figure.locator(".verdict")).to_contain_text(says)
    least = ", ".join(embeddings[other]["name"] for other in a["like"][-4:])
    expect(figure.locator(".verdict")).to_contain_text(f"{least} agree least")
    figure.get_by_label("x is the embedding of").select_option("w")
    assert_products(figure, a["vector"], w_["vector"])
    figure.get_by_role("button", name="as above").click()
    assert_products(figure, **given)


def assert_softmax(figure: Locator, given: dict[str, Any]) -> None:
    """Table and sentence are Python's."""
    at_rest(figure)
    result = logits_.logits(**given)
    expect(figure.locator(".verdict")).to_contain_text(result["says"])
    for texts, row in zip(cells(figure), result["rows"], strict=True):
        assert number(texts[0]) == pytest.approx(row["logit"])
        assert number(texts[1]) == pytest.approx(row["exponent"])
        if row["exp"] is None:
            assert texts[2] == "too large"
        else:
            assert number(texts[2]) == pytest.approx(row["exp"], rel=0.006)
        if row["p"] is None:
            assert texts[3].strip() == "–"
        else:
            assert number(texts[3]) == pytest.approx(row["p"], abs=5.1e-5)
    names = figure.locator(".readout tbody th")
    expect(names).to_have_text([row["name"] for row in result["rows"]])
    long = [100 * (row["p"] or 0) for row in result["rows"]]
    fills = styles(figure.locator(".readout .fill"), "width")
    assert fills == pytest.approx(long, abs=0.06)
    total = cells(figure, "tfoot")[0][2]
    if result["total"] is None:
        assert total == "too large"
    else:
        assert number(total) == pytest.approx(result["total"], rel=0.006)


def test_softmax_survives_what_breaks_it_without_the_subtraction(
    context: BrowserContext, address: str
) -> None:
    figure = opened(context, address, "logits")
    given = parameters("logits")
    assert_softmax(figure, given)
    figure.get_by_role("slider", name=re.compile("^b ")).press("End")
    given["logits"] = [given["logits"][0], 5.0, *given["logits"][2:]]
    assert_softmax(figure, given)
    figure.get_by_role("button", name="+1,000").click()
    given["added"] = 1000
    assert_softmax(figure, given)
    figure.get_by_label("subtract the largest").press("Space")
    given["subtract"] = False
    assert_softmax(figure, given)
    expect(figure.locator(".verdict")).to_contain_text("No probabilities. math.exp(")
    figure.get_by_label("added to all").press("ArrowLeft")
    given["added"] = 999
    assert_softmax(figure, given)
    for button, added in (("−740", -740), ("−1,000", -1000), ("+700", 700), ("0", 0)):
        figure.get_by_role("button", name=button, exact=True).click()
        given["added"] = added
        assert_softmax(figure, given)
    expect(figure.locator(".verdict")).to_contain_text("the same probabilities")
