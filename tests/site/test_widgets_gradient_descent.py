"""What readers see in the widgets of gradient descent is what Python computes."""

import re
from functools import cache
from itertools import pairwise
from typing import Any

from playwright.sync_api import expect
from pytest import approx

from snippets import step1
from tests.models import TOKENS, document
from tests.site import see
from tests.site.browsing import LONG
from tests.site.figure import Figure, Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets._network import State, network_weights
from widgets._tracing import calls
from widgets.gradient_check import model as gradient_check_module
from widgets.gradient_check.model import gradient_check
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
    figure.shows({".verdict": see.containing("No slope differs")})
