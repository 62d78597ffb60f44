"""What a page is told of the heads is what the package's model does with names."""

import math
from itertools import pairwise

import pytest

from tests.models import assert_json, refusals
from widgets._network import end_weights
from widgets.attention.model import HEADS, attention, habits, held_out, shares


@pytest.mark.parametrize("end", HEADS)
def test_a_page_gets_the_weights_it_needs_and_no_others(end: str) -> None:
    shown = attention("emma", end)  # type: ignore[arg-type]
    assert_json(shown)
    assert shown["heads"] == len(shown["habits"]) == HEADS[end]
    assert shown["matrices"].keys() == {
        *("wte", "wpe", "layer0.attn_wq", "layer0.attn_wk", "layer0.attn_wv")
    }
    assert shown["matrices"].items() <= end_weights(end).items()


def test_the_heads_are_told_apart_by_what_they_do() -> None:
    """The sentences of the pages: before, of the other kind, at the start."""
    (one,), four = (
        [habits(end, head) for head in range(count)] for end, count in HEADS.items()
    )

    def lift(of: dict[str, object], to: str) -> float:
        (found,) = (each for each in of["shares"] if each["to"] == to)  # type: ignore[attr-defined]
        return float(found["share"] / found["even"])

    assert lift(dict(one), "the letter before") > 2
    other = ["vowels when a consonant asks", "consonants when a vowel asks"]
    assert all(lift(dict(four[2]), each) > 1.8 for each in other)
    starts = [lift(dict(head), "the start") for head in four]
    assert max(starts) == starts[1] > 1.2
    assert lift(dict(four[3]), "itself") < 0.5
    assert min(four, key=lambda head: head["width"]) is four[2]
    assert four[2]["width"] < 0.45 * four[2]["even"]


def test_a_habit_is_a_mean_over_the_letters_of_the_names_held_out() -> None:
    before = [
        (row[-2], 1 / len(row))
        for name in held_out()
        for row in shares("one-end", name)[0][2:]
    ]
    (found,) = (
        each
        for each in habits("one-end", 0)["shares"]
        if each["to"] == "the letter before"
    )
    given, even = (math.fsum(side) / len(before) for side in zip(*before, strict=True))
    assert found["share"] == pytest.approx(given, abs=0.0006)
    assert found["even"] == pytest.approx(even, abs=0.0006)
    rows = shares("one-end", "anna")[0]
    assert all(len(b) == len(a) + 1 for a, b in pairwise(rows))


test_what_the_widget_does_not_know_is_refused = refusals(
    attention,
    {"name": "emma", "model": "four-end"},
    ({"name": "a" * 16}, "type at most 15 letters"),
    ({"model": "step6"}, "model: choose one-end or four-end"),
    ({"head": 4}, "head: choose from 0 to 3"),
    ({"model": "one-end", "head": 1}, "head: choose from 0 to 0"),
    ({"view": "table"}, "view: choose arcs, cache, mask"),
)
