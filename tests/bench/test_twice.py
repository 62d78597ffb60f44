"""Names said twice are as described, and their record can be reproduced."""

import json

import pytest

pytest.importorskip("microgpt.engines.c")

from bench.recipes import Split
from bench.twice import (
    HALF_LENGTH,
    RECIPES,
    TWICE_FILE,
    make_names_said_twice,
    second_half_statistics,
)


def test_names_said_twice_differ_and_have_two_equal_halves() -> None:
    names = make_names_said_twice()
    assert len(set(names)) == len(names) == 5000
    halves = {(name[:HALF_LENGTH], name[HALF_LENGTH:]) for name in names}
    assert all(first == second for first, second in halves)
    assert all(len(set(first)) == HALF_LENGTH for first, _ in halves)


def test_recorded_head_finds_letters_that_an_average_does_not() -> None:
    rungs = json.loads(TWICE_FILE.read_text("utf-8"))["guide"]["rungs"]
    split = Split(make_names_said_twice(), 1)
    for name in ("one head", "without queries"):
        end = rungs[name]["10000"]
        model = RECIPES[name].train(split, 10_000, end["choice"])
        (right,) = second_half_statistics([(split, model)])["right"]
        assert right == pytest.approx(end["right"][0], abs=0.05)
    assert max(rungs["without queries"]["10000"]["right"]) < 0.25
    assert sum(right > 0.99 for right in rungs["one head"]["10000"]["right"]) > 5
