"""RMSNorm in a reader's hands, compared with a computation of its own."""

from __future__ import annotations

import math

import pytest

from widgets.rmsnorm.model import POWERS, RMSNorm, rmsnorm

ROOM = 0.0006  # four significant digits


def at_scale(shown: RMSNorm, power: float) -> int:
    return POWERS.index(power)


@pytest.mark.parametrize(
    "numbers",
    [[3.0, -1.0, 2.0, 0.0], [0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.0, 0.0]],
)
def test_each_number_is_divided_by_the_root_mean_square(numbers):
    shown = rmsnorm(numbers)
    assert shown["scales"][shown["at"]]["x"] == numbers
    assert shown["epsilon"] == 1e-5
    for power, step in zip(POWERS, shown["scales"], strict=True):
        x = [10**power * n for n in numbers]
        assert step["scale"] == pytest.approx(10**power, rel=0.006)
        mean_square = math.fsum(n * n for n in x) / 4
        root = math.sqrt(mean_square + 1e-5)
        assert step["x"] == pytest.approx(x, rel=ROOM)
        assert step["mean_square"] == pytest.approx(mean_square, rel=ROOM)
        assert step["factor"] == pytest.approx(1 / root, rel=ROOM)
        assert step["result"] == pytest.approx([n / root for n in x], rel=ROOM)
        size = math.sqrt(mean_square)
        assert step["size"] == pytest.approx(size, rel=ROOM)
        assert step["result_size"] == pytest.approx(size / root, rel=ROOM)


def test_the_scale_changes_nothing_until_the_vector_is_very_short():
    shown = rmsnorm([3.0, -1.0, 2.0, 0.0])
    size = {power: shown["scales"][at_scale(shown, power)] for power in (-5, -1, 0, 3)}
    assert size[3]["result"] == size[0]["result"]
    assert size[-1]["result"] == pytest.approx(size[0]["result"], rel=1e-3)
    assert size[-5]["result_size"] < 0.01


@pytest.mark.parametrize(
    ("numbers", "word"),
    [
        ([0.0, 0.0, 0.0, 0.0], "dividing by 0"),
        ([1.0, -1.0, 1.0, 1.0], "of one size"),
        ([0.0, 0.0, -3.0, 0.0], "near 2 or −2"),
        ([3.0, -1.0, 2.0, 0.0], "direction"),
    ],
)
def test_what_is_special_about_a_vector_is_said(numbers, word):
    shown = rmsnorm(numbers)
    assert word in shown["says"]
    result = shown["scales"][shown["at"]]["result"]
    if "−2" in word:
        assert max(map(abs, result)) == pytest.approx(2, rel=1e-3)


def test_other_vectors_are_refused():
    with pytest.raises(ValueError, match="give 4 numbers, not 2"):
        rmsnorm([1.0, 2.0])
    for wrong in (5.0, math.nan):
        with pytest.raises(ValueError, match="from −4 to 4"):
            rmsnorm([wrong, 0.0, 0.0, 0.0])
