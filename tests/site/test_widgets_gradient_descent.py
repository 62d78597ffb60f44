"""What readers see in the widgets of gradient descent is what Python computes."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import pairwise
from typing import Any
from unittest.mock import ANY

from playwright.sync_api import expect
from pytest import approx
from widgets.by_hand.model import by_hand
from widgets.dot_product.model import dot_product, embeddings
from widgets.forward_pass.model import forward_pass
from widgets.logits.model import logits
from widgets.nudge.model import nudge
from widgets.weights.model import weights

from tests.site import see
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.gradient_check import model as gradient_check_module
from widgets.gradient_check.model import gradient_check
from widgets.network.model import network
from widgets.two_models.model import two_models

# All widgets together are looked at every day.
pytestmark = thorough


def models(letter: str, which: int, name: str = "emma") -> Seen:
    """Bars of both models after a token, and their losses on a name."""
    result: Any = two_models("emma")
    of: Any = two_models(name)
    token, other = result["tokens"].index(letter), result["networks"][which]
    pairs = zip(result["table"][token], other["rows"][token])
    both = [p for pair in pairs for p in pair]
    apart = f"{100 * other['apart'][token]:.1f} % of the probability"
    titles = [f"network, {one['title']}" for one in of["networks"]]
    losses = [of["table_loss"], *(one["loss"] for one in of["networks"])]
    return {
        ".pairs li .name": result["tokens"],
        **see.percents(".pairs li .value", both),
        **see.in_proportion(".pairs li .fill", both),
        ".keys > span": ["count table, 1,000 names", f"network, {other['title']}"],
        see.flags(".keys .swatch", ".m1"): [True, False],
        ".says": re.compile(f"counted {result['pairs'][token]:,} pairs.* {apart}"),
        ".readout caption": see.containing(f"“{name}”"),
        ".readout th": ["count table", *titles],
        see.numbers(".readout tbody td:first-of-type"): approx(losses, abs=1e-4),
    }


def test_two_models(open_figure: Open) -> None:
    figure = open_figure("two_models")
    figure.shows(models("m", 1))
    figure.keys(figure.radio("m"), "x")
    figure.shows(models("x", 1))
    figure.tab.keyboard.press("ArrowRight")
    figure.shows(models("y", 1))
    figure.press("untrained")
    figure.shows(models("y", 0))
    assert not figure.asked_python()
    figure.type("maxine", enter=False)
    figure.shows(models("y", 0, "maxine"))
    figure.press("xavier")
    figure.shows(models("y", 0, "xavier"))


def parameter(result: Any, matrix: int, row: int, column: int) -> Seen:
    """The name and the numbers of a parameter."""
    of = result["matrices"][matrix]
    values = [of[when][row][column] / 100 for when in ("before", "after", "change")]
    return {
        ".readout code": f"{of['name']}[{row}][{column}]",
        see.numbers(".readout tbody td:first-of-type"): values,
    }


def test_weights(open_figure: Open) -> None:
    figure = open_figure("weights")
    given = figure.given
    result: Any = weights(**given)
    figure.shows(parameter(result, 0, given["row"], given["column"]))
    figure.keys(".wte .cells", "ArrowUp", "ArrowRight")
    figure.shows(parameter(result, 0, given["row"] - 1, given["column"] + 1))
    expect(figure.find(".wte [role=status]")).to_contain_text("the letter d: before")
    figure.click_cell(figure.find(".fc2 .cells"), (26, 40), (27, 64))
    figure.shows(parameter(result, 2, 26, 40))
    figure.shows(
        {".readout caption": see.containing("the row for BOS"), see.count(".picked"): 1}
    )
    figure.keys(".fc1 .cells", "End")
    figure.shows(parameter(result, 1, 0, 15))
    for view, says in (
        ("before", "before training"),
        ("change", "change"),
        ("after", "after training"),
    ):
        figure.press(says)
        expect(figure.button(says)).to_have_attribute("aria-pressed", "true")
        figure.shows(
            {
                see.shades(f".maps .{of['name']}"): [see.strengths(of[view], 50)]
                for of in result["matrices"]
            }
        )
    expect(figure.find(".fc2 .ends span").last).to_have_text("≥ 0.50")
    # The histogram's bars and its outline are as high as their counts.
    of = result["histogram"]
    bars = figure.find(".histogram path.after").get_attribute("d") or ""
    assert {int(i): float(y) for i, y in re.findall(r"M(\d+) 100V([\d.]+)", bars)} == {
        i: approx(100 * (1 - n / of["most"]), abs=0.06)
        for i, n in enumerate(of["after"])
        if n
    }
    line = figure.find(".histogram path.before").get_attribute("d") or ""
    assert [float(y) for y in re.findall(r"V([\d.]+)H", line)] == approx(
        [100 * (1 - n / of["most"]) for n in of["before"]], abs=0.06
    )
    low, width = of["edges"][0], of["edges"][-1] - of["edges"][0]
    marks = figure.read(see.numbers(".histogram .marks span"))
    figure.shows(
        {
            see.style(".histogram .marks span", "left"): approx(
                [100 * (mark - low) / width for mark in marks], abs=2
            )
        }
    )
    before, after = result["before"], result["after"]
    assert figure.read(".note")[-1] == (
        f"Each bar is {of['width']} wide; the highest stands for {of['most']} parameters. "
        f"Standard deviation before training {before['deviation']:.3f}, "
        f"after {after['deviation']:.3f}. Farthest from 0: "
        f"before {before['farthest']:.3f}, after {after['farthest']:.3f}."
    )


def products(w: list[float], x: list[float]) -> Seen:
    """The table, the stretches that add up, and what is said of them."""
    result: Any = dot_product(w, x)
    rows = zip(w, x, result["products"], result["running"])
    sums = [0.0, *result["running"]]
    half = next(s for s in (1, 2, 4, 8, 16) if s >= max(map(abs, sums)))
    ends = [*pairwise(sums), (0.0, result["sum"])]
    return {
        see.numbers(".readout tbody td:not(.wide):nth-child(-n + 5)"): [
            approx(value, abs=5.1e-4, rel=0.005) for row in rows for value in row
        ],
        see.numbers(".readout tfoot td:first-of-type"): approx(
            result["sum"], abs=5.1e-4
        ),
        see.style(".stretch", "left"): approx(
            [50 + 50 * min(both) / half for both in ends], abs=0.006
        ),
        **see.widths(".stretch", [50 * abs(b - a) / half for a, b in ends], abs=0.006),
        ".scale-note": see.containing(f"from −{half} to {half},"),
        ".verdict": see.containing(result["says"]),
    }


def test_dot_product(open_figure: Open) -> None:
    figure = open_figure("dot_product")
    given = figure.given
    figure.shows(products(**given))
    slider = figure.field("w[1]")
    slider.press("End")
    w = [given["w"][0], 2.0, *given["w"][2:]]
    figure.shows(products(w, given["x"]))
    slider.press("ArrowLeft")
    w[1] = 1.9
    figure.shows(products(w, given["x"]))
    figure.press("opposite")
    figure.shows(products(given["w"], [-value for value in given["w"]]))
    figure.press("cancelling")
    figure.shows({".readout tfoot td:first-of-type": "0.00"})
    figure.press("two embeddings")
    known: Any = embeddings()
    a, o, other = (known[ord(letter) - ord("a")] for letter in "aow")
    figure.shows(products(a["vector"], o["vector"]))
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text("those of o, e, u, i agree most with that of a")
    least = ", ".join(known[each]["name"] for each in a["like"][-4:])
    expect(verdict).to_contain_text(f"{least} agree least")
    figure.choose("x is the embedding of", "w")
    figure.shows(products(a["vector"], other["vector"]))
    figure.press("as at first")
    figure.shows(products(**given))


def softmax(given: dict[str, Any]) -> Seen:
    """Each row of the table, and what is said of it."""
    result: Any = logits(**given)
    rows = result["rows"]

    def row(of: Any) -> list[object]:
        exp = "too large" if of["exp"] is None else approx(of["exp"], rel=0.006)
        p = "–" if of["p"] is None else approx(of["p"], abs=5.1e-5)
        return [approx(of["logit"]), approx(of["exponent"]), exp, p]

    total = result["total"]
    return {
        ".verdict": see.containing(result["says"]),
        ".readout tbody th": [of["name"] for of in rows],
        see.numbers(".readout tbody td"): [cell for of in rows for cell in row(of)],
        **see.widths(".readout .fill", [100 * (of["p"] or 0) for of in rows]),
        see.numbers(".readout tfoot td:nth-of-type(3)"): "too large"
        if total is None
        else approx(total, rel=0.006),
    }


def test_logits(open_figure: Open) -> None:
    figure = open_figure("logits")
    given = figure.given
    figure.shows(softmax(given))
    figure.slide("b ", "End")
    given["logits"] = [given["logits"][0], 5.0, *given["logits"][2:]]
    figure.shows(softmax(given))
    figure.press("+1,000")
    given["added"] = 1000
    figure.shows(softmax(given))
    figure.root.get_by_label("subtract the largest").press("Space")
    given["subtract"] = False
    figure.shows(softmax(given))
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text("No probabilities. math.exp(")
    figure.root.get_by_label("added to all").press("ArrowLeft")
    given["added"] = 999
    figure.shows(softmax(given))
    for button, added in (("−740", -740), ("−1,000", -1000), ("+700", 700), ("0", 0)):
        figure.press(button)
        given["added"] = added
        figure.shows(softmax(given))
    expect(verdict).to_contain_text("the same probabilities")


STRIPS = ("x", "hidden", "activated", "logits", "probabilities")


def vector(shown: Any, token: int, strip: str) -> list[float]:
    if strip == "activated":
        return [max(0.0, h) for h in shown["hidden"][token]]
    of: list[float] = shown["wte" if strip == "x" else strip][token]
    return of


def strips(shown: Any, token: int, rel: float = 1e-9) -> Seen:
    """Each cell of the network says Python's number, and is as strong as that."""
    labels, below, strong = [], [], []
    for strip in STRIPS:
        values = vector(shown, token, strip)
        names = [f"{strip}[{i}]" for i in range(len(values))]
        if strip in ("logits", "probabilities"):
            what = "logit" if strip == "logits" else "probability"
            names = [f"{what} of {token}" for token in shown["tokens"]]
        labels += [
            see.labelled(name, approx(value, rel=rel, abs=1e-9))
            for name, value in zip(names, values)
        ]
        below += [value < 0 for value in values]
        of = "hidden" if strip == "activated" else strip
        limit = max(abs(x) for each in range(27) for x in vector(shown, each, of))
        strong += [abs(see.strength(value, limit)) for value in values]
    heads = [token if len(token) == 1 else "·" for token in shown["tokens"]]
    seen: Seen = {
        see.attribute(".strip [role=option]", "aria-label"): labels,
        see.flags(".strip [role=option]", ".below"): below,
        ".strip [role=option] .name": heads + heads,
    }
    if rel < 1e-6:  # otherwise a number may lie on either side of a step
        seen[see.style(".strip [role=option] .fill", "--shade")] = strong
    return seen


