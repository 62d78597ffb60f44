"""What readers see in the widgets of gradient descent is what Python computes."""

import re
from functools import cache
from itertools import pairwise
from typing import Any

from playwright.sync_api import BrowserContext, expect
from pytest import approx

from snippets import step1
from tests.calls import calls
from tests.models import TOKENS, document
from tests.site import see
from tests.site.browsing import LONG
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets._network import State, network_weights
from widgets.gradient_check.model import BREAKS, PROGRAM, gradient_check
from widgets.network.model import STAGES

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


def test_a_pair_flows_to_its_loss(open_figure: Open) -> None:
    figure = open_figure("network", NETWORK)
    shown = flow()
    figure.shows(standing(shown, 1, 6))
    figure.slide("Through", 3)
    figure.shows(standing(shown, 1, 3))
    # From the start, it plays to the end by itself.
    figure.press("To the start")
    figure.choose("Speed", "250")
    figure.press("Play")
    expect(figure.find(".count")).to_have_text("6 of 6", timeout=LONG)
    # Another pair flows at once, from the start as far as its loss.
    figure.press("To the start", "a → BOS")
    figure.shows(standing(shown, 4, 6))
    figure.find("summary").click()
    figure.type("jo", "Another name", enter=False)
    figure.shows(standing(flow("jo"), 0, 6))
    assert not figure.asked_python()


def test_the_slopes_come_back(open_figure: Open) -> None:
    figure = open_figure("network", "gradient-descent/analytic-gradient/")
    figure.slide("Through", "End")
    figure.shows(standing(flow("emma", "untrained"), 1, 11, back=True))


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


def test_gradient_check(newcomer: BrowserContext, address: str) -> None:
    # To others, Python would answer at once.
    figure = Figure.open(newcomer, address, "gradient_check")
    figure.tab.route("**/python.zip*", lambda route: None)
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
    figure.refuses("letters from a to z")
    assert not figure.asked_python()

    # Until Python has started, the nudges are seen alone.
    figure.type("aa", enter=False)
    waits = "the slopes of the code are still to come"
    expect(verdict).to_contain_text(waits, timeout=LONG)
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
