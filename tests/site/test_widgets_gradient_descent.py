"""What readers see in the widgets of gradient descent is what Python computes."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import Any
from unittest.mock import ANY

from playwright.sync_api import BrowserContext, Locator, expect
from pytest import approx

from tests.site import see
from tests.site.browsing import DESK, LONG, TOO_WIDE, Sized
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.gradient_check import model as gradient_check_module
from widgets.gradient_check.model import gradient_check
from widgets.network.model import network

# All widgets together are looked at every day.
pytestmark = thorough


VECTORS = (
    *("x", "d_x", "hidden", "d_hidden", "activated", "d_activated"),
    *("logits", "d_logits", "probabilities"),
)
NETWORK = "gradient-descent/network/"
FORWARD = "gradient-descent/forward-pass/"


@cache
def flow(name: str = "emma", weights: Any = "trained") -> Any:
    return network(name=name, weights=weights, only="flow")["flow"]


def called(shown: Any, vector: str, index: int) -> str:
    """What the instrument calls a cell."""
    words = {
        "logits": "logit of {}",
        "probabilities": "probability of {}",
        "d_logits": "d_logit of {}",
    }
    return words.get(vector, f"{vector}[{index}]").format(
        shown["tokens"][index] if vector in words else ""
    )


def standing(shown: Any, pair: int, at: int, rel: float = 1e-9) -> Seen:
    """What is seen of a pair at a stage: every cell that is known, and the sentence."""
    here, stages = shown["pairs"][pair], shown["stages"]
    labels, below, strong = [], [], []
    for name in VECTORS:
        values, known = here["vectors"][name], at >= stages.index(name)
        all_ = [x for each in shown["pairs"] for x in each["vectors"][name]]
        least = 0.2 if name == "probabilities" else 0.0
        limit = max(least, *map(abs, all_))
        if known:
            labels += [
                see.labelled(called(shown, name, i), approx(x, rel=rel, abs=1e-9))
                for i, x in enumerate(values)
            ]
            below += [x < 0 for x in values]
        strong += [abs(see.strength(x, limit)) if known else 0 for x in values]
    seen: Seen = {
        see.attribute(".strip [role=option]", "aria-label"): labels,
        see.flags(".strip [role=option]", ".below"): below,
        ".player .count": f"{at} of 11",
        ".mean b": f"{shown['mean']:.2f}",
        ".loss-of-pair": [f"{each['loss']:.2f}" for each in shown["pairs"]],
        see.flags(".pair", "[aria-pressed=true]"): [
            i == pair for i in range(len(shown["pairs"]))
        ],
    }
    if rel < 1e-6:  # otherwise a number may lie on either side of a step
        seen[see.style(".strip .fill", "--shade")] = strong
        seen[".words"] = here["says"][at]
    return seen


def ends(shown: Any, pair: int) -> Seen:
    """The loss, and what each matrix feels of it."""
    here = shown["pairs"][pair]
    return {
        ".loss-row b": see.reading(
            lambda text: see.number(text.rpartition("= ")[2]),
            approx(here["loss"], abs=0.0051),
        ),
        ".felt dd": [
            see.reading(
                lambda text: [
                    *text.partition(" have")[0].split(" of "),
                    see.number(text.rpartition(": ")[2]),
                ],
                [f"{f['felt']:,}", f"{f['of']:,}", approx(f["slope"], rel=0.051)],
            )
            for f in here["felt"]
        ],
    }


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


def strip(figure: Figure, name: str) -> Locator:
    return figure.root.get_by_role("listbox", name=re.compile(f"^{name}: "))


def test_a_pair_flows_to_its_loss_and_its_slopes_come_back(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    shown = flow()
    figure.shows(standing(shown, 1, 6))
    height = figure.height()
    figure.press("To the start")
    for at in range(12):
        figure.shows(standing(shown, 1, at))
        assert figure.height() == height
        figure.press("One step on")
    figure.shows(ends(shown, 1))
    expect(figure.find(".player [role=status]")).to_have_text(
        shown["pairs"][1]["says"][11]
    )
    figure.slide("Through", 3)
    figure.shows({**standing(shown, 1, 3), ".felt dd": ["–"] * 3})
    # From the start, it plays to the end by itself.
    figure.press("To the start")
    figure.choose("Speed", "250")
    figure.press("Play")
    expect(figure.find(".count")).to_have_text("11 of 11", timeout=LONG)
    figure.shows(standing(shown, 1, 11))
    # Another pair flows at once; from the start, as far as its loss.
    figure.press("m → a")
    figure.shows({**standing(shown, 3, 11), **ends(shown, 3)})
    figure.press("To the start", "a → BOS")
    figure.shows(standing(shown, 4, 6))
    assert not figure.asked_python()


def test_what_moves_is_over_soon_and_still_for_who_wants_it_still(
    context: BrowserContext, address: str
) -> None:
    moving = (
        "() => document.querySelector('.flow').getAnimations({subtree: true}).length"
    )
    for still in (False, True):
        reader: Any = Sized(context, DESK, reduced_motion=still)
        figure = Figure.open(reader, address, "network", NETWORK)
        assert figure.tab.evaluate(moving) == 0
        figure.press("To the start", "One step on")
        assert (figure.tab.evaluate(moving) == 0) == still
        figure.press("BOS → e")
        assert (figure.tab.evaluate(moving) == 0) == still


def test_each_number_tells_what_it_is_made_of(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    shown = flow()
    pair, matrices = shown["pairs"][1], shown["matrices"]
    v, fc1, fc2 = pair["vectors"], matrices["fc1"], matrices["fc2"]
    title = ".head .title"
    figure.slide("Through", "End")

    def is_made(name: str, index: int, factors: list[tuple[str, float, float]]) -> None:
        strip(figure, name).get_by_role("option").nth(index).click()
        value = see.labelled(called(shown, name, index), approx(v[name][index]))
        also = min(5, sum(a * b != 0 for _, a, b in factors))
        figure.shows({title: value, **largest(factors), see.count(".also"): also})

    x = [(f"x[{i}]", a, w) for i, (a, w) in enumerate(zip(v["x"], fc1[37]))]
    is_made("hidden", 37, x)
    units = enumerate(zip(v["activated"], fc2[12]))
    is_made("logits", 12, [(f"activated[{i}]", a, w) for i, (a, w) in units])
    goes = [(f"to hidden[{i}]", v["x"][3], row[3]) for i, row in enumerate(fc1)]
    is_made("x", 3, goes)
    slopes = enumerate(zip(v["d_logits"], fc2))
    is_made(
        "d_activated",
        7,
        [(called(shown, "d_logits", i), d, row[7]) for i, (d, row) in slopes],
    )
    slopes = enumerate(zip(v["d_hidden"], fc1))
    is_made("d_x", 2, [(f"d_hidden[{i}]", d, row[2]) for i, (d, row) in slopes])

    # A term leads to its cell.
    first = figure.read(".contributions .name")[0]
    figure.press(first, within=".contributions")
    figure.shows({title: see.containing(f"{first} = "), ".contributions .text": ANY})
    says = figure.find(".says").first
    expect(says).to_contain_text("The gate is open")

    # By keyboard, to a unit that ReLU stops, and to what comes next
    shut = v["activated"].index(0)
    figure.keys(strip(figure, "activated"), "Home", *["ArrowRight"] * shut)
    expect(says).to_contain_text("so ReLU makes it 0")
    figure.shows({see.count(".contributions li:not(.empty)"): 0})
    figure.keys(strip(figure, "d_hidden"), "Home", *["ArrowRight"] * shut)
    expect(says).to_contain_text("the gate is shut")
    figure.keys(strip(figure, "activated"), "Home", "ArrowDown")
    figure.shows({title: see.containing("activated[32] = ")})
    figure.press("One cell on")
    figure.shows({title: see.containing("activated[33] = ")})
    figure.keys(strip(figure, "d_logits"), "Home", *["ArrowRight"] * 12)
    expect(says).to_contain_text("m is what comes next")
    figure.keys(strip(figure, "probabilities"), "End")
    figure.shows({title: see.containing("probability of BOS = ")})
    likeliest = sorted(range(27), key=lambda t: -v["probabilities"][t])[:5]
    figure.shows({".contributions .name": [shown["tokens"][t] for t in likeliest]})
    expect(figure.button("One cell on")).to_have_attribute("aria-disabled", "true")
    assert not figure.asked_python()


def test_the_lines_that_run_are_lit(open_figure: Open) -> None:
    figure = open_figure("network", FORWARD)
    shown = flow("emma", "untrained")
    figure.press("To the start")
    for lit in shown["lit"]:
        figure.shows(see.listing(lit, shown["functions"]))
        figure.press("One step on")
    figure.press("Line by line")
    expect(figure.find(".code")).to_have_count(0)
    expect(figure.button("Line by line")).to_have_attribute("aria-expanded", "false")


def test_another_name_and_what_is_none(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    figure.press("Another name, other weights")
    expect(figure.button("Another name")).to_have_attribute("aria-expanded", "true")
    figure.type("jo", enter=False)
    # exp and gauss round differently from one C library to the next.
    figure.shows(standing(flow("jo"), 0, 6, 0.011))
    figure.press("untrained", "o → BOS")
    figure.shows(standing(flow("jo", "untrained"), 2, 6, 0.011))
    figure.type("zoë")
    figure.shows(
        standing(flow("jo", "untrained"), 2, 6, 0.011), refusal="does not know"
    )
    figure.press("anna")
    figure.shows({**standing(flow("anna", "untrained"), 0, 6, 0.011), ".refusal": ""})


def test_the_address_says_how_it_stands(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    tab = figure.tab
    figure.press("m → a", "Line by line")
    figure.slide("Through", 8)
    tab.wait_for_function("location.search.includes('at=d_activated')")
    assert tab.url.endswith("?network.pair=4&network.at=d_activated&network.open=lines")
    tab.reload()
    figure.comes_alive()
    figure.shows({**standing(flow(), 3, 8), see.count(".code .lit"): 1})
    figure.press("Copy a link")
    expect(figure.find(".link [role=status]")).to_have_text(
        re.compile("copied|network.at=d_activated")
    )
    # What can't be meant is left out, and a name that is none is refused.
    home = tab.url.partition("?")[0]
    tab.goto(
        f"{home}?network.pair=x&network.at=never&network.open=door&network.weights=1"
    )
    figure.comes_alive()
    figure.shows(standing(flow(), 1, 6))
    tab.goto(f"{home}?network.pair=99&network.name=%3Cb%3E")
    figure.comes_alive()
    figure.refuses("does not know the character")
    figure.shows(standing(flow(), 1, 6), refusal="does not know")
    tab.goto(f"{home}?network.pair=99")
    figure.comes_alive()
    figure.shows(standing(flow(), 4, 6))
    tab.goto(f"{home}?network.name=ada&network.weights=untrained&network.pair=2")
    figure.comes_alive()
    figure.shows(standing(flow("ada", "untrained"), 1, 6, 0.011))


def parameter(result: Any, matrix: int, row: int, column: int) -> Seen:
    """The name and the numbers of a parameter."""
    of = result["matrices"][matrix]
    values = [of[when][row][column] / 100 for when in ("before", "after", "change")]
    return {
        ".readout code": f"{of['name']}[{row}][{column}]",
        see.numbers(".readout tbody td:first-of-type"): values,
    }


def test_all_parameters(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/parameters/")
    given = figure.given
    result: Any = network(**given)["maps"]
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
    result: Any = network(only="dot product", w=w, x=x)["dot_product"]
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
    figure = open_figure("network", "gradient-descent/layers/")
    assert figure.find(".disclosures, .player").count() == 0
    given = {key: figure.given[key] for key in "wx"}
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
    first: Any = network(only="dot product")["dot_product"]
    known = first["embeddings"]
    a, o, other = (known[ord(letter) - ord("a")] for letter in "aow")
    figure.shows(products(a["vector"], o["vector"]))
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text("those of o, e, u, i agree most with that of a")
    least = ", ".join(known[each]["name"] for each in a["like"][-4:])
    expect(verdict).to_contain_text(f"{least} agree least")
    figure.choose("x is the embedding of", "w")
    figure.shows(products(a["vector"], other["vector"]))
    figure.press("reset")
    figure.shows(products(**given))


def softmax(given: dict[str, Any]) -> Seen:
    """Each row of the table, and what is said of it."""
    result: Any = network(**given)["softmax"]
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


def test_softmax(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/softmax/")
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


def measured(result: Any, at: int, exact: bool) -> Seen:
    """Table, words, bars and curve of a nudge.

    A nudge's rounding is a machine's own, and largest where nudges are small.
    """
    each, nudges = result["nudges"][at], result["nudges"]
    rel = 1e-3 if exact else 2e-2
    seen: Seen = {
        see.numbers(".nudge-panel .readout td"): [
            approx(result["loss"], rel=1e-5),
            approx(each["loss"], rel=1e-5),
            approx(each["rise"], rel=rel),
            approx(each["slope"], rel=rel),
            approx(result["slope"], rel=1e-4),
        ],
        ".glass .title": see.reading(
            lambda text: see.number(
                text.rpartition("window ")[2].removesuffix(" wide")
            ),
            approx(2 * each["epsilon"]),
        ),
        see.flags(".digits > span", ".picked"): [i == at for i in range(16)],
    }
    if exact:
        seen[".nudge-panel .says"] = each["says"]
        heights = [min(100, 100 * n["digits"] / 8) for n in nudges]
        seen[see.style(".digits .right", "height")] = approx(heights, abs=0.6)
    return seen


def assert_curve(figure: Figure, result: Any, at: int) -> None:
    """Curve, secant and tangent lie as their numbers say, on one scale."""
    each = result["nudges"][at]
    curve = each["curve"]
    (line,) = figure.read(see.outline(".glass path.loss"))
    heights = [y for _, y in line]
    low, high = curve.index(min(curve)), curve.index(max(curve))
    scale = (heights[high] - heights[low]) / (curve[high] - curve[low])
    zero = heights[low] - scale * curve[low]
    assert heights == approx([zero + scale * y for y in curve], abs=0.5)
    for name, slope in (
        ("secant", each["rise"]),
        ("tangent", result["slope"] * each["epsilon"]),
    ):
        (two,) = figure.read(see.outline(f".glass path.{name}"))
        expected = [zero + scale * slope * t for t in (-0.5, 1.5)]
        assert [y for _, y in two] == approx(expected, abs=1.5)


def test_nudge(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/numerical-gradient/")
    result: Any = network(**figure.given)["nudge"]
    for at in range(0, 16, 3):
        figure.slide("ε", at)
        figure.shows(measured(result, at, exact=True))
        if at < 6:
            assert_curve(figure, result, at)
    spoken = figure.slider().get_attribute("aria-valuetext") or ""
    assert spoken.startswith("ε = 1e-15, measured slope ")
    figure.press("A larger nudge")
    expect(figure.find(".size [role=status]")).to_contain_text("ε = 1e-14")
    figure.shows(measured(result, 14, exact=True))
    assert not figure.asked_python()
    figure.choose("matrix", "fc2")
    figure.choose("column", "63")
    result = network(only="nudge", matrix="fc2", row=12, column=63)["nudge"]
    belongs = re.compile(rf"fc2\[12\]\[63\].*{re.escape(result['belongs'])}")
    figure.shows({".belongs": belongs})
    figure.slide("ε", 4)
    figure.shows(measured(result, 4, exact=False))
    # A shape that has no such column takes its last one.
    figure.choose("matrix", "fc1")
    figure.shows({".belongs": see.containing("fc1[12][15]")})


def test_panels_open_below_the_flow_one_at_a_time(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    for title, shows in (
        ("One dot product", ".dot-panel tbody tr"),
        ("Softmax", ".softmax-panel tbody tr"),
        ("All parameters", ".maps-panel .heat-map"),
        ("Nudge a parameter", ".nudge-panel .glass"),
    ):
        figure.press(title)
        figure.rests()
        expect(figure.find(shows).first).to_be_visible(timeout=LONG)
        expect(figure.find(".panel > *")).to_have_count(1)
        opened = figure.find(".disclosures [aria-expanded=true]")
        expect(opened).to_have_text(title)
        assert figure.tab.evaluate(TOO_WIDE) <= 0
    # The nudge moves with the name's weights, and to what the reader has picked.
    figure.shows(
        {
            ".belongs": see.containing(
                "wte[4][12]: number 12 in the embedding of e, trained"
            )
        }
    )
    strip(figure, "hidden").get_by_role("option").nth(37).click()
    fc1, x = flow()["matrices"]["fc1"][37], flow()["pairs"][1]["vectors"]["x"]
    column = max(range(16), key=lambda i: abs(fc1[i] * x[i]))
    figure.press("take ")
    figure.shows({".belongs": see.containing(f"fc1[37][{column}]")})


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