def largest(factors: list[tuple[str, float, float]]) -> Seen:
    """The five largest products are listed, bars as long as they are large."""
    order = sorted(factors, key=lambda f: -abs(f[1] * f[2]))[:5]
    order = [(name, x, w) for name, x, w in order if x * w != 0]
    most = abs(order[0][1] * order[0][2])
    row = ".contributions li:not(.empty)"
    return {
        f"{row} .name": [name for name, _, _ in order],
        f"{row} .text": [see.product(x, w) for _, x, w in order],
        **see.widths(
            f"{row} .bar-of-product", [50 * abs(x * w) / most for _, x, w in order]
        ),
        see.flags(row, ".below"): [x * w < 0 for _, x, w in order],
    }


def test_network(open_figure: Open) -> None:
    figure = open_figure("network")
    shown: Any = network(**figure.given)
    token, names = shown["token"], shown["tokens"]
    x, activated = (vector(shown, token, of) for of in ("x", "activated"))
    p, off = shown["probabilities"][token], shown["off"][token]
    title, says = ".detail .title", figure.find(".detail .says")
    figure.shows(strips(shown, token))

    # What each kind of number is made of: first, the largest logit
    first = max(range(27), key=lambda t: shown["logits"][token][t])
    units = [
        (f"unit {i}", a, w)
        for i, (a, w) in enumerate(zip(activated, shown["fc2"][first]))
    ]
    figure.shows(
        {title: see.containing(f"logit of {names[first]} = "), **largest(units)}
    )
    expect(says).to_contain_text(
        f"row {first} of fc2: 64 products, of which {off} are 0"
    )
    options = [strip.get_by_role("option") for strip in figure.find(".strip").all()]
    options[0].nth(3).click()
    column = [(f"hidden[{i}]", x[3], row[3]) for i, row in enumerate(shown["fc1"])]
    figure.shows({title: see.containing("x[3] = "), **largest(column)})
    options[4].nth(1).click()
    likeliest = sorted(range(27), key=lambda t: -p[t])[:5]
    figure.shows(
        {
            title: see.containing("probability of b = "),
            ".contributions .name": [names[t] for t in likeliest],
            see.numbers(".contributions .text"): [p[t] for t in likeliest],
        }
    )
    said = says.inner_text().partition("the logit ")[2].partition(" and")[0]
    assert see.number(said) == shown["logits"][token][1]
    options[1].nth(37).click()
    row = [(f"x[{i}]", a, w) for i, (a, w) in enumerate(zip(x, shown["fc1"][37]))]
    figure.shows(
        {
            title: see.containing("hidden[37] = "),
            **largest(row),
            see.count(".strip .also"): 5,
        }
    )

    # By keyboard, to a unit that ReLU lets pass and one that it stops
    unit, stopped = (shown["passes"][token].index(bit) for bit in "10")
    strip = figure.find(".strip").nth(2)
    figure.keys(strip, "Home", *["ArrowRight"] * unit)
    figure.shows({title: see.containing(f"activated[{unit}] = ")})
    weights_of = [row[unit] for row in shown["fc2"]]
    order = sorted(range(27), key=lambda t: -abs(weights_of[t]))[:5]
    figure.shows({".contributions .name": [f"to {names[t]}" for t in order]})
    figure.keys(strip, "Home", *["ArrowRight"] * stopped)
    expect(says).to_contain_text("so ReLU makes it 0")
    figure.shows({see.count(".contributions li:not(.empty)"): 0})
    chosen = figure.tab.locator(f"#{strip.get_attribute('aria-activedescendant')}")
    expect(chosen).to_have_attribute("aria-selected", "true")
    expect(chosen).to_have_attribute("aria-label", f"activated[{stopped}] = 0")
    figure.keys(strip, "Home", "ArrowDown")
    figure.shows({title: see.containing("activated[32] = ")})
    figure.press("One cell on")
    figure.shows({title: see.containing("activated[33] = ")})
    figure.keys(figure.find(".strip").nth(4), "End")
    figure.shows({title: see.containing("probability of BOS = ")})
    expect(figure.button("One cell on")).to_have_attribute("aria-disabled", "true")

    # Other letters, and other weights, which Python makes
    for letter in ("q", "BOS"):
        figure.radio(letter).check()
        figure.shows(strips(shown, names.index(letter)))
    expect(figure.root).to_contain_text(f"ReLU: {shown['off'][26]} of them become 0")
    assert not figure.asked_python()
    figure.radio("e").check()
    figure.press("untrained")
    figure.shows({".flow .title": "e through the untrained network"})
    shown = network("e", "untrained")
    # exp and gauss round differently from one C library to the next.
    figure.shows(strips(shown, shown["token"], 0.011))
    # These are the numbers that the page prints above.
    printed = figure.tab.locator("pre", has_text="64 numbers:").first.inner_text()
    above = re.search(r"16 numbers: +(-?[\d.]+)", printed)
    assert above is not None
    label = options[0].first.get_attribute("aria-label") or ""
    assert see.number(label.split(" = ")[1]) == approx(float(above[1]), abs=1e-4)


