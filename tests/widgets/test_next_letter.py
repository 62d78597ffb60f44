"""The probabilities are shares of counts, smoothed as the formula says."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from microgpt import load_names
from widgets.next_letter.model import next_letter


def counted(names: int) -> Counter[str]:
    """Count the pairs of letters of the first names; "." stands at both ends."""
    all_names = load_names()
    random.Random(42).shuffle(all_names)
    texts = [f".{name}." for name in all_names[:names]]
    return Counter(text[i : i + 2] for text in texts for i in range(len(text) - 1))


@pytest.mark.parametrize("names", [0, 1, 100, 1000])
@pytest.mark.parametrize("smoothing", [0, 0.01, 1, 1000])
def test_each_row_is_the_share_of_each_smoothed_count(
    smoothing: float, names: int
) -> None:
    result, pairs = next_letter(smoothing, names), counted(names)
    signs = "abcdefghijklmnopqrstuvwxyz."
    extra = Fraction(str(smoothing))
    assert result["tokens"] == [*signs[:-1], "BOS"]
    for sign, counts, sum_, unseen, row in zip(
        signs,
        result["counts"],
        result["sums"],
        result["unseen"],
        result["rows"],
        strict=True,
    ):
        assert counts == [pairs[sign + follower] for follower in signs]
        assert (sum_, unseen) == (sum(counts), counts.count(0))
        total = sum(counts) + 27 * extra
        if total == 0:
            assert row == []
            continue
        shares = [float((count + extra) / total) for count in counts]
        assert row == pytest.approx(shares, rel=1e-4)
        assert sum(row) == pytest.approx(1, abs=1e-3)


def test_without_smoothing_a_pair_never_seen_has_probability_0() -> None:
    result = next_letter(0, 1000)
    o, x = (result["tokens"].index(letter) for letter in "ox")
    assert result["rows"][o][x] == 0
    assert next_letter(0.01, 1000)["rows"][o][x] > 0


def test_with_no_counts_every_token_has_the_same_probability() -> None:
    for row in next_letter(1, 0)["rows"]:
        assert row == pytest.approx([1 / 27] * 27, rel=1e-4)


def test_all_the_names_may_be_counted_and_a_page_can_carry_it() -> None:
    total = len(load_names())
    result = next_letter(1, total)
    assert result["total"] == total
    assert sum(result["sums"]) == sum(len(name) + 1 for name in load_names())
    assert len(json.dumps(result, separators=(",", ":"))) < 20_000


@pytest.mark.parametrize(
    ("smoothing", "names", "reason"),
    [
        (-1, 10, "smoothing"),
        (math.nan, 10, "smoothing"),
        (math.inf, 10, "smoothing"),
        (1, -1, "names"),
        (1, 0.5, "names"),
        (1, 1e9, "names"),
    ],
)
def test_what_gives_no_probabilities_is_refused(
    smoothing: float, names: Any, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        next_letter(smoothing, names)
