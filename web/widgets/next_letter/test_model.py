"""The probabilities are shares of counts, smoothed as the formula says."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from tests.models import TOKENS, pairs_of, refusals, shuffled
from widgets.next_letter.model import next_letter


@pytest.mark.parametrize("names", [0, 1, 100, 1000, len(shuffled())])
@pytest.mark.parametrize("smoothing", [0, 0.01, 1, 1000])
def test_each_row_is_the_share_of_each_smoothed_count(
    smoothing: float, names: int
) -> None:
    result, pairs = next_letter(smoothing, names), pairs_of(shuffled()[:names])
    assert (result["tokens"], result["total"]) == (TOKENS, len(shuffled()))
    for i, token in enumerate(TOKENS):
        counts = [pairs[token, follower] for follower in TOKENS]
        assert result["counts"][i] == counts
        assert result["sums"][i] == sum(counts)
        assert result["unseen"][i] == counts.count(0)
        extra = Fraction(str(smoothing))
        total = sum(counts) + 27 * extra
        shares = [float((count + extra) / total) for count in counts] if total else []
        assert result["rows"][i] == pytest.approx(shares, rel=1e-4)


test_what_gives_no_probabilities_is_refused = refusals(
    next_letter,
    {"smoothing": 1, "names": 10},
    ({"smoothing": -1}, "smoothing"),
    ({"smoothing": math.nan}, "smoothing"),
    ({"smoothing": math.inf}, "smoothing"),
    ({"names": -1}, "names"),
    ({"names": 0.5}, "names"),
    ({"names": 1e9}, "names"),
)