def line_of(walk: Any, at: int) -> Seen:
    """Line, words, variables and losses of a step of the forward pass."""
    step, tokens = walk["steps"][at], walk["tokens"]
    losses = [each["loss"] for each in walk["pairs"]]
    done, end = step["losses"], step["line"] == 0
    highest = max(walk["blind"], *losses)
    long = [loss * (i < done) for i, loss in enumerate(losses)] + [walk["mean"] * end]
    rows = [
        [
            tokens[each["token"]],
            tokens[each["target"]],
            *(
                [see.rounded(each["p"], 4), see.rounded(each["loss"], 4)]
                if i < done
                else "––"
            ),
            "",
        ]
        for i, each in enumerate(walk["pairs"])
    ]
    return {
        ".count": f"{at} of {len(walk['steps']) - 1}",
        ".words": step["says"],
        **see.listing(step, walk["functions"]),
        ".note": see.containing(f"is at {walk['blind']:.4f}, the loss"),
        see.numbers(".losses tbody td"): [cell for row in rows for cell in row],
        ".losses tfoot td:first-of-type": f"{walk['mean']:.4f}" if end else "–",
        **see.widths(".losses .fill", [90 * x / highest for x in long]),
        see.style(".losses .blind", "left"): approx(
            [90 * walk["blind"] / highest] * len(long), abs=0.06
        ),
    }


