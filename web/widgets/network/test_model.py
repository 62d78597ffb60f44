"""What flows through the network and back is what the functions of Step 1 compute."""

from __future__ import annotations

import copy
import math
import re
import statistics
from collections.abc import Callable
from functools import partial
from itertools import accumulate, pairwise

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import (
    LETTERS,
    TOKENS,
    assert_json,
    assert_listed,
    document,
    dot,
    line_of,
    recorded,
    refusals,
    slope,
)
from widgets._network import State
from widgets.network.dot_product import DotProduct
from widgets.network.flow import STAGES, Flow, FlowPair, Vectors
from widgets.network.maps import WeightMatrices
from widgets.network.model import Network, network
from widgets.network.nudge import Nudges
from widgets.network.softmax import Logits

WEIGHTS = untrained()[2]
EMMA = document("emma")
PARAMETERS = [("wte", 12, 13), ("fc1", 14, 8), ("fc2", 12, 10)]


def weights_of(state: State) -> step1.Weights:
    trained: step1.Weights = recorded("step1-weights")
    return trained if state == "trained" else WEIGHTS


# The flow


def flow(name: str = "emma", state: State = "untrained") -> Flow:
    found = network(name=name, weights=state, only="flow")["flow"]
    assert found is not None
    return found


def forward(x: list[float], weights: step1.Weights) -> Vectors:
    """Compute what an embedding becomes, without `forward`."""
    hidden = [dot(row, x) for row in weights["fc1"]]
    activated = [h if h > 0 else 0.0 for h in hidden]
    logits = [dot(row, activated) for row in weights["fc2"]]
    return {
        "x": x,
        "hidden": hidden,
        "activated": activated,
        "logits": logits,
        "probabilities": step1.softmax(logits),
    }


@pytest.mark.parametrize("state", ["untrained", "trained"])
def test_every_strip_is_what_the_program_computes(state: State) -> None:
    weights, shown = weights_of(state), flow("emma", state)
    pairs = [(pair["token"], pair["target"]) for pair in shown["pairs"]]
    assert (shown["tokens"], pairs) == (TOKENS, [*pairwise(EMMA)])
    for pair in shown["pairs"]:
        true = forward(weights["wte"][pair["token"]], weights)
        for name, values in true.items():
            assert pair["vectors"][name] == pytest.approx(values, rel=0.006), name
        p = true["probabilities"][pair["target"]]
        assert pair["off"] == true["activated"].count(0)
        assert pair["p"] == pytest.approx(p, rel=1e-3)
        assert pair["loss"] == pytest.approx(-math.log(p), rel=1e-4)
    assert shown["mean"] == pytest.approx(step1.mean_loss(EMMA, weights), rel=1e-4)
    assert shown["blind"] == pytest.approx(math.log(27), rel=1e-4)
    for name, matrix in shown["matrices"].items():
        for row, exact in zip(matrix, weights[name], strict=True):
            assert row == pytest.approx(exact, rel=0.006, abs=1e-12)


def loss_with(exact: Vectors, target: int, name: str, index: int, by: float) -> float:
    """Compute the loss once more, from a number of a strip that has been moved."""
    weights = weights_of("trained")
    moved = {key: [*values] for key, values in exact.items()}
    moved[name][index] += by
    if name == "x":
        moved = forward(moved["x"], weights)
    if name == "hidden":
        moved["activated"] = [max(0.0, h) for h in moved["hidden"]]
    if name in ("hidden", "activated"):
        moved["logits"] = [dot(row, moved["activated"]) for row in weights["fc2"]]
    return -math.log(step1.softmax(moved["logits"])[target])


@pytest.mark.parametrize("pair", flow("emma", "trained")["pairs"][:2])
def test_every_slope_is_that_of_a_nudged_number(pair: FlowPair) -> None:
    weights = weights_of("trained")
    exact = forward(weights["wte"][pair["token"]], weights)
    for name in ("x", "hidden", "activated", "logits"):
        found = pair["vectors"][f"d_{name}"]
        assert len(found) == len(exact[name])
        for index, each in enumerate(found):
            true = slope(partial(loss_with, exact, pair["target"], name, index), 0.0)
            assert each == pytest.approx(true, rel=0.006, abs=1e-7), name
    shut = [h <= 0 for h in exact["hidden"]]
    assert [d == 0 for d in pair["vectors"]["d_hidden"]] == shut


