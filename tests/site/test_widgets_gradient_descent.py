"""What readers see in the widgets of gradient descent is what Python computes."""

import math
import re
from copy import deepcopy
from functools import cache
from itertools import accumulate, pairwise
from typing import Any
from unittest.mock import ANY

from playwright.sync_api import Locator, expect
from pytest import approx

from snippets import step1
from tests.models import TOKENS, document, dot, slope
from tests.site import see
from tests.site.browsing import LONG
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets._network import State, network_weights
from widgets._tracing import calls
from widgets.gradient_check.model import BREAKS, PROGRAM, gradient_check
from widgets.network.model import STAGES, network

# All widgets together are looked at every day.
pytestmark = thorough


VECTORS = (
    *("x", "d_x", "hidden", "d_hidden", "activated", "d_activated"),
    *("logits", "d_logits", "probabilities"),
)
NETWORK = "gradient-descent/network/"


@cache
def flow(name: str = "emma", state: State = "trained") -> list[dict[str, Any]]:
    """What the functions of Step 1 compute for each pair of a name."""
    weights = network_weights(state)
    pairs = []
    for token, target in pairwise(document(name)):
        both = [token, target]

        def run(both: list[int] = both) -> None:
            step1.mean_loss(both, weights)
            step1.analytic_gradient(both, weights)

        functions = (step1.mean_loss, step1.forward, step1.analytic_gradient)
        loss, back = calls(run, functions)
        vectors = {name: back.variables[name] for name in VECTORS if name != "logits"}
        vectors["logits"] = loss.all("forward")[0].result
        pairs.append(
            {"token": token, "target": target, "v": vectors, "loss": loss.result}
        )
    return pairs


def called(vector: str, index: int) -> str:
    """What the instrument calls a cell."""
    words = {
        "logits": "logit of {}",
        "probabilities": "probability of {}",
        "d_logits": "d_logit of {}",
    }
    return words.get(vector, f"{vector}[{index}]").format(TOKENS[index % 27])


def standing(
    shown: list[dict[str, Any]], pair: int, at: int, back: bool = False
) -> Seen:
    """What is seen of a pair at a stage: every cell that is known, and the loss."""
    here = shown[pair]
    labels, below, strong = [], [], []
    for name in VECTORS:
        if name.startswith("d_") and not back:
            continue
        values, known = here["v"][name], at >= STAGES.index(name)
        if known:
            labels += [
                see.labelled(called(name, i), approx(x, rel=0.006, abs=1e-5))
                for i, x in enumerate(values)
            ]
        below += [x < 0 and known for x in values]
        strong += [known and x != 0 for x in values]
    losses = [each["loss"] for each in shown]
    mean = sum(losses) / len(losses)
    return {
        see.attribute(".strip [role=option]", "aria-label"): labels,
        see.flags(".strip .square", ".below"): below,
        see.flags(".strip .fill", "[style*=shade]"): strong,
        ".player .count": f"{at} of {11 if back else 6}",
        ".mean b": f"{mean:.2f}",
        ".loss-of-pair": [f"{loss:.2f}" for loss in losses],
        see.flags(".pair", "[aria-pressed=true]"): [
            i == pair for i in range(len(shown))
        ],
        ".loss-row b": see.reading(
            lambda text: see.number(text.rpartition("= ")[2]),
            approx(here["loss"], rel=0.006),
        )
        if at >= STAGES.index("loss")
        else "–",
    }


def largest(factors: list[tuple[str, float, float]]) -> Seen:
    """The five largest products are listed, bars as long as they are large."""
    order = sorted(factors, key=lambda f: -abs(f[1] * f[2]))[:5]
    order = [(name, x, w) for name, x, w in order if x * w != 0]
    most = abs(order[0][1] * order[0][2])
    row = ".contributions li"
    return {
        f"{row} .name": [name for name, _, _ in order],
        f"{row} .text": [see.product(x, w, rel=0.006) for _, x, w in order],
        **see.widths(
            f"{row} .bar-of-product", [50 * abs(x * w) / most for _, x, w in order]
        ),
        see.flags(row, ".below"): [x * w < 0 for _, x, w in order],
    }


def strip(figure: Figure, name: str) -> Locator:
    return figure.root.get_by_role("listbox", name=re.compile(f"^{name}: "))