def assert_line(figure: Figure, walk: Any, at: int) -> None:
    """At a step everything stands there, and what is known of each variable so far."""
    figure.shows(line_of(walk, at))
    step = walk["steps"][at]
    pair = walk["pairs"][step["pair"]]
    known = {
        name
        for each in walk["steps"][: at + 1]
        if each["pair"] == step["pair"]
        for within, names in each["holds"].items()
        for name in names
        if (within, name) != ("forward", "token")
    }
    names, texts = figure.read(".variable dt"), figure.read(".variable dd")
    shown = {n: text for n, text in zip(names, texts) if text != "–"}
    assert shown.keys() == known
    for name, values in pair["vectors"].items():
        if name in known:
            size, *first = shown[name].removesuffix("…").split()
            assert size == f"{len(values)}:"
            assert [see.number(x) for x in first] == approx(values[:3], rel=0.06)
    for name in known & {"token", "target"}:
        assert shown[name] == f"{pair[name]} ({walk['tokens'][pair[name]]})"
    for name in known & {"largest", "total"}:
        assert see.number(shown[name]) == approx(pair[name], rel=0.006)
    if "losses" in known:
        last = [f"{each['loss']:.2f}" for each in walk["pairs"][: step["losses"]]]
        few = ["…", *last[-4:]] if len(last) > 4 else last
        assert shown["losses"] == f"[{', '.join(few)}]"


