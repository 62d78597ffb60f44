"""Softmax with the subtraction is right for any logits; without, it fails as said."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tests.models import assert_json, refusals
from widgets.logits.model import Logits, logits

GIVEN = [2.0, 1.0, 0.0, -1.0]
E = Fraction(2718281828459045235360287, 10**24)  # fractions do not overflow
POWERS = [E ** int(logit) for logit in GIVEN]
TRUE = [float(power / sum(POWERS)) for power in POWERS]


def column(shown: Logits, name: str) -> list[float | None]:
    return [row[name] for row in shown["rows"]]  # type: ignore[literal-required]


@pytest.mark.parametrize("added", [0, 3, -5, 700, 1000, -740, -1000])
def test_with_the_subtraction_nothing_changes(added: int) -> None:
    shown = logits(GIVEN, added, subtract=True)
    assert column(shown, "p") == pytest.approx(TRUE, rel=1e-4)
    assert column(shown, "logit") == [x + added for x in GIVEN]
    assert column(shown, "exponent") == [0, -1, -2, -3]
    assert shown["rows"][0]["exp"] == 1
    assert shown["fails"] == ""


@pytest.mark.parametrize("added", [0, 3, -5, 700, -700])
def test_without_it_moderate_logits_give_the_same(added: int) -> None:
    shown = logits(GIVEN, added, subtract=False)
    exps = [math.exp(x + added) for x in GIVEN]
    assert [row["name"] for row in shown["rows"]] == [*"abcd"]
    assert column(shown, "p") == pytest.approx(TRUE, rel=1e-4)
    assert column(shown, "exp") == pytest.approx(exps, rel=1e-4)
    assert shown["total"] == pytest.approx(sum(exps), rel=1e-4)
    assert "the same probabilities" in shown["says"]


@pytest.mark.parametrize("added", [*range(700, 720), *range(-760, -730), -1000, 1000])
def test_without_it_large_logits_fail_as_python_does(added: int) -> None:
    shown = logits(GIVEN, added, subtract=False)
    try:
        exps = [math.exp(logit + added) for logit in GIVEN]
        expected = [exp / sum(exps) for exp in exps]
    except ArithmeticError as error:
        assert shown["fails"] == type(error).__name__
        assert shown["fails"] in shown["says"]
        assert {*column(shown, "p")} == {None}
    else:
        assert shown["fails"] in ("", "infinite")
        assert column(shown, "p") == pytest.approx(expected, rel=1e-4)
    assert_json(shown)


def test_the_error_names_the_first_power_that_is_too_large() -> None:
    shown = logits([-9.0, 5.0, 8.0], 705, subtract=False)
    assert "math.exp(710) raises an OverflowError" in shown["says"]
    assert [exp is None for exp in column(shown, "exp")] == [False, True, True]
    assert shown["total"] is None


def test_a_sum_can_be_too_large_when_no_power_is() -> None:
    shown = logits([0.5, 0.5], 709, subtract=False)
    assert (shown["fails"], shown["total"]) == ("infinite", None)
    assert column(shown, "p") == [0, 0]


@pytest.mark.parametrize("added", range(-744, -700))
def test_digits_are_lost_before_everything_is_0(added: int) -> None:
    shown = logits(GIVEN, added, subtract=False)
    off = max(abs((p or 0) - q) for p, q in zip(column(shown, "p"), TRUE, strict=True))
    lost = "lost digits" in shown["says"]
    if abs(off - 5e-5) > 1e-5:  # what is shown is rounded
        assert lost == (off > 5e-5)
    if off > 1e-3:
        said = float(shown["says"].rpartition("wrong by ")[2].rstrip("."))
        assert said == pytest.approx(off, rel=0.05)


test_what_is_out_of_range_is_refused = refusals(
    logits,
    {"logits": [1.0, 2.0], "added": 0, "subtract": True},
    ({"logits": []}, "from 2 to 8"),
    ({"logits": [1.0] * 9}, "from 2 to 8"),
    ({"logits": [math.nan, 1.0]}, "from −10 to 10"),
    ({"logits": [11.0, 1.0]}, "from −10 to 10"),
    ({"added": 1001}, "added: choose from -1,000 to 1,000"),
    ({"added": 0.5}, "added: a whole number"),
)
