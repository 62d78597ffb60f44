"""Softmax with the subtraction is right for any logits; without, it fails as said."""

from __future__ import annotations

import json
import math
from fractions import Fraction

import pytest

from widgets.logits.model import logits

GIVEN = [2.0, 1.0, 0.0, -1.0]


def true_probabilities(given: list[float]) -> list[float]:
    """Softmax in fractions, which do not overflow; e is known to many digits."""
    e = Fraction(2718281828459045235360287, 10**24)
    powers = [e ** int(logit) for logit in given]
    return [float(power / sum(powers)) for power in powers]


@pytest.mark.parametrize("added", [0, 3, -5, 700, 1000, -740, -1000])
def test_with_the_subtraction_nothing_changes(added: int) -> None:
    shown = logits(GIVEN, added, subtract=True)
    assert [row["p"] for row in shown["rows"]] == pytest.approx(
        true_probabilities(GIVEN), rel=1e-4
    )
    assert [row["logit"] for row in shown["rows"]] == [x + added for x in GIVEN]
    assert [row["exponent"] for row in shown["rows"]] == [0, -1, -2, -3]
    assert shown["rows"][0]["exp"] == 1
    assert shown["fails"] == ""


@pytest.mark.parametrize("added", [0, 3, -5, 700, -700])
def test_without_it_moderate_logits_give_the_same(added: int) -> None:
    shown = logits(GIVEN, added, subtract=False)
    assert [row["p"] for row in shown["rows"]] == pytest.approx(
        true_probabilities(GIVEN), rel=1e-4
    )
    assert [row["exp"] for row in shown["rows"]] == pytest.approx(
        [math.exp(x + added) for x in GIVEN], rel=1e-4
    )
    assert "the same probabilities" in shown["says"]
    total = sum(math.exp(x + added) for x in GIVEN)
    assert shown["total"] == pytest.approx(total, rel=1e-4)
    assert [row["name"] for row in shown["rows"]] == [*"abcd"]


def naive(given: list[float]) -> list[float]:
    exps = [math.exp(logit) for logit in given]
    total = sum(exps)
    return [exp / total for exp in exps]


@pytest.mark.parametrize("added", [*range(700, 720), *range(-760, -730), -1000, 1000])
def test_without_it_large_logits_fail_as_python_does(added: int) -> None:
    shown = logits(GIVEN, added, subtract=False)
    try:
        expected = naive([logit + added for logit in GIVEN])
    except ArithmeticError as error:
        assert shown["fails"] == type(error).__name__
        assert shown["fails"] in shown["says"]
        assert {row["p"] for row in shown["rows"]} == {None}
    else:
        assert shown["fails"] in ("", "infinite")
        found = [row["p"] for row in shown["rows"]]
        assert found == pytest.approx(expected, rel=1e-4)
    assert json.loads(json.dumps(shown, allow_nan=False)) == shown


def test_the_error_names_the_first_power_that_is_too_large() -> None:
    shown = logits([-9.0, 5.0, 8.0], 705, subtract=False)
    assert "math.exp(710) raises an OverflowError" in shown["says"]
    assert [row["exp"] is None for row in shown["rows"]] == [False, True, True]
    assert shown["total"] is None


def test_a_sum_can_be_too_large_when_no_power_is() -> None:
    shown = logits([0.5, 0.5], 709, subtract=False)
    assert shown["fails"] == "infinite"
    assert shown["total"] is None
    assert [row["p"] for row in shown["rows"]] == [0, 0]


def test_digits_are_lost_before_everything_is_0() -> None:
    shown = logits(GIVEN, -743, subtract=False)
    assert "lost digits" in shown["says"]
    found = [row["p"] or 0 for row in shown["rows"]]
    true = true_probabilities(GIVEN)
    off = max(abs(p - q) for p, q in zip(found, true, strict=True))
    said = float(shown["says"].rpartition("wrong by ")[2].rstrip("."))
    assert said == pytest.approx(off, rel=0.05)
    assert logits(GIVEN, -1000, subtract=False)["total"] == 0
    for added in range(-744, -700):
        shown = logits(GIVEN, added, subtract=False)
        found = [row["p"] or 0 for row in shown["rows"]]
        off = max(abs(p - q) for p, q in zip(found, true, strict=True))
        if abs(off - 5e-5) > 1e-5:  # what is shown is rounded
            assert ("lost digits" in shown["says"]) == (off > 5e-5)


@pytest.mark.parametrize(
    ("given", "added", "reason"),
    [
        ([], 0, "from 2 to 8"),
        ([1.0] * 9, 0, "from 2 to 8"),
        ([math.nan, 1.0], 0, "from −10 to 10"),
        ([11.0, 1.0], 0, "from −10 to 10"),
        ([1.0, 2.0], 1001, "added: choose from -1,000 to 1,000"),
        ([1.0, 2.0], 0.5, "added: a whole number"),
    ],
)
def test_what_is_out_of_range_is_refused(
    given: list[float], added: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        logits(given, added, subtract=True)
