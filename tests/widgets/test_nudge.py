"""Each nudge is measured as `numerical_gradient` would, and judged by the true slope."""

from __future__ import annotations

import copy
import math
import random
import re

import pytest

from microgpt import Tokenizer, load_names
from snippets import step1
from widgets.nudge.model import Nudges, nudge

TOKENIZER = Tokenizer(load_names())
WEIGHTS = step1.initial_weights(TOKENIZER.vocab_size, random.Random(42))
PARAMETERS = [("wte", 12, 13), ("fc1", 14, 8), ("fc2", 12, 10)]


@pytest.fixture(params=PARAMETERS, ids=lambda p: p[0], scope="module")
def measured(request: pytest.FixtureRequest) -> tuple[Nudges, str, int, int]:
    matrix, row, column = request.param
    return nudge("emma", "untrained", matrix, row, column), matrix, row, column


def moved(matrix: str, row: int, column: int, distance: float) -> float:
    weights = copy.deepcopy(WEIGHTS)
    weights[matrix][row][column] += distance
    return step1.mean_loss(TOKENIZER.document("emma"), weights)


def test_the_nudges_go_down_from_one(
    measured: tuple[Nudges, str, int, int],
) -> None:
    epsilons = [each["epsilon"] for each in measured[0]["nudges"]]
    assert epsilons[:4] == [1, 0.3, 0.1, 0.03]
    assert epsilons[-2:] == [3e-15, 1e-15]
    assert epsilons == sorted(epsilons, reverse=True)


def test_losses_and_slopes_are_those_of_a_changed_parameter(
    measured: tuple[Nudges, str, int, int],
) -> None:
    result, *where = measured
    loss = moved(*where, 0.0)
    assert result["loss"] == pytest.approx(loss, rel=1e-5)
    assert result["spacing"] == pytest.approx(math.ulp(loss), rel=1e-2)
    for each in result["nudges"]:
        nudged = moved(*where, each["epsilon"])
        assert each["loss"] == pytest.approx(nudged, rel=1e-5)
        assert each["rise"] == pytest.approx(nudged - loss, rel=1e-3, abs=0)
        slope = (nudged - loss) / each["epsilon"]
        assert each["slope"] == pytest.approx(slope, rel=1e-5, abs=0)
        assert each["floats"] == (nudged - loss) / math.ulp(loss)


def test_the_curve_runs_from_half_a_nudge_before_to_one_and_a_half_after(
    measured: tuple[Nudges, str, int, int],
) -> None:
    result, *where = measured
    for each in (result["nudges"][0], result["nudges"][6]):
        epsilon, curve = each["epsilon"], each["curve"]
        assert len(curve) == 25
        assert curve[6] == 0
        assert curve[18] == each["rise"]
        for index, t in ((0, -0.5), (12, 0.5), (24, 1.5)):
            rise = moved(*where, t * epsilon) - moved(*where, 0.0)
            assert curve[index] == pytest.approx(rise, rel=1e-3)


def test_the_true_slope_is_the_central_difference(
    measured: tuple[Nudges, str, int, int],
) -> None:
    result, *where = measured
    central = (moved(*where, 1e-5) - moved(*where, -1e-5)) / 2e-5
    assert result["slope"] == pytest.approx(central, rel=1e-5)
    for each in result["nudges"]:
        error = abs(each["slope"] - result["slope"])
        assert each["error"] == pytest.approx(error, rel=0.01, abs=2e-7)


def test_the_best_nudge_is_neither_the_largest_nor_the_smallest(
    measured: tuple[Nudges, str, int, int],
) -> None:
    result = measured[0]
    errors = [each["error"] for each in result["nudges"]]
    assert errors[result["best"]] == min(errors)
    assert 1e-9 < result["nudges"][result["best"]]["epsilon"] < 1e-3
    assert result["nudges"][result["usual"]]["epsilon"] == 1e-5


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
        gradient = step1.analytic_gradient(TOKENIZER.document("emma"), WEIGHTS)
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


def test_the_value_is_the_parameter_s(
    measured: tuple[Nudges, str, int, int],
) -> None:
    result, matrix, row, column = measured
    assert result["value"] == pytest.approx(WEIGHTS[matrix][row][column], rel=1e-5)
    assert result["called"] == f"{matrix}[{row}][{column}]"


def test_a_letter_that_is_not_in_the_name_has_no_slope() -> None:
    result = nudge("emma", "untrained", "wte", 25, 0)
    assert result["slope"] == 0
    assert {each["rise"] for each in result["nudges"]} == {0}
    assert "does not depend on this parameter" in result["nudges"][0]["says"]


def test_every_parameter_is_back_where_it_was() -> None:
    before = nudge("emma", "trained", "fc2", 0, 0)
    nudge("ava", "trained", "fc2", 0, 0)
    assert nudge("emma", "trained", "fc2", 0, 0) == before


def test_each_parameter_is_named_by_what_it_does() -> None:
    def belongs(matrix: str, row: int, column: int) -> str:
        return nudge("a", "untrained", matrix, row, column)["belongs"]

    assert belongs("wte", 26, 3) == "number 3 in the embedding of BOS"
    assert belongs("fc1", 63, 0) == "from number 0 of the embedding to hidden unit 63"
    assert belongs("fc2", 1, 63) == "from hidden unit 63 to the logit of b"


@pytest.mark.parametrize(
    ("name", "matrix", "row", "column", "reason"),
    [
        ("", "wte", 0, 0, "type a name"),
        ("zoë", "wte", 0, 0, "does not know the character"),
        ("emma", "fc3", 0, 0, "matrix: choose one of wte, fc1, fc2"),
        ("emma", "wte", 27, 0, "row of wte: choose from 0 to 26"),
        ("emma", "fc1", 0, 16, "column of fc1: choose from 0 to 15"),
        ("emma", "fc2", 0, -1, "column of fc2: choose from 0 to 63"),
    ],
)
def test_what_is_no_parameter_is_refused(
    name: str, matrix: str, row: int, column: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        nudge(name, "untrained", matrix, row, column)