def test_a_pair_flows_to_its_loss(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    shown = flow()
    figure.shows(standing(shown, 1, 6))
    height = figure.height()
    figure.press("To the start")
    for at in range(7):
        figure.shows(standing(shown, 1, at))
        assert figure.height() == height
        figure.press("One step on")
    says = figure.find(".words")
    p = shown[1]["v"]["probabilities"][12]
    expect(says).to_contain_text("After “e” comes “m”")
    expect(says).to_contain_text(f"−ln {p:#.3g} = {shown[1]['loss']:.2f}")
    # From the start, it plays to the end by itself.
    figure.press("To the start")
    figure.choose("Speed", "250")
    figure.press("Play")
    expect(figure.find(".count")).to_have_text("6 of 6", timeout=LONG)
    # Another pair flows at once, from the start as far as its loss.
    figure.press("To the start", "a → BOS")
    figure.shows(standing(shown, 4, 6))
    expect(says).to_contain_text("After “a” the name ends.")
    assert not figure.asked_python()


def test_the_slopes_come_back(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/analytic-gradient/")
    shown = flow("emma", "untrained")
    listed: Any = network(at="d_logits")
    figure.press("To the start")
    for at, lit in enumerate(listed["lit"]):
        figure.shows(standing(shown, 1, at, back=True))
        figure.shows(see.listing(lit, listed["functions"]))
        figure.press("One step on")
    figure.find("summary").click()
    figure.root.get_by_label("Show the line that runs").press("Space")
    expect(figure.find(".code")).to_have_count(0)


def test_each_number_tells_what_it_is_made_of(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/analytic-gradient/")
    weights, v = network_weights("untrained"), flow("emma", "untrained")[1]["v"]
    fc1, fc2 = weights["fc1"], weights["fc2"]
    title = ".head .title"
    assert figure.find(title).count() == 0
    figure.slide("Through", "End")

    def is_made(name: str, index: int, factors: list[tuple[str, float, float]]) -> None:
        strip(figure, name).get_by_role("option").nth(index).click()
        value = see.labelled(called(name, index), approx(v[name][index], rel=0.006))
        also = min(5, sum(a * b != 0 for _, a, b in factors))
        figure.shows({title: value, **largest(factors), see.count(".also"): also})

    is_made(
        "hidden",
        37,
        [(f"x[{i}]", a, w) for i, (a, w) in enumerate(zip(v["x"], fc1[37]))],
    )
    units = enumerate(zip(v["activated"], fc2[12]))
    is_made("logits", 12, [(f"activated[{i}]", a, w) for i, (a, w) in units])
    goes = [(f"to hidden[{i}]", v["x"][3], row[3]) for i, row in enumerate(fc1)]
    is_made("x", 3, goes)
    slopes = enumerate(zip(v["d_logits"], fc2))
    is_made(
        "d_activated", 7, [(called("d_logits", i), d, row[7]) for i, (d, row) in slopes]
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
    figure.shows({see.count(".contributions li"): 0})
    figure.keys(strip(figure, "d_hidden"), "Home", *["ArrowRight"] * shut)
    expect(says).to_contain_text("the gate is shut")
    figure.keys(strip(figure, "d_logits"), "Home", *["ArrowRight"] * 12)
    expect(says).to_contain_text("m is what comes next")
    figure.keys(strip(figure, "probabilities"), "End")
    figure.shows({title: see.containing("probability of BOS = ")})
    likeliest = sorted(range(27), key=lambda t: -v["probabilities"][t])[:5]
    figure.shows({".contributions .name": [TOKENS[t] for t in likeliest]})
    expect(figure.button("One cell on")).to_have_attribute("aria-disabled", "true")


def test_another_name_and_what_is_none(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    figure.find("summary").click()
    figure.type("jo", "Another name", enter=False)
    figure.shows(standing(flow("jo"), 0, 6))
    figure.press("untrained", "o → BOS")
    figure.shows(standing(flow("jo", "untrained"), 2, 6))
    figure.type("zoë", "Another name")
    figure.shows(standing(flow("jo", "untrained"), 2, 6), refusal="does not know")
    figure.type("Anna", "Another name")
    figure.shows({**standing(flow("anna", "untrained"), 0, 6), ".refusal": ""})
    assert not figure.asked_python()


def test_the_address_says_how_it_stands(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    tab = figure.tab
    figure.press("m → a")
    figure.slide("Through", 3)
    figure.find("summary").click()
    figure.root.get_by_label("Show the line that runs").press("Space")
    tab.wait_for_function("location.search.includes('open=lines')")
    assert tab.url.endswith("?network.pair=4&network.at=activated&network.open=lines")
    tab.reload()
    figure.comes_alive()
    figure.shows({**standing(flow(), 3, 3), see.count(".code .lit"): 1})
    figure.find("summary").click()
    figure.press("Copy a link")
    expect(figure.find(".link [role=status]")).to_have_text(
        re.compile("copied|network.at=activated")
    )
    # What can't be meant is left out, and a name that is none is refused.
    home = tab.url.partition("?")[0]
    for asked, shown, pair in (
        ("pair=x&network.at=never&network.open=door&network.weights=1", flow(), 1),
        ("pair=99", flow(), 4),
        (
            "name=ada&network.weights=untrained&network.pair=2",
            flow("ada", "untrained"),
            1,
        ),
    ):
        tab.goto(f"{home}?network.{asked}")
        figure.comes_alive()
        figure.shows(standing(shown, pair, 6))
    tab.goto(f"{home}?network.name=%3Cb%3E")
    figure.comes_alive()
    figure.refuses("does not know")
    figure.shows(standing(flow(), 1, 6), refusal="does not know")


def test_all_parameters(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/parameters/")
    states: tuple[State, State] = ("untrained", "trained")
    of = {state: network_weights(state) for state in states}

    def told(name: str, row: int, column: int) -> Seen:
        drawn, learned = (f"{of[s][name][row][column]:.2f}" for s in states)
        text = f"as drawn {drawn}, after training {learned}".replace("-", "−")
        return {".verdict": re.compile(rf"^{name}\[{row}\]\[{column}\].*: {text}$")}

    def pictured(rows: list[list[float]]) -> Seen:
        short = [[float(f"{w:.3g}") for w in row] for row in rows]
        return {see.shades(".heat-map"): [see.strengths(short, 0.5)]}

    names = ".names.down span"
    figure.shows({**told("wte", 4, 12), names: TOKENS})
    figure.shows(pictured(of["trained"]["wte"]))
    figure.keys(".cells", "ArrowUp", "ArrowRight")
    figure.shows(told("wte", 3, 13))
    figure.press("vowels first")
    order = sorted(range(27), key=lambda token: TOKENS[token] not in "aeiou")
    figure.shows({names: [TOKENS[token] for token in order]})
    figure.shows(pictured([of["trained"]["wte"][token] for token in order]))
    figure.click_cell(figure.find(".cells"), (1, 4), (27, 16))
    figure.shows(told("wte", 4, 4))
    expect(figure.find(".heat-map [role=status]")).to_contain_text("embedding of e:")
    figure.press("as drawn")
    figure.shows(pictured([of["untrained"]["wte"][token] for token in order]))
    figure.find("summary").click()
    # Where rows are letters, vowels still come first.
    for name, rows in (("fc1", range(64)), ("fc2", order)):
        figure.press(name)
        drawn = of["untrained"][name]
        figure.shows({**told(name, 0, 0), **pictured([drawn[row] for row in rows])})


def products(w: list[float], x: list[float]) -> Seen:
    """The table, and the stretches that add up."""
    terms = [wi * xi for wi, xi in zip(w, x)]
    sums = [0.0, *accumulate(terms)]
    half = max(1.0, *map(abs, sums))
    ends = [*pairwise(sums), (0.0, sums[-1])]
    rows = zip(w, x, terms, sums[1:])
    return {
        see.numbers(".readout tbody td:not(.wide):nth-child(-n + 5)"): [
            approx(value, abs=5.1e-3) for row in rows for value in row
        ],
        see.numbers(".readout tfoot td:first-of-type"): approx(sums[-1], abs=5.1e-3),
        see.style(".stretch", "left"): approx(
            [50 + 50 * min(both) / half for both in ends], abs=0.2
        ),
        **see.widths(".stretch", [50 * abs(b - a) / half for a, b in ends], abs=0.2),
    }


def test_dot_product(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/layers/")
    given = {key: figure.given[key] for key in "wx"}
    figure.shows(products(**given))
    verdict = figure.find(".verdict")
    expect(verdict).to_contain_text("agree in 2 of 4 places, and differ in 2")
    slider = figure.field("w[1]")
    slider.press("End")
    w = [given["w"][0], 2.0, *given["w"][2:]]
    figure.shows(products(w, given["x"]))
    for value, key in ((-2.0, "Home"), (-1.9, "ArrowRight")):
        slider.press(key)
        figure.shows(products([w[0], value, *w[2:]], given["x"]))
    figure.slide("w[1]", -2)
    expect(verdict).to_contain_text("cancels: the dot product is 0")
    figure.press("two embeddings")
    wte = network_weights("trained")["wte"]
    figure.shows(products(wte[0], wte[14]))
    others = sorted(range(1, 27), key=lambda other: -dot(wte[other], wte[0]))
    assert [TOKENS[other] for other in others[:4]] == ["o", "e", "u", "i"]
    most, least = (
        ", ".join(TOKENS[i] for i in some) for some in (others[:4], others[-4:])
    )
    expect(verdict).to_contain_text(f"those of {most} agree most with that of a")
    expect(verdict).to_contain_text(f"those of {least} agree least")
    figure.choose("x is the embedding of", "w")
    figure.shows(products(wte[0], wte[22]))


def softmax(logits: list[float], added: int, subtract: bool) -> Seen:
    """Each row of the table, as Python computes it."""
    moved = [logit + added for logit in logits]
    exponents = [logit - max(moved) * subtract for logit in moved]
    exps: list[Any] = []  # "too large" where Python has no float
    for exponent in exponents:
        try:
            exps.append(math.exp(exponent))
        except OverflowError:
            exps.append("too large")
    known = "too large" not in exps
    total = sum(exps) if known else 0
    shares: list[Any] = [exp / total if total else "–" for exp in exps]
    rows = zip(moved, exponents, exps, shares)
    return {
        see.numbers(".readout tbody td"): [
            cell
            if isinstance(cell, str)
            else approx(cell, rel=0.006, abs=5.1e-5 * (i == 3))
            for row in rows
            for i, cell in enumerate(row)
        ],
        **see.widths(".readout .fill", [100 * p if total else 0 for p in shares]),
        see.numbers(".readout tfoot td:nth-of-type(3)"): approx(total, rel=0.006)
        if known
        else "too large",
    }


def test_softmax(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/softmax/")
    logits = figure.given["logits"]
    figure.shows(softmax(logits, 0, True))
    figure.slide("b", "End")
    logits = [logits[0], 5.0, *logits[2:]]
    for added in (0, 1000, -1000):
        figure.slide("added", added)
        figure.shows(softmax(logits, added, True))
    figure.root.get_by_label("subtract the largest").press("Space")
    figure.slide("b", 1)
    logits = figure.given["logits"]
    for added, says in (
        (-1000, "raises a ZeroDivisionError"),
        (-740, "lost digits: a probability is wrong by"),
        (700, "the same probabilities"),
        (1000, "math.exp(1002) raises an OverflowError"),
    ):
        figure.slide("added", added)
        figure.shows(
            {**softmax(logits, added, False), ".verdict": see.containing(says)}
        )
    # Each is a float, but their sum is none.
    for name, value in (("added", 710), ("a", -0.5), ("b", -0.5), ("c", -0.5)):
        figure.slide(name, value)
    figure.shows({".verdict": see.containing("their sum is not")})


def test_nudge(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/numerical-gradient/")
    tokens, weights = document("emma"), network_weights("untrained")
    numbers = see.numbers(".readout td")

    def measured(where: tuple[str, int, int], epsilon: float) -> list[object]:
        """Both slopes, to as many digits as rounding leaves."""
        matrix, row, column = where

        def moved(by: float) -> float:
            changed = deepcopy(weights)
            changed[matrix][row][column] += by
            return step1.mean_loss(tokens, changed)

        rise = (moved(epsilon) - moved(0)) / epsilon
        # One way back and many nudges agree.
        true = step1.analytic_gradient(tokens, weights)[matrix][row][column]
        assert true == approx(slope(moved, 0.0), rel=1e-5, abs=1e-9)
        close = approx(rise, rel=2e-4, abs=1e-15 / epsilon)
        return [close, approx(true, rel=2e-4)]

    where = ("wte", 12, 13)
    for at in (0, 1, 3, 5):
        figure.slide("ε", at)
        figure.shows({numbers: measured(where, 10.0**-at)})
        flags = [i == at for i in range(16)]
        figure.shows({see.flags(".digits > span", ".picked"): flags})
    says = figure.find(".nudge-panel .says")
    expect(says).to_contain_text(
        re.compile(r"agrees with the true one in about \d digits")
    )
    right = figure.read(see.style(".digits .right", "height"))
    assert right.index(max(right)) in range(4, 9)
    spoken = figure.slider().get_attribute("aria-valuetext") or ""
    assert spoken.startswith("ε = 1e-5, measured slope ")
    # The curve is straight by now, and lies on both lines.
    ends = [
        figure.read(see.outline(f".glass path.{x}"))[0] for x in ("loss", "tangent")
    ]
    assert [ends[0][0], ends[0][-1]] == [approx(point, abs=1) for point in ends[1]]
    figure.slide("ε", 15)
    expect(says).to_contain_text(re.compile("not moved at all|float to float"))
    figure.press("A larger nudge")
    expect(figure.find(".size [role=status]")).to_contain_text("ε = 1e-14")
    figure.find("summary").click()
    belongs = figure.find(".belongs")
    expect(belongs).to_contain_text("wte[12][13]: number 13 in the embedding of m")
    figure.slide("ε", 4)
    figure.choose("row", "25")
    figure.shows({numbers: [0, 0]})
    expect(says).to_contain_text("does not depend on this parameter")
    figure.choose("matrix", "fc2")
    figure.choose("column", "63")
    figure.choose("row", "12")
    expect(belongs).to_contain_text(
        "fc2[12][63]: from hidden unit 63 to the logit of m"
    )
    figure.shows({numbers: measured(("fc2", 12, 63), 1e-4)})
    # A shape that has no such column takes its last one.
    figure.choose("matrix", "fc1")
    expect(belongs).to_contain_text("fc1[12][15]: from number 15 of the embedding")
    figure.shows({numbers: measured(("fc1", 12, 15), 1e-4)})
    assert not figure.asked_python()


Slopes = dict[tuple[str, int, int], float]


def slopes(gradient: step1.Weights) -> Slopes:
    """The slope of each parameter."""
    return {
        (name, i, j): slope
        for name, matrix in gradient.items()
        for i, row in enumerate(matrix)
        for j, slope in enumerate(row)
    }


@cache
def numerical(name: str) -> Slopes:
    weights = network_weights("untrained")
    return slopes(step1.numerical_gradient(document(name), weights))


def assert_checked(figure: Figure, name: str, source: str = "") -> int:
    """Both slopes of the parameter that is shown, and all that is wrong, are Python's.

    Returns how many are wrong.
    """
    nudged, derived = numerical(name), slopes(gradient_check(name, source)["gradient"])
    gaps = {at: abs(nudged[at] - derived[at]) for at in nudged}
    wrong = {at for at, gap in gaps.items() if gap > 1e-6}
    seen: Seen = {
        ".verdict": see.reading(
            lambda text: see.number(re.split("more than|up to", text)[1].rstrip(".")),
            approx(max(gaps.values()), rel=0.06, abs=2e-9),
        )
    }
    for matrix, size in {"wte": 27 * 16, "fc1": 64 * 16, "fc2": 27 * 64}.items():
        cells = {(i, j) for each, i, j in wrong if each == matrix}
        said = f"{len(cells)} of {size} wrong" if cells else "no difference"
        seen[f".gaps.{matrix} .head span"] = said
        seen[see.shades(f".gaps.{matrix}")] = see.reading(set, cells)
    figure.shows(seen)
    (caption,) = figure.read(".readout caption")
    matrix, row, column = re.split(r"[\[\]]+", caption.partition(",")[0].rstrip("]"))
    at = (matrix, int(row), int(column))
    # A nudge's rounding is a machine's own.
    shown = figure.read(see.numbers(".readout td"))
    assert shown[:2] == approx([nudged[at], derived[at]], rel=2e-3, abs=2e-8)
    assert shown[2] == approx(gaps[at], rel=0.06, abs=2e-8)
    # A point lies as far to the right, and up, as both slopes say; a cross is wrong.
    limit = max(map(abs, [*nudged.values(), *derived.values()]))
    ends = figure.read(see.numbers(".plot-of-both svg text"))
    assert ends == approx([limit, -limit], rel=0.06)
    for kind, those in (("right", nudged.keys() - wrong), ("wrong", wrong)):
        places = {
            (across(nudged[at], limit), 320 - across(derived[at], limit))
            for at in those
        }
        paths = figure.read(see.attribute(f".plot-of-both path.{kind}", "d"))
        drawn = {
            (float(x), float(y))
            for path in paths
            for x, y in re.findall(r"M(-?[\d.]+) (-?[\d.]+)", path)
        }
        assert all(is_near(point, drawn) for point in places)
        assert all(is_near(point, places) for point in drawn)
    return len(wrong)


def across(slope: float, limit: float) -> int:
    """Where a slope lies in the square of points."""
    return round(160 + 152 * slope / limit)


def is_near(point: tuple[float, float], others: set[Any]) -> bool:
    """Say whether one of the points is within a pixel."""
    x, y = point
    return any((x + i, y + j) in others for i in (0, -1, 1) for j in (0, -1, 1))


def test_gradient_check(open_figure: Open) -> None:
    figure = open_figure("gradient_check")
    verdict = figure.find(".verdict")
    assert_checked(figure, "anna")
    expect(verdict).to_contain_text("None of 3,184 slopes")
    cells = figure.root.get_by_role("application", name=re.compile("^wte"))
    figure.keys(cells, "Home", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowDown")
    assert_checked(figure, "anna")
    caption = figure.find(".readout caption")
    expect(caption).to_contain_text("in the embedding of c")
    # The point that lies furthest up and to the right is found by the mouse.
    box = figure.box(".plot-of-both svg")
    of = numerical("anna")
    best = max(of, key=lambda at: of[at])
    place = across(of[best], max(map(abs, of.values()))) * box["width"] / 320
    square = figure.find(".plot-of-both svg")
    square.hover(position={"x": place, "y": box["height"] - place})
    expect(caption).to_contain_text("{}[{}][{}]".format(*best))
    assert_checked(figure, "anna")
    figure.type("zoë", enter=False)
    figure.refuses("does not know")
    assert not figure.asked_python()

    # Until Python has started, the nudges are seen alone.
    figure.tab.route("**/python.zip*", lambda route: None)
    figure.type("aa", enter=False)
    expect(verdict).to_contain_text("the slopes of the code are still to come")
    readout = figure.read(".readout td")
    assert see.number(readout[0]) == approx(numerical("aa")[best], rel=2e-3, abs=2e-8)
    assert readout[1:] == ["still to come"] * 2
    figure.tab.unroute("**/python.zip*")
    assert_checked(figure, "aa")

    # A broken line spoils what Python says that it spoils.
    way = BREAKS[1]
    figure.field("Break a line").select_option(label=way["name"])
    wrong = assert_checked(figure, "aa", PROGRAM.replace(way["old"], way["new"]))
    figure.shows(
        {
            ".verdict": see.containing(f"{wrong:,} of 3,184 slopes are wrong"),
            ".change .come": see.containing(way["new"]),
            ".change .gone": see.containing(way["old"]),
        }
    )
    expect(figure.find("span.sr-only[role=status]").last).to_contain_text("wrong")

    # The reader's own code is compiled, refused and stopped.
    before = verdict.inner_text()
    figure.press("Edit the code")
    editor = figure.root.get_by_role("textbox", name=re.compile("Code of the gradient"))
    expect(editor).to_be_focused()
    editor.fill("def analytic_gradient(tokens, weights)")
    figure.tab.keyboard.press("Shift+Enter")
    marked: Seen = {see.count(".editor .wrong"): 1, see.count(".stale .seen"): 1}
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
    figure.shows({".verdict": see.containing("None of 3,184 slopes differs")})
