"""A name is counted as the program counts it, and each step shows what it changed."""

import math
from itertools import pairwise

import pytest

from microgpt import Tokenizer
from snippets import step0
from tests.models import TOKENS, pairs_of, refusals, shuffled
from widgets._counting import LEARNT
from widgets.counting.model import Counting, counting


@pytest.fixture(scope="module", params=["emma", "aaaa", "q", "wolfeschlegelste"])
def shown(request: pytest.FixtureRequest) -> tuple[str, Counting]:
    return request.param, counting(request.param)


def test_every_row_holds_the_counts_of_all_pairs_so_far(
    shown: tuple[str, Counting],
) -> None:
    name, result = shown
    for start in result["starts"]:
        seen = pairs_of(shuffled()[: start["learnt"]])
        for (first, second), pair in zip(
            pairwise(["BOS", *name, "BOS"]), start["pairs"], strict=True
        ):
            assert pair["target"] == TOKENS.index(second)
            for row in (pair["before"], pair["after"]):
                expected = [seen[first, token] for token in TOKENS]
                assert row["counts"] == expected
                assert row["total"] == sum(expected) + 27
                p = [(count + 1) / row["total"] for count in expected]
                assert row["p"] == pytest.approx(p, abs=5.1e-5)
                others = 1 - p[pair["target"]]
                assert row["others"] == pytest.approx(others, abs=5.1e-5)
                if row is pair["before"]:
                    seen[first, second] += 1


def test_losses_are_those_of_the_program_before_and_after(
    shown: tuple[str, Counting],
) -> None:
    name, result = shown
    tokenizer = Tokenizer(list(shuffled()))
    assert [start["learnt"] for start in result["starts"]] == LEARNT
    assert result["starts"][0]["loss"] == pytest.approx(math.log(27), abs=5e-5)
    for start in result["starts"]:
        counts = step0.zero_counts(27)
        order = [*shuffled()[: start["learnt"]], name, name]
        *_, before, after = step0.train(order, tokenizer, counts, len(order))
        assert start["loss"] == pytest.approx(before, abs=5.1e-5)
        assert start["again"] == pytest.approx(after, abs=5.1e-5)


test_what_is_no_name_is_refused = refusals(
    counting, {}, ({"name": "a" * 17}, "at most 16 letters: this has 17")
)
