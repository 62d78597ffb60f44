"""What readers see in the widgets of attention is what Python computes."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect
from pytest import approx

from tests.site import see
from tests.site.figure import Open
from tests.site.see import Seen
from tests.thorough import thorough
from widgets.attention.model import attention
from widgets.cache_mask.model import cache_mask
from widgets.context.model import context

# All widgets together are looked at every day.
pytestmark = thorough


def of_place(name: str, at: int) -> Seen:
    """Bars, words and table of a place of a name."""
    result: Any = context(name)
    names, places = result["tokens"], result["places"]
    place = places[at]
    both = [p for pair in zip(place["one"], place["all"]) for p in pair]
    letters = [names[each["token"]] for each in places]
    return {
        ".pairs li .name": names,
        **see.percents(".pairs li .value", both),
        **see.in_proportion(".pairs li .fill", both),
        ".pairs .mark .name": names[place["target"]],
        ".says": re.compile(
            f"Step 2's network sees {letters[at]}, .*"
            rf"has read {' '.join(letters[: at + 1])}\."
        ),
        see.numbers(".place.alike .index"): place["alike"],
        see.numbers(".place.picked .index"): at,
        see.numbers(".readout tbody td"): [
            cell
            for index, each in enumerate(places)
            for cell in (
                index,
                letters[index],
                names[each["target"]],
                *(approx(loss, abs=0.0051) for loss in each["losses"]),
            )
        ],
        see.flags(".readout tbody td:nth-last-child(-n + 2)", ".lower"): [
            lower
            for each in places
            for a, b in [each["losses"]]
            for lower in (a < b, b < a)
        ],
        see.numbers(".readout tfoot td"): approx(result["means"], abs=0.0051),
    }


def test_context(open_figure: Open) -> None:
    figure = open_figure("context")
    figure.shows(of_place("maria", 5))
    figure.radio("place 5, after a").focus()
    for at in (4, 3, 2):
        figure.tab.keyboard.press("ArrowLeft")
        figure.shows(of_place("maria", at))
    expect(figure.find(".sr-only[role=status]")).to_contain_text("At place 5")
    figure.radio("place 0, after BOS").check()
    figure.shows(of_place("maria", 0))
    assert not figure.asked_python()
    figure.press("hannah")
    figure.shows({see.count(".place"): 7})
    figure.shows(of_place("hannah", 6))
    figure.radio("place 3, after n").check()
    figure.shows(of_place("hannah", 3))


WAYS = {
    "cache": "token by token",
    "unmasked": "all at once, no mask",
    "masked": "all at once, masked",
}


def matrix(name: str, way: str, what: str, done: int) -> Seen:
    """Each cell of the matrix, or what stands for none, and what the cache holds."""
    shown: Any = cache_mask(name)
    size = len(shown["tokens"])
    hidden = "−∞" if what == "scores" else 0

    def cell(row: int, column: int) -> object:
        if row >= done or (column > row and way == "cache"):
            return ""
        if column > row and way == "masked":
            return hidden
        return approx(shown[way][what][row][column], abs=0.0051)

    seen: Seen = {
        ".matrix thead th": shown["tokens"],
        ".matrix tbody th": shown["tokens"],
        see.numbers(".matrix tbody td"): [
            cell(row, column) for row in range(size) for column in range(size)
        ],
        ".kept .note": see.containing(f"{shown['kept'][done]} numbers"),
    }
    if way != "cache":
        return seen
    entries = zip(shown["keys"][:done], shown["values"][:done])
    return {
        **seen,
        see.count(".entry:not(.none)"): done,
        ".kept .title": f"The cache: {done} keys, {done} values",
        see.flags(".entry:not(.none) .strip .square", ".below"): [
            x < 0 for entry in entries for strip in entry for x in strip
        ],
        ".verdict": re.compile(
            f"so far: {shown['cached'][done]};.*have been {shown['anew'][done]}\\."
        ),
    }


def test_cache_mask(open_figure: Open) -> None:
    figure = open_figure("cache_mask")
    shown: Any = cache_mask("emma")
    figure.shows(matrix("emma", "cache", "weights", 5))
    figure.walks(matrix("emma", "cache", "weights", done) for done in range(6))
    spoken = figure.find(".player [role=status]")
    expect(spoken).to_have_text("Token 5, a, is read; it attends to 5 tokens")
    for way in ("masked", "unmasked"):
        figure.press(WAYS[way])
        for what in ("weights", "scores"):
            figure.press(what)
            figure.shows(matrix("emma", way, what, 5))
        (verdict,) = figure.read(".verdict")
        assert f"{shown[way]['loss']:.4f}" in verdict
        expect(figure.find(".sr-only[role=status]").last).to_have_text(verdict)
        expect(figure.button("Play")).to_be_hidden()
        if way == "masked":
            assert "from the cache, in any logit: 0." in verdict
            assert f"{shown['cache']['loss']:.4f} both ways" in verdict
        else:
            assert "The logits of 4 of them" in verdict
            assert f"by {max(shown['unmasked']['apart']):.3f} at most" in verdict
    assert not figure.asked_python()

    figure.type("zoe")
    figure.shows({".matrix thead th": ["BOS", *"zoe"]})
    figure.press(WAYS["masked"])
    figure.shows(matrix("zoe", "masked", "scores", 4))
    figure.shows({".verdict": see.containing("from the cache, in any logit: 0.")})
    figure.press(WAYS["cache"])
    figure.shows(matrix("zoe", "cache", "scores", 4))


MAPS = ("scores", "weights", "outputs")
PROGRAMS = {"step3": "Step 3", "step6": "the whole model"}


def heads(seen: Any, program: str, weights: str) -> Any:
    return next(
        model["heads"]
        for model in seen["models"]
        if (model["program"], model["weights"]) == (program, weights)
    )


def matrices(seen: Any, program: str, weights: str, index: int) -> Seen:
    """Each cell of each matrix is as strong as Python's number, and no others exist."""
    head = heads(seen, program, weights)[index]
    both = [
        one for state in ("untrained", "trained") for one in heads(seen, program, state)
    ]
    limits = {
        name: max(abs(x) for one in both for row in one[name] for x in row)
        for name in ("scores", "outputs")
    }
    edge = [
        point
        for row, values in enumerate(head["weights"])
        for point in (f"{len(values)} {row}", f"{len(values)} {row + 1}")
    ]
    corners = ",".join(["0 0", *edge, f"0 {len(edge) // 2}"])
    return {
        see.shades(".map"): [
            see.strengths(head[name], limits.get(name, 1.0)) for name in MAPS
        ],
        see.attribute("polygon.exists", "points"): [corners] * 2 * (len(edge) > 2),
    }


