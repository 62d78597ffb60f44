"""RMSNorm in a reader's hands, compared with a computation of its own."""

from __future__ import annotations

import math

import pytest

from tests.models import dot, normalize, refusals
from widgets.rmsnorm.model import POWERS, rmsnorm

ROOM = 0.0006  # four significant digits


@pytest.mark.parametrize(
    ("numbers", "says"),
    [
        ([3.0, -1.0, 2.0, 0.0], "direction"),
        ([0.0, 0.0, 0.0, 0.0], "dividing by 0"),
        ([1.0, -1.0, 1.0, 1.0], "of one size"),
        ([0.0, 0.0, -3.0, 0.0], "near 2 or −2"),
    ],
)
def test_each_number_is_divided_by_the_root_mean_square(
    numbers: list[float], says: str
) -> None:
    shown = rmsnorm(numbers)
    assert says in shown["says"]
    assert shown["scales"][shown["at"]]["x"] == numbers
    assert shown["epsilon"] == 1e-5
    for power, step in zip(POWERS, shown["scales"], strict=True):
        x = [10**power * n for n in numbers]
        assert step["scale"] == pytest.approx(10**power, rel=0.006)
        mean_square = dot(x, x) / 4
        root = math.sqrt(mean_square + 1e-5)
        assert step["x"] == pytest.approx(x, rel=ROOM)
        assert step["mean_square"] == pytest.approx(mean_square, rel=ROOM)
        assert step["factor"] == pytest.approx(1 / root, rel=ROOM)
        assert step["result"] == pytest.approx(normalize(x), rel=ROOM)
        assert step["size"] == pytest.approx(math.sqrt(mean_square), rel=ROOM)
        size = math.sqrt(mean_square) / root
        assert step["result_size"] == pytest.approx(size, rel=ROOM)


test_other_vectors_are_refused = refusals(
    rmsnorm,
    {},
    ({"numbers": [1.0, 2.0]}, "give 4 numbers, not 2"),
    ({"numbers": [5.0, 0.0, 0.0, 0.0]}, "from −4 to 4"),
    ({"numbers": [math.nan, 0.0, 0.0, 0.0]}, "from −4 to 4"),
)