def test_the_parameters_feel_the_analytic_gradient_of_the_pair() -> None:
    shown = flow()
    mean = step1.zeros_like(WEIGHTS)
    for pair in shown["pairs"]:
        both = [pair["token"], pair["target"]]
        gradient = step1.analytic_gradient(both, WEIGHTS)
        d_logits, d_hidden = (pair["vectors"][d] for d in ("d_logits", "d_hidden"))
        for felt in pair["felt"]:
            matrix = gradient[felt["matrix"]]
            numbers = [d for row in matrix for d in row]
            assert felt["of"] == len(numbers)
            assert felt["felt"] == sum(d != 0 for d in numbers)
            steepest = matrix[felt["row"]][felt["column"]]
            assert abs(steepest) == max(map(abs, numbers))
            assert felt["slope"] == pytest.approx(steepest, rel=0.006)
        for i, row in enumerate(gradient["fc2"]):
            expected = [d_logits[i] * a for a in pair["vectors"]["activated"]]
            assert row == pytest.approx(expected, rel=0.02, abs=1e-9)
        for i, row in enumerate(gradient["fc1"]):
            expected = [d_hidden[i] * x for x in pair["vectors"]["x"]]
            assert row == pytest.approx(expected, rel=0.02, abs=1e-9)
        for name, matrix in gradient.items():
            for i, row in enumerate(matrix):
                for j, d in enumerate(row):
                    mean[name][i][j] += d / len(shown["pairs"])
    # The name's own gradient is the mean of its pairs'.
    for name, matrix in step1.analytic_gradient(EMMA, WEIGHTS).items():
        for row, other in zip(matrix, mean[name], strict=True):
            assert row == pytest.approx(other, rel=1e-9, abs=1e-15)


def test_the_lit_line_of_a_stage_computes_it() -> None:
    shown = flow()
    begins: dict[Callable[..., object], list[str]] = {
        step1.mean_loss: ["for token"],
        step1.forward: ["x =", "hidden =", "activated =", "return linear"],
        step1.softmax: ["return"],
    }
    lines = [line_of(of, begin) for of, found in begins.items() for begin in found]
    lines.append(line_of(step1.mean_loss, "losses.append"))
    back = ("d_logits[target]", "d_activated =", "d_hidden =", "d_x =", "gradient[")
    lines += [line_of(step1.analytic_gradient, begin) for begin in back]
    lit = shown["lit"]
    assert [each["line"] for each in lit] == lines
    assert len(lit) == len(shown["stages"]) == len(STAGES)
    call = line_of(step1.mean_loss, "probabilities =")
    waits = [each["waiting"] == [call] for each in lit]
    assert waits == [1 <= stage <= 5 for stage in range(len(lit))]
    assert_listed(shown["file"], shown["functions"], lines)


def test_each_sentence_has_the_numbers_of_its_pair() -> None:
    pair = flow()["pairs"][1]
    vectors = pair["vectors"]
    p, top = vectors["probabilities"], max(vectors["logits"])
    best, through = TOKENS[vectors["logits"].index(top)], 64 - pair["off"]
    for says, words in zip(
        pair["says"],
        (
            "After “e” comes “m”. The network sees “e”",
            "Row 4 of wte is looked up: the 16 numbers that stand for “e”",
            "Each of 64 hidden units",
            f"lets the {through} numbers above 0 pass. The other {pair['off']} become",
            f"The highest is {top:#.3g}, for “{best}”",
            f"“{best}” gets {max(p):#.3g}, “m” {p[12]:#.3g}",
            f"−ln {p[12]:#.3g} = {pair['loss']:.2f}",
            f"less 1 for “m”: {p[12]:#.3g} − 1 = −{abs(vectors['d_logits'][12]):#.3g}",
            "the sum of what it did to the logits",
            f"the {pair['off']} units that became 0 pass nothing on",
            "a sum of 64 products",
            "feels the most: −0.0",
        ),
        strict=True,
    ):
        assert words in says
    assert flow()["pairs"][4]["says"][0].startswith("After “a” the name ends.")
    assert flow()["pairs"][0]["says"][0].startswith("The name begins with “e”.")