def sums(seen: Any, head: Any, row: int, key: int, index: int) -> Seen:
    """Products, sums, shares and the average of one row of attention."""
    asks, asked = (f"{seen['tokens'][i]} ({i})" for i in (row, key))
    query, answer = head["queries"][row], head["keys"][key]
    lines = [(q, k, approx(q * k, abs=0.00051)) for q, k in zip(query, answer)]
    keys = ("scores", "exps", "weights")

    def cells(other: int) -> list[object]:
        if other > row:
            return ["–"] * 5
        value = head["values"][other][index]
        product = approx(head["weights"][row][other] * value, abs=0.00051)
        return [*(head[of][row][other] for of in keys), value, product]

    return {
        see.numbers(".products li > *"): [x for line in lines for x in line],
        ".products .what": f"query of {asks} × key of {asked}, number by number",
        see.numbers(".products .sum b"): [
            head["dots"][row][key],
            head["scores"][row][key],
        ],
        ".products .sum": see.containing(f"× {head['scale']:g} (1/√{len(query)})"),
        see.numbers(".row tbody td"): [
            x for other in range(len(seen["tokens"])) for x in cells(other)
        ],
        see.numbers(".row tfoot td:nth-of-type(2)"): head["total"][row],
        see.numbers(".row tfoot td:nth-of-type(3)"): head["weights_sum"][row],
        see.numbers(".row tfoot td:nth-of-type(5)"): head["outputs"][row][index],
        ".row caption": f"{asks} asks",
        ".row .now th": asked,
        ".row thead": see.containing(f"value[{index}]"),
    }