def test_forward_pass(open_figure: Open) -> None:
    figure = open_figure("forward_pass")
    walk: Any = forward_pass(**figure.given)
    last = len(walk["steps"]) - 1
    assert_line(figure, walk, last)
    figure.press("To the start")
    for at in range(30):
        assert_line(figure, walk, at)
        figure.press("One step on")
    expect(figure.find(".player [role=status]")).to_have_text(walk["steps"][30]["says"])
    figure.slide("", last - 1)
    assert_line(figure, walk, last - 1)
    assert not figure.asked_python()
    figure.type("anna", enter=False)
    figure.press("trained")
    walk = forward_pass("anna", "trained")
    figure.shows(line_of(walk, 0))
    figure.slide("", "End")
    assert_line(figure, walk, len(walk["steps"]) - 1)


def measured(result: Any, at: int, exact: bool) -> Seen:
    """Table, words and both pictures of a nudge.

    A nudge's rounding is a machine's own, and largest where nudges are small.
    """
    each, nudges = result["nudges"][at], result["nudges"]
    rel = 1e-3 if exact else 2e-2
    last = len(nudges) - 1
    seen: Seen = {
        see.numbers(".readout td"): [
            each["epsilon"],
            approx(result["loss"], rel=1e-5),
            approx(each["loss"], rel=1e-5),
            approx(each["rise"], rel=rel),
            approx(each["slope"], rel=rel),
            approx(result["slope"], rel=1e-4),
            approx(each["error"], rel=0.06) if exact else ANY,
        ],
        see.style(".errors .point", "left"): approx(100 * at / last, abs=0.06),
        ".errors .foot": [
            see.reading(
                lambda text: see.number(text.removeprefix("ε = ")), n["epsilon"]
            )
            for n in nudges[::10]
        ],
        ".glass .title": see.reading(
            lambda text: see.number(
                text.rpartition("window ")[2].removesuffix(" wide")
            ),
            approx(2 * each["epsilon"]),
        ),
    }
    return {**seen, ".says": each["says"]} if exact else seen