def test_the_longest_name_flows_and_json_can_hold_it() -> None:
    shown = flow("a" * 16)
    assert len(shown["pairs"]) == 17
    assert_json(shown)


test_what_the_network_does_not_know_is_refused = refusals(
    network,
    {},
    ({"name": ""}, "type a name"),
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "a" * 17}, "at most 16 letters"),
    ({"weights": "half"}, "choose untrained or trained"),
    ({"pair": 6}, "pair: choose from 1 to 5"),
    ({"at": "middle"}, "at: choose one of start, x"),
    ({"open": "door"}, "open: choose one of name"),
    ({"only": "door"}, "only: choose one of flow"),
)


def test_only_what_is_open_is_computed() -> None:
    def has(shown: Network) -> list[str]:
        return [key for key, value in shown.items() if value not in (None, "")]

    assert has(network()) == ["flow"]
    assert has(network(open="lines")) == ["open", "flow"]
    assert has(network(open="softmax")) == ["open", "flow", "softmax"]
    assert has(network(only="dot product")) == ["dot_product"]


# One dot product


def products(w: list[float], x: list[float]) -> DotProduct:
    found = network(only="dot product", w=w, x=x)["dot_product"]
    assert found is not None
    return found


def test_products_add_up_to_the_sum() -> None:
    for w, x in (([1.0, -0.5, 2.0, 0.5], [0.5, 1.0, 1.0, -1.0]), ([0.3], [-2.0])):
        shown = products(w, x)
        exact = [a * b for a, b in zip(w, x, strict=True)]
        assert shown["products"] == pytest.approx(exact)
        assert shown["running"] == pytest.approx([*accumulate(exact)])
        assert shown["sum"] == pytest.approx(dot(w, x)) == shown["running"][-1]
    assert "agree in 0 of 1 places, and differ in 1" in shown["says"]
    assert "negative" in shown["says"]
    assert "cancels" in products([1.0, 1.0], [1.0, -1.0])["says"]
    assert "In no place" in products([1.0, 0.0], [0.0, 1.0])["says"]


def test_the_embeddings_most_like_that_of_a_are_those_of_vowels() -> None:
    known = products([1.0], [1.0])["embeddings"]
    wte = recorded("step1-weights")["wte"]
    agreement = [dot(row, wte[0]) for row in wte]
    assert known[0]["vector"] == pytest.approx(wte[0], abs=5e-4)
    expected = sorted(range(1, 27), key=lambda other: -agreement[other])
    assert known[0]["like"] == expected
    assert {LETTERS[i] for i in expected[:4]} == {*"eiou"}


test_vectors_that_do_not_fit_are_refused = refusals(
    network,
    {"only": "dot product", "w": [1.0, 2.0], "x": [1.0, 2.0]},
    ({"w": [1.0]}, "as many numbers"),
    ({"w": [1.0] * 17, "x": [1.0] * 17}, "from 1 to 16 numbers"),
    ({"w": [4.0, 0.0]}, "from −3 to 3"),
    ({"w": [math.nan, 0.0]}, "from −3 to 3"),
)


# Softmax


def softmax(logits: list[float], added: int, subtract: bool) -> Logits:
    shown = network(only="softmax", logits=logits, added=added, subtract=subtract)
    assert shown["softmax"] is not None
    assert_json(shown)
    return shown["softmax"]


