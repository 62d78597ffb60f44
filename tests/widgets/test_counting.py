"""A name is counted as the program counts it, and each step shows what it changed."""

from __future__ import annotations

import inspect
import json
import math
import random
from collections import Counter
from itertools import pairwise

import pytest

from microgpt import load_names
from snippets import step0
from widgets._counting import LEARNT
from widgets.counting.model import Counting, counting

LETTERS = "abcdefghijklmnopqrstuvwxyz"


def shuffled() -> list[str]:
    names = load_names()
    random.Random(42).shuffle(names)
    return names


def pairs_of(names: list[str]) -> Counter[tuple[str, str]]:
    """Count pairs of characters, with a full stop at both ends of a name."""
    return Counter(pair for name in names for pair in pairwise(f".{name}."))


@pytest.fixture(scope="module", params=["emma", "aaaa", "q", "wolfeschlegelste"])
def shown(request: pytest.FixtureRequest) -> tuple[str, Counting]:
    return request.param, counting(request.param)


def test_every_row_holds_the_counts_of_all_pairs_so_far(
    shown: tuple[str, Counting],
) -> None:
    name, result = shown
    for start in result["starts"]:
        seen = pairs_of(shuffled()[: start["learnt"]])
        letters = f".{name}."
        for (first, second), pair in zip(
            pairwise(letters), start["pairs"], strict=True
        ):
            for row in (pair["before"], pair["after"]):
                expected = [seen[first, letter] for letter in f"{LETTERS}."]
                assert row["counts"] == expected
                total = sum(expected) + 27
                assert row["total"] == total
                p = [(count + 1) / total for count in expected]
                assert row["p"] == pytest.approx(p, abs=5.1e-5)
                place = f"{LETTERS}.".index(second)
                assert pair["target"] == place
                assert row["others"] == pytest.approx(1 - p[place], abs=5.1e-5)
                if row is pair["before"]:
                    seen[first, second] += 1


def test_losses_are_those_of_the_program_before_and_after(
    shown: tuple[str, Counting],
) -> None:
    name, result = shown
    names = shuffled()
    tokenizer = step0.Tokenizer(names)
    assert [start["learnt"] for start in result["starts"]] == LEARNT
    for start in result["starts"]:
        counts = step0.zero_counts(27)
        order = [*names[: start["learnt"]], name, name]
        *_, before, after = step0.train(order, tokenizer, counts, len(order))
        assert start["loss"] == pytest.approx(before, abs=5.1e-5)
        assert start["again"] == pytest.approx(after, abs=5.1e-5)


def test_each_step_lights_the_line_that_acts(shown: tuple[str, Counting]) -> None:
    name, result = shown
    lines = inspect.getsource(step0).splitlines()
    texts = [lines[step["line"] - 1].strip() for step in result["steps"]]
    count = "counts[token][target] += 1"
    first = "loss = mean_loss(tokens, counts)"
    assert texts == [first, *[count] * (len(name) + 1), "return loss"]
    pairs = [step["pair"] for step in result["steps"]]
    assert pairs == [None, *range(len(name) + 1), None]
    for step in result["steps"][1:-1]:
        (caller,) = step["waiting"]
        assert lines[caller - 1].strip() == "count_pairs(tokens, counts)"
    listed = [line for function in result["functions"] for line in function["lines"]]
    assert {step["line"] for step in result["steps"]} < {x["number"] for x in listed}
    for line in listed:
        assert lines[line["number"] - 1] == line["text"]


def test_a_model_that_knows_nothing_scores_every_name_alike() -> None:
    for name in ("emma", "xavier"):
        assert counting(name)["starts"][0]["loss"] == pytest.approx(
            math.log(27), abs=5e-5
        )


def test_the_page_stays_light() -> None:
    assert len(json.dumps(counting("emma"))) < 40_000


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "one letter or more"),
        ("  ", "one letter or more"),
        ("a" * 17, "at most 16 letters: this has 17"),
        ("zoë", "does not know the character 'ë'"),
        ("Emma", "type 'emma', in small letters"),
        ("a b", "does not know the character ' '"),
        ("<b>", "does not know the character '<'"),
        ("😀", "does not know the character"),
    ],
)
def test_what_is_no_name_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        counting(name)


def test_spaces_around_a_name_do_not_count() -> None:
    assert counting(" emma ") == counting("emma")