def assert_nudge(figure: Figure, result: Any, at: int, exact: bool = True) -> None:
    figure.shows(measured(result, at, exact))
    each = result["nudges"][at]
    heights = [
        150 * min(1, max(0, math.log10(n["error"]) / -12)) if n["error"] else 150
        for n in result["nudges"]
    ]
    size = len(heights) if exact else 9
    (error,) = figure.read(see.outline(".errors path.error"))
    assert [y for _, y in error][:size] == approx(
        heights[:size], abs=0.2 if exact else 3
    )
    # Curve, secant and tangent lie as their numbers say, on one scale.
    assert figure.read(see.numbers(".glass .tick"))[0] == approx(
        result["loss"], rel=1e-5
    )
    assert figure.read(see.numbers(".glass .foot"))[0] == approx(
        result["value"], rel=0.006
    )
    (line,) = figure.read(see.outline(".glass path.loss"))
    curve, heights = each["curve"], [y for _, y in line]
    assert len(heights) == len(curve)
    if at > 10:
        return  # steps from float to float, which are a machine's own
    low, high = curve.index(min(curve)), curve.index(max(curve))
    scale = (heights[high] - heights[low]) / (curve[high] - curve[low])
    zero = heights[low] - scale * curve[low]
    assert heights == approx([zero + scale * y for y in curve], abs=0.5)
    for name, slope in (
        ("secant", each["rise"]),
        ("tangent", result["slope"] * each["epsilon"]),
    ):
        (ends,) = figure.read(see.outline(f".glass path.{name}"))
        expected = [zero + scale * slope * t for t in (-0.5, 1.5)]
        assert [y for _, y in ends] == approx(expected, abs=1.5)


def test_nudge(open_figure: Open) -> None:
    figure = open_figure("nudge")
    result: Any = nudge(**figure.given)
    last = len(result["nudges"]) - 1
    assert_nudge(figure, result, 0)
    for at in range(0, last + 1, 3):
        figure.slide("", at)
        assert_nudge(figure, result, at)
    spoken = figure.slider().get_attribute("aria-valuetext") or ""
    assert spoken.startswith("ε = 1e-15, measured slope ")
    figure.press("A larger nudge")
    expect(figure.find(".size [role=status]")).to_contain_text("ε = 3e-15")
    assert_nudge(figure, result, last - 1)
    # The picture of the errors can be pressed, too.
    figure.find(".errors .plane").scroll_into_view_if_needed()
    box = figure.box(".errors .plane")
    figure.tab.mouse.click(box["x"] + box["width"] / 3, box["y"] + 40)
    assert_nudge(figure, result, result["usual"])
    assert not figure.asked_python()
    figure.choose("matrix", "fc2")
    figure.choose("column", "63")
    result = nudge("emma", "untrained", "fc2", 12, 63)
    belongs = re.compile(rf"fc2\[12\]\[63\].*{re.escape(result['belongs'])}")
    figure.shows({".belongs": belongs})
    figure.slide("", "Home")
    for at in range(0, 14, 3):
        figure.slide("", at)
        assert_nudge(figure, result, at, exact=False)
    # A shape that has no such column takes its last one.
    figure.choose("matrix", "fc1")
    figure.shows({".belongs": see.containing("fc1[12][15]")})


def slopes(result: Any, at: int) -> Seen:
    """Line, words and gradients of a step by hand; later ones stand empty."""
    step, done = result["steps"][at], result["steps"][: at + 1]
    grown = {each["matrix"] for each in done}
    of_row = {"wte": result["token"], "fc2": result["target"]}
    seen: Seen = {".words": step["says"], ".line.lit .number": str(step["line"])}
    seen[".vector.now code"] = [step["wrote"]] if step["wrote"] else []
    seen[".gradient-of.now code"] = (
        [f'gradient["{step["matrix"]}"]'] if step["matrix"] else []
    )
    for matrix in result["matrices"]:
        name = matrix["name"]
        picture = f".gradient-of.{name}"
        cells = matrix["after" if name in grown else "before"]
        row = of_row.get(name)
        named = ["" if i != row else result["tokens"][row] for i in range(len(cells))]
        seen[see.shades(picture)] = [
            see.strengths([[float(x) for x in r] for r in cells], 99)
        ]
        seen[f"{picture} .of"] = see.reading(
            lambda text: see.number(text.rpartition("±")[2]),
            approx(matrix["limit"], rel=0.051),
        )
        seen[f"{picture} .names.down span"] = named
    return seen