@pytest.mark.parametrize("added", [0, 700, 1000, -1000])
def test_with_the_subtraction_all_is_softmax(added: int) -> None:
    shown = softmax([2.0, 1.0, -1.0], added, True)
    ps = [row["p"] for row in shown["rows"]]
    assert ps == pytest.approx(step1.softmax([2.0, 1.0, -1.0]), rel=1e-4)
    assert [row["exponent"] for row in shown["rows"]] == [0, -1, -3]
    assert shown["fails"] == ""


@pytest.mark.parametrize(
    ("logits", "added", "fails", "says"),
    [
        ([2.0, 1.0], 0, "", "the same probabilities"),
        ([2.0, 1.0], 708, "OverflowError", r"math.exp\(710\) raises"),
        ([0.5, 0.5], 709, "infinite", "their sum is not"),
        ([2.0, 1.0], -1000, "ZeroDivisionError", "raises a ZeroDivisionError"),
        ([2.0, 0.0], -745, "", "is wrong by 0"),
    ],
)
def test_without_the_subtraction_each_failure_is_told(
    logits: list[float], added: int, fails: str, says: str
) -> None:
    shown = softmax(logits, added, False)
    assert (shown["fails"], bool(re.search(says, shown["says"]))) == (fails, True)
    raised = ""
    try:
        exps = [math.exp(logit + added) for logit in logits]
        shares = [exp / sum(exps) for exp in exps]
        assert [row["p"] for row in shown["rows"]] == pytest.approx(shares, rel=1e-4)
    except ArithmeticError as error:
        raised = type(error).__name__
    assert raised == ("" if fails == "infinite" else fails)


test_logits_out_of_range_are_refused = refusals(
    network,
    {"only": "softmax"},
    ({"logits": [1.0]}, "from 2 to 8 logits"),
    ({"logits": [11.0, 0.0]}, "from −10 to 10"),
    ({"added": 1001}, "added: choose from -1,000 to 1,000"),
)


# Nudge a parameter


def nudges(matrix: str, row: int, column: int, name: str = "emma") -> Nudges:
    shown = network(name=name, only="nudge", matrix=matrix, row=row, column=column)
    assert shown["nudge"] is not None
    return shown["nudge"]


def moved(matrix: str, row: int, column: int, by: float) -> float:
    weights = copy.deepcopy(WEIGHTS)
    weights[matrix][row][column] += by
    return step1.mean_loss(EMMA, weights)


@pytest.mark.parametrize("where", PARAMETERS, ids=lambda where: where[0])
def test_each_nudge_is_measured_as_numerical_gradient_would(
    where: tuple[str, int, int],
) -> None:
    shown, loss = nudges(*where), moved(*where, 0.0)
    true = slope(lambda by: moved(*where, by), 0.0)
    assert shown["slope"] == pytest.approx(true, rel=1e-5)
    assert shown["loss"] == pytest.approx(loss, rel=1e-5)
    assert shown["spacing"] == pytest.approx(math.ulp(loss), rel=1e-2)
    epsilons = [each["epsilon"] for each in shown["nudges"]]
    assert epsilons == [10.0**-n for n in range(16)]
    gradient = step1.analytic_gradient(EMMA, WEIGHTS)
    exact = gradient[where[0]][where[1]][where[2]]
    for each in shown["nudges"]:
        epsilon, says = each["epsilon"], each["says"]
        rise = moved(*where, epsilon) - loss
        assert each["rise"] == pytest.approx(rise, rel=1e-3, abs=0)
        assert each["slope"] == pytest.approx(rise / epsilon, rel=1e-5, abs=0)
        gap = abs(rise / epsilon / exact - 1)
        right = min(16, max(0, -math.log10(gap)))
        assert each["digits"] == pytest.approx(right, abs=0.06)
        steps = round(abs(rise) / math.ulp(loss))
        if found := re.search(r"in about (\d+) digits?\.$", says):
            assert -math.log10(gap) == pytest.approx(int(found[1]) + 0.5, abs=0.6)
        elif found := re.search(r"moved by (\d+) steps?", says):
            assert steps == int(found[1])
        else:
            assert ("not moved at all" in says) == (steps == 0)
        if epsilon > 1e-7:
            curve = each["curve"]
            assert (len(curve), curve[3], curve[9]) == (13, 0, each["rise"])
            for index, t in ((0, -0.5), (12, 1.5)):
                far = moved(*where, t * epsilon) - loss
                assert curve[index] == pytest.approx(far, rel=1e-3)
    assert max(range(16), key=lambda i: shown["nudges"][i]["digits"]) in range(4, 9)


