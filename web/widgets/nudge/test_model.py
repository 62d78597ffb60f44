"""Each nudge is measured as `numerical_gradient` would, and judged by the true slope."""

from __future__ import annotations

import copy
import math
import re

import pytest

from snippets import step1
from snippets.ready import untrained
from tests.models import document, refusals, slope
from widgets.nudge.model import Nudges, nudge

WEIGHTS = untrained()[2]
EMMA = document("emma")
PARAMETERS = [("wte", 12, 13), ("fc1", 14, 8), ("fc2", 12, 10)]


Where = tuple[str, int, int]
Measured = tuple[Nudges, Where]


@pytest.fixture(params=PARAMETERS, ids=lambda p: p[0], scope="module")
def measured(request: pytest.FixtureRequest) -> Measured:
    where: Where = request.param
    return nudge("emma", "untrained", *where), where


def moved(matrix: str, row: int, column: int, distance: float) -> float:
    weights = copy.deepcopy(WEIGHTS)
    weights[matrix][row][column] += distance
    return step1.mean_loss(EMMA, weights)


def test_losses_and_slopes_are_those_of_a_changed_parameter(measured: Measured) -> None:
    result, where = measured
    matrix, row, column = where
    loss = moved(*where, 0.0)
    assert result["loss"] == pytest.approx(loss, rel=1e-5)
    assert result["spacing"] == pytest.approx(math.ulp(loss), rel=1e-2)
    assert result["value"] == pytest.approx(WEIGHTS[matrix][row][column], rel=1e-5)
    assert result["called"] == f"{matrix}[{row}][{column}]"
    true = slope(lambda distance: moved(*where, distance), 0.0)
    assert result["slope"] == pytest.approx(true, rel=1e-5)
    nudges = result["nudges"]
    for each in nudges:
        nudged = moved(*where, each["epsilon"])
        assert each["loss"] == pytest.approx(nudged, rel=1e-5)
        assert each["rise"] == pytest.approx(nudged - loss, rel=1e-3, abs=0)
        rises = (nudged - loss) / each["epsilon"]
        assert each["slope"] == pytest.approx(rises, rel=1e-5, abs=0)
        error = abs(each["slope"] - result["slope"])
        assert each["error"] == pytest.approx(error, rel=0.01, abs=2e-7)
    epsilons = [each["epsilon"] for each in nudges]
    assert epsilons[:4] == [1, 0.3, 0.1, 0.03]
    assert epsilons[-2:] == [3e-15, 1e-15]
    assert epsilons == sorted(epsilons, reverse=True)
    best = nudges[result["best"]]
    assert best["error"] == min(each["error"] for each in nudges)
    assert 1e-9 < best["epsilon"] < 1e-3
    assert nudges[result["usual"]]["epsilon"] == 1e-5


def test_the_curve_runs_from_half_a_nudge_before_to_one_and_a_half_after(
    measured: Measured,
) -> None:
    result, where = measured
    for each in (result["nudges"][0], result["nudges"][6]):
        epsilon, curve = each["epsilon"], each["curve"]
        assert (len(curve), curve[6], curve[18]) == (25, 0, each["rise"])
        for index, t in ((0, -0.5), (12, 0.5), (24, 1.5)):
            rise = moved(*where, t * epsilon) - moved(*where, 0.0)
            assert curve[index] == pytest.approx(rise, rel=1e-3)


def test_both_failures_are_told_apart() -> None:
    result = nudge("emma", "untrained", "wte", 12, 13)
    says = [each["says"] for each in result["nudges"]]
    assert "the curve bends" in says[0]
    assert "agrees with the true one in about" in says[result["usual"]]
    assert "too few to tell a slope" in "".join(says[-8:])
    assert says[-1].startswith("The loss has ")


def test_sentences_tell_how_far_the_loss_moved_and_how_well_slopes_agree() -> None:
    kinds = set()
    for where in PARAMETERS:
        result = nudge("emma", "untrained", *where)
        matrix, row, column = where
        gradient = step1.analytic_gradient(EMMA, WEIGHTS)
        true = gradient[matrix][row][column]
        for each in result["nudges"]:
            loss, says = moved(*where, 0.0), each["says"]
            rise = moved(*where, each["epsilon"]) - loss
            steps = round(abs(rise) / math.ulp(loss))
            gap = abs(rise / each["epsilon"] / true - 1)
            if found := re.search(r"in about (\d+) digits?\.$", says):
                assert gap < 0.02
                assert -math.log10(gap) == pytest.approx(int(found[1]) + 0.5, abs=0.6)
            elif found := re.search(r"moved by (\d+) steps?", says):
                assert steps == int(found[1])
            else:
                assert ("not moved at all" in says) == (steps == 0)
            kinds.add(says.split(maxsplit=3)[2] + " by" * bool(found))
    assert len(kinds) > 2


def test_a_letter_that_is_not_in_the_name_has_no_slope() -> None:
    result = nudge("emma", "untrained", "wte", 25, 0)
    assert result["slope"] == 0
    assert {each["rise"] for each in result["nudges"]} == {0}
    assert "does not depend on this parameter" in result["nudges"][0]["says"]


def test_every_parameter_is_back_where_it_was() -> None:
    before = nudge("emma", "trained", "fc2", 0, 0)
    nudge("ava", "trained", "fc2", 0, 0)
    assert nudge("emma", "trained", "fc2", 0, 0) == before


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
    assert nudge("a", "untrained", matrix, row, column)["belongs"] == belongs


test_what_is_no_parameter_is_refused = refusals(
    nudge,
    {"name": "emma", "weights": "untrained", "matrix": "wte", "row": 0, "column": 0},
    ({"name": ""}, "type a name"),
    ({"name": "zoë"}, "does not know the character"),
    ({"matrix": "fc3"}, "matrix: choose one of wte, fc1, fc2"),
    ({"row": 27}, "row of wte: choose from 0 to 26"),
    ({"matrix": "fc1", "column": 16}, "column of fc1: choose from 0 to 15"),
    ({"matrix": "fc2", "column": -1}, "column of fc2: choose from 0 to 63"),
)