def assert_by_hand(figure: Figure, result: Any, at: int) -> None:
    figure.shows(slopes(result, at))
    now = {s["wrote"]: s["values"] for s in result["steps"][: at + 1] if s["wrote"]}
    names, of = figure.read(".vector code"), figure.read(".vector .of")
    expected = []
    for name, place in zip(names, of):
        end = place.split()[-1] if place[-1].isdigit() else place.partition(",")[0]
        index = int(end) if end.isdigit() else result["tokens"].index(end)
        expected.append(approx(now[name][index], rel=1e-3) if name in now else "–")
    vectors = [now.get(name, [0]) for name in names]
    figure.shows(
        {
            see.shades(".vector"): [
                see.strengths([values], max(map(abs, values)) or 1)
                for values in vectors
            ],
            see.numbers(".vector .number"): expected,
        }
    )


def test_by_hand(open_figure: Open) -> None:
    figure = open_figure("by_hand")
    result: Any = by_hand("emma", 2, "untrained")
    last = len(result["steps"]) - 1
    assert_by_hand(figure, result, last)
    figure.press("To the start")
    for at in range(last + 1):
        assert_by_hand(figure, result, at)
        figure.press("One step on")
    expect(figure.button("One step on")).to_be_focused()
    said = figure.find(".player [role=status]")
    expect(said).to_have_text(result["steps"][last]["says"])
    strip = figure.root.get_by_role("application", name=re.compile("^d_logits"))
    figure.keys(strip, "Home", "ArrowRight")
    assert_by_hand(figure, result, last)
    expect(figure.find(".vector .of").last).to_have_text("b")
    assert not figure.asked_python()
    # Both choices count, though the second comes while Python computes the first.
    figure.choose("Network", "trained")
    figure.press("m → a")
    assert_by_hand(figure, by_hand("emma", 4, "trained"), last)
    figure.press("One step back")
    figure.type("jo")
    figure.shows({".pairs button": ["BOS → j", "j → o", "o → BOS"]})
    assert_by_hand(figure, by_hand("jo", 1, "trained"), last - 1)


@cache
def checked(name: str, source: str, passes: int) -> Any:
    *_, result = gradient_check(name, source, passes)
    return result


def assert_checked(figure: Figure, result: Any) -> None:
    """Both slopes of the parameter that is shown, and all that is wrong, are Python's."""
    of, tolerance = result["matrices"], result["tolerance"]
    largest_gap = max(one["largest"] for one in of)
    seen: Seen = {
        ".verdict": see.reading(
            lambda text: see.number(
                re.split("(?:more than|up to) ", text.partition(". ")[0])[1]
            ),
            approx(largest_gap, rel=0.06, abs=2e-9),
        )
    }
    for one in of:
        wrong = {
            divmod(place, one["columns"])
            for place, gap in zip(one["places"], one["gaps"])
            if gap > tolerance
        }
        said = f"{one['wrong']} of {len(one['places'])} wrong"
        gaps = f".gaps.{one['name']}"
        seen[f"{gaps} .head span"] = said if one["wrong"] else "no difference"
        seen[see.shades(gaps)] = see.reading(lambda cells: set(cells), wrong)
    figure.shows(seen)
    (caption,) = figure.read(".readout caption")
    name, row, column = re.split(r"[\[\]]+", caption.partition(",")[0].rstrip("]"))
    matrix = next(one for one in of if one["name"] == name)
    flat = int(row) * matrix["columns"] + int(column)
    shown = figure.read(see.numbers(".readout td"))
    if flat not in matrix["places"]:
        assert shown[0] == "not nudged yet"
    else:
        index = matrix["places"].index(flat)
        # A nudge's rounding is a machine's own.
        both = [matrix[key][index] for key in ("numerical", "analytic")]
        assert shown[:2] == approx(both, rel=2e-3, abs=2e-8)
        assert shown[2] == approx(matrix["gaps"][index], rel=0.06, abs=2e-8)
    # A point lies as far to the right, and up, as both slopes say; a cross is wrong.
    limit = max(abs(x) for one in of for x in one["numerical"] + one["analytic"])
    ends = figure.read(see.numbers(".plot-of-both svg text"))
    assert ends == approx([limit, -limit], rel=0.06)
    for kind, crossed in (("right", False), ("wrong", True)):
        places = {
            (round(8 + 152 * (1 + x / limit)), round(312 - 152 * (1 + y / limit)))
            for one in of
            for x, y, gap in zip(*(one[k] for k in ("numerical", "analytic", "gaps")))
            if (gap > tolerance) == crossed
        }
        paths = figure.read(see.attribute(f".plot-of-both path.{kind}", "d"))
        drawn = {
            (float(x), float(y))
            for path in paths
            for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path)
        }
        assert all(is_near(point, drawn) for point in places)
        assert all(is_near(point, places) for point in drawn)


