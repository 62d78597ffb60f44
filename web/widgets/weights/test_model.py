"""The pictures of the parameters hold the program's, before and after its run."""

from __future__ import annotations

import statistics
from itertools import pairwise

import pytest

from snippets import step1
from tests.models import LETTERS, TOKENS, Start, refusals
from widgets._network import trained_weights
from widgets.weights.model import WeightMatrices, weights

FIRST: step1.Weights = Start(step1).weights
TRAINED = trained_weights()


@pytest.fixture(scope="module")
def shown() -> WeightMatrices:
    return weights("wte", 4, 12)


def numbers(of: step1.Weights) -> list[float]:
    return [number for matrix in of.values() for row in matrix for number in row]


def test_each_cell_is_its_parameter_in_hundredths(shown: WeightMatrices) -> None:
    hidden = [str(i) for i in range(64)]
    rows = {"wte": TOKENS, "fc1": hidden, "fc2": TOKENS}
    assert [matrix["name"] for matrix in shown["matrices"]] == list(FIRST)
    for matrix in shown["matrices"]:
        name = matrix["name"]
        before, after = (
            [[round(100 * w) for w in row] for row in of[name]]
            for of in (FIRST, TRAINED)
        )
        assert (matrix["before"], matrix["after"]) == (before, after)
        assert matrix["change"] == [
            [b - a for a, b in zip(*both, strict=True)]
            for both in zip(before, after, strict=True)
        ]
        assert matrix["rows"] == rows[name]
        assert matrix["shape"] == f"{len(after)} × {len(after[0])}"
        assert len(matrix["columns"]) == len(after[0])
    assert shown["matrices"][2]["columns"] == hidden


@pytest.mark.parametrize("state", ["before", "after"])
def test_all_parameters_are_counted_once(shown: WeightMatrices, state: str) -> None:
    found = numbers(FIRST if state == "before" else TRAINED)
    assert shown["count"] == len(found) == 3184
    histogram = shown["histogram"]
    assert histogram["most"] == max(histogram["before"])
    counts = histogram[state]  # type: ignore[literal-required]
    assert sum(counts) == 3184
    for (low, high), count in zip(pairwise(histogram["edges"]), counts, strict=True):
        assert count == sum(low <= number < high for number in found)
    spread = shown[state]  # type: ignore[literal-required]
    assert spread["deviation"] == pytest.approx(statistics.pstdev(found), abs=5e-4)
    assert spread["farthest"] == pytest.approx(max(map(abs, found)), abs=5e-4)


def test_signs_in_some_columns_tell_vowels_from_most_consonants(
    shown: WeightMatrices,
) -> None:
    def telling(cells: list[list[int]]) -> int:
        """Count the columns in which vowels have one sign, and most others not."""
        count = 0
        for column in zip(*cells[:26], strict=True):
            signs = dict(zip(LETTERS, (number > 0 for number in column), strict=True))
            vowels = {signs.pop(vowel) for vowel in "aeiou"}
            count += len(vowels) == 1 and sum(s in vowels for s in signs.values()) <= 1
        return count

    wte = shown["matrices"][0]
    assert telling(wte["after"]) > 1
    assert telling(wte["before"]) == 0


test_a_cell_that_is_none_is_refused = refusals(
    weights,
    {"matrix": "wte", "row": 0, "column": 0},
    ({"matrix": "fc3"}, "matrix: choose from wte, fc1, fc2"),
    ({"row": 27}, "row: choose from 0 to 26"),
    ({"column": 16}, "column: choose from 0 to 15"),
    ({"column": -1}, "column: choose from 0 to 15"),
)