def test_a_letter_that_is_not_in_the_name_has_no_slope() -> None:
    shown = nudges("wte", 25, 0)
    assert shown["slope"] == 0
    assert {each["rise"] for each in shown["nudges"]} == {0}
    assert "does not depend on this parameter" in shown["nudges"][0]["says"]


def test_every_parameter_is_back_where_it_was() -> None:
    before = nudges("fc2", 0, 0)
    nudges("fc2", 0, 0, "ava")
    assert nudges("fc2", 0, 0) == before


@pytest.mark.parametrize(
    ("matrix", "row", "column", "belongs"),
    [
        ("wte", 26, 3, "number 3 in the embedding of BOS"),
        ("fc1", 63, 0, "from number 0 of the embedding to hidden unit 63"),
        ("fc2", 1, 63, "from hidden unit 63 to the logit of b"),
    ],
)
def test_each_parameter_is_named_by_what_it_does(
    matrix: str, row: int, column: int, belongs: str
) -> None:
    assert nudges(matrix, row, column, "a")["belongs"] == belongs


test_what_is_no_parameter_is_refused = refusals(
    network,
    {"only": "nudge", "row": 0, "column": 0},
    ({"matrix": "fc3"}, "matrix: choose one of wte, fc1, fc2"),
    ({"row": 27}, "row of wte: choose from 0 to 26"),
    ({"matrix": "fc1", "column": 16}, "column of fc1: choose from 0 to 15"),
)


# All parameters


@pytest.fixture(scope="module")
def shown() -> WeightMatrices:
    found = network(only="parameters")["maps"]
    assert found is not None
    return found


def test_each_cell_is_its_parameter_in_hundredths(shown: WeightMatrices) -> None:
    hidden = [str(i) for i in range(64)]
    rows = {"wte": TOKENS, "fc1": hidden, "fc2": TOKENS}
    for matrix in shown["matrices"]:
        name = matrix["name"]
        before, after = (
            [[round(100 * w) for w in row] for row in weights_of(state)[name]]
            for state in ("untrained", "trained")
        )
        assert (matrix["before"], matrix["after"]) == (before, after)
        assert matrix["change"] == [
            [b - a for a, b in zip(*both, strict=True)]
            for both in zip(before, after, strict=True)
        ]
        assert matrix["rows"] == rows[name]
        assert matrix["shape"] == f"{len(after)} × {len(after[0])}"


@pytest.mark.parametrize("state", ["before", "after"])
def test_all_parameters_are_counted_once(shown: WeightMatrices, state: str) -> None:
    of = weights_of("untrained" if state == "before" else "trained")
    found = [number for matrix in of.values() for row in matrix for number in row]
    assert shown["count"] == len(found) == 3184
    histogram = shown["histogram"]
    assert histogram["most"] == max(histogram["before"])
    counts = histogram[state]  # type: ignore[literal-required]
    assert sum(counts) == 3184
    for (low, high), count in zip(pairwise(histogram["edges"]), counts, strict=True):
        assert count == sum(low <= number < high for number in found)
    spread = shown[state]  # type: ignore[literal-required]
    assert spread["deviation"] == pytest.approx(statistics.pstdev(found), abs=5e-4)
    assert spread["farthest"] == pytest.approx(max(map(abs, found)), abs=5e-4)


test_a_cell_that_is_none_is_refused = refusals(
    network,
    {"only": "parameters", "row": 0, "column": 0},
    ({"matrix": "fc3"}, "matrix: choose from wte, fc1, fc2"),
    ({"row": 27}, "row: choose from 0 to 26"),
    ({"column": 16}, "column: choose from 0 to 15"),
)