def is_near(point: tuple[float, float], others: set[Any]) -> bool:
    """Say whether one of the points is within a pixel."""
    x, y = point
    return any((x + i, y + j) in others for i in (0, -1, 1) for j in (0, -1, 1))


def test_gradient_check(open_figure: Open) -> None:
    figure = open_figure("gradient_check")
    result = checked("anna", "", 1)
    verdict = figure.find(".verdict")
    assert_checked(figure, result)
    expect(verdict).to_contain_text("455 of 3184 parameters")
    cells = figure.root.get_by_role("application", name=re.compile("^wte"))
    figure.keys(cells, "Home", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown")
    assert_checked(figure, result)
    caption = figure.find(".readout caption")
    expect(caption).to_contain_text("of the embedding of c")
    # The point that lies furthest up and to the right is found by the mouse.
    box = figure.box(".plot-of-both svg")
    of = result["matrices"]
    best = max(
        (slope, m, place)
        for m, one in enumerate(of)
        for slope, place in zip(one["numerical"], one["places"])
    )
    most = max(abs(x) for m in of for x in m["numerical"] + m["analytic"])
    across = (8 + 304 * (1 + best[0] / most) / 2) * box["width"] / 320
    square = figure.find(".plot-of-both svg")
    square.hover(position={"x": across, "y": box["height"] - across})
    row, column = divmod(best[2], of[best[1]]["columns"])
    expect(caption).to_contain_text(f"{of[best[1]]['name']}[{row}][{column}]")
    assert_checked(figure, result)
    assert not figure.asked_python()

    # Each broken line spoils what Python says that it spoils.
    figure.type("aa")  # of few pairs, so that nudges take less time
    figure.shows({".verdict": see.containing("All 3184 parameters nudged")})
    for way in gradient_check_module.BREAKS[1:2]:
        figure.field("Break a line").select_option(label=way["name"])
        source = gradient_check_module.PROGRAM.replace(way["old"], way["new"])
        result = checked("aa", source, 7)
        wrong = sum(matrix["wrong"] for matrix in result["matrices"])
        figure.shows(
            {
                ".verdict": see.containing(f"{wrong} of 3184 slopes"),
                ".change .come": see.containing(way["new"]),
                ".change .gone": see.containing(way["old"]),
            }
        )
        assert_checked(figure, result)
    expect(figure.find("span.sr-only[role=status]").last).to_contain_text("wrong")

    # The reader's own code is compiled, refused and stopped.
    before = verdict.inner_text()
    figure.press("Edit the code")
    editor = figure.root.get_by_role("textbox", name=re.compile("Code of the gradient"))
    expect(editor).to_be_focused()
    editor.fill("def analytic_gradient(tokens, weights)")
    figure.tab.keyboard.press("Shift+Enter")
    marked: Seen = {see.count(".editor .wrong"): 1, see.count(".seen.stale"): 1}
    figure.shows(marked, refusal="line 1: expected ':'")
    assert verdict.inner_text() == before
    editor.fill("while True: pass")
    figure.press("Check this code")
    figure.press("Stop")
    expect(figure.find(".python [role=status]")).to_have_text("stopped")
    editor.fill("def analytic_gradient(tokens, weights): return zeros_like(weights)")
    figure.tab.keyboard.press("Shift+Enter")
    figure.shows(
        {".refusal": "", ".verdict": see.containing("slopes are wrong, by up to")}
    )
    figure.tab.keyboard.press("Escape")
    expect(figure.field("Break a line")).to_be_focused()
    figure.press("Back to the program")
    figure.shows({".verdict": see.containing("No slope differs")})