def test_attention(open_figure: Open) -> None:
    figure = open_figure("attention", page="attention/scores/")
    seen: Any = attention(**figure.given)
    size = len(seen["tokens"])

    def choose(program: str, weights: str, head: int) -> None:
        for group, name in (("Model", PROGRAMS[program]), ("Weights", weights)):
            buttons = figure.root.get_by_role("group", name=group)
            buttons.get_by_role("button", name=name, exact=True).press("Enter")
        of = figure.root.get_by_role("group", name="Head")
        of.get_by_role("button").nth(head).press("Enter")

    title = figure.find(".title").first
    expect(title).to_have_text("emma, Step 3, trained: its one head, 16 numbers wide")
    (head,) = heads(seen, "step3", "trained")
    most = max(range(size), key=lambda key: head["weights"][-1][key])
    figure.shows(matrices(seen, "step3", "trained", 0))
    figure.shows(sums(seen, head, size - 1, most, 0))
    for program, state, index in (
        ("step3", "untrained", 0),
        ("step6", "untrained", 1),
        ("step6", "trained", 2),
    ):
        choose(program, state, index)
        figure.shows(matrices(seen, program, state, index))
        one = heads(seen, program, state)[index]
        width = len(one["values"][0])
        for row, key, at in ((3, 1, width - 1), (2, 2, 1)):
            for name, cell, of in (
                ("outputs", (row, at), (size, width)),
                ("scores" if at == 1 else "weights", (row, key), (size, size)),
            ):
                target = figure.find(".map").nth(MAPS.index(name)).locator(".cells")
                figure.click_cell(target, cell, of)
                line = "outputs" if name == "outputs" else "weights"
                figure.shows({".code .lit .number": str(seen["lines"][line])})
            figure.shows(sums(seen, one, row, key, at))
    expect(title).to_have_text(
        "emma, the whole model, trained: layer 0, head 2, 4 numbers wide"
    )

    # By keyboard: the future does not exist.
    choose("step3", "trained", 0)
    scores, weights, outputs = (
        figure.find(".map").nth(i).locator(".cells") for i in range(3)
    )
    figure.keys(
        scores, "Home", *["ArrowUp"] * 5, "ArrowDown", "ArrowDown", "ArrowRight"
    )
    figure.keys(outputs, "Home")
    figure.keys(scores, "ArrowLeft", "ArrowRight")
    dot, score = head["dots"][2][1], head["scores"][2][1]
    says = (
        f"m (2) asks, e (1) is asked: the products add up to {dot:.3f}. "
        f"Times 0.25, that is the score {score:.3f}."
    )
    figure.shows({**sums(seen, head, 2, 1, 0), ".says": says.replace("-", "−")})
    figure.keys(scores, "ArrowRight", "ArrowRight")
    none = "There is no such number: when m (2) asks, m (3) has not been read yet."
    figure.shows({**sums(seen, head, 2, 2, 0), ".says": none})
    expect(figure.find(".map").first.locator("[role=status]")).to_have_text(none)
    expect(scores).to_be_focused()
    # The weights stand at the same cell, and tell their own sum.
    figure.keys(weights, "ArrowLeft")
    exp, total, share = head["exps"][2][1], head["total"][2], head["weights"][2][1]
    largest = head["largest"][2]
    minus = f"+ {-largest:.3f}" if largest < 0 else f"− {largest:.3f}"
    begins = f"exp({score:.3f} {minus}) is {exp:.3f}. Of {total:.3f}, the sum"
    told = figure.find(".says")
    expect(told).to_contain_text(begins.replace("-", "−"))
    expect(told).to_contain_text(f"the weight {share:.3f} of e (1)")
    figure.keys(outputs, "End")
    column = [value[15] for value in head["values"][:3]]
    for each in (head["outputs"][2][15], min(column), max(column)):
        expect(told).to_contain_text(f"{each:.3f}".replace("-", "−"))
    figure.shows(sums(seen, head, 2, 1, 15))
    # A wide head's numbers do not all exist in a narrow one.
    choose("step6", "trained", 3)
    narrow = heads(seen, "step6", "trained")[3]
    figure.shows(sums(seen, narrow, 2, 1, 3))
    figure.choose("is asked", "0")
    figure.root.get_by_label("number of the output").select_option("2")
    figure.choose("asks", "1")
    figure.shows(sums(seen, narrow, 1, 0, 2))
    spoken = figure.find(".seen > .sr-only[role=status]")
    expect(spoken).to_contain_text("e (1)")
    expect(figure.field("is asked").locator("option")).to_have_count(2)
    assert not figure.asked_python()

    choose("step6", "trained", 2)
    figure.type("christopher", enter=False)
    figure.shows({".row caption": "r (11) asks"})
    expect(title).to_contain_text("christopher,")
    other = attention("christopher", "step6", "trained")
    long = heads(other, "step6", "trained")[2]
    # exp rounds differently from one C library to the next: a shade may be another.
    figure.choose("number of the output", "0")
    shares, output = long["weights"][11], long["outputs"][11][0]
    figure.shows(
        {see.numbers(".row tbody td:nth-of-type(3)"): approx(shares, abs=0.0011)}
    )
    figure.shows(
        {see.numbers(".row tfoot td:nth-of-type(5)"): approx(output, abs=0.0011)}
    )
