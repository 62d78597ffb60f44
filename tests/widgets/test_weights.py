"""The pictures of the parameters hold the program's, before and after its run."""

from __future__ import annotations

import json
import random
import statistics
from itertools import pairwise

import pytest

from microgpt import Tokenizer, load_names
from snippets import step1
from snippets.step1 import Weights
from widgets._network import trained_weights
from widgets.weights.model import WeightMatrices, weights


@pytest.fixture(scope="module")
def shown() -> WeightMatrices:
    return weights("wte", 4, 12)


@pytest.fixture(scope="module")
def first() -> Weights:
    rng = random.Random(42)
    names = load_names()
    rng.shuffle(names)
    return step1.initial_weights(Tokenizer(names).vocab_size, rng)


def numbers(of: Weights) -> list[float]:
    return [number for matrix in of.values() for row in matrix for number in row]


def test_each_cell_is_its_parameter_in_hundredths(
    shown: WeightMatrices, first: Weights
) -> None:
    assert [matrix["name"] for matrix in shown["matrices"]] == list(first)
    for matrix in shown["matrices"]:
        trained = trained_weights()[matrix["name"]]
        for i, row in enumerate(first[matrix["name"]]):
            assert matrix["before"][i] == [round(100 * w) for w in row]
            assert matrix["after"][i] == [round(100 * w) for w in trained[i]]
            for j, change in enumerate(matrix["change"][i]):
                assert change == matrix["after"][i][j] - matrix["before"][i][j]
        assert matrix["shape"] == f"{len(trained)} × {len(trained[0])}"
        assert len(matrix["rows"]) == len(trained)
        assert len(matrix["columns"]) == len(trained[0])


def test_rows_are_named_after_what_they_are_of(shown: WeightMatrices) -> None:
    wte, fc1, fc2 = shown["matrices"]
    assert wte["rows"] == fc2["rows"] == [*"abcdefghijklmnopqrstuvwxyz", "BOS"]
    assert fc1["rows"] == fc2["columns"] == [str(i) for i in range(64)]


def test_all_parameters_are_counted_once(shown: WeightMatrices, first: Weights) -> None:
    assert shown["count"] == len(numbers(first)) == 3184
    histogram = shown["histogram"]
    for of, counts in (
        (first, histogram["before"]),
        (trained_weights(), histogram["after"]),
    ):
        assert sum(counts) == 3184
        for (low, high), count in zip(
            pairwise(histogram["edges"]), counts, strict=True
        ):
            assert count == sum(low <= number < high for number in numbers(of))
    assert histogram["most"] == max(histogram["before"])


def test_the_spread_is_the_standard_deviation(
    shown: WeightMatrices, first: Weights
) -> None:
    for of, spread in ((first, shown["before"]), (trained_weights(), shown["after"])):
        deviation = statistics.pstdev(numbers(of))
        assert spread["deviation"] == pytest.approx(deviation, abs=5e-4)
        farthest = max(numbers(of), key=abs)
        assert spread["farthest"] == pytest.approx(abs(farthest), abs=5e-4)


def test_signs_in_some_columns_tell_vowels_from_most_consonants(
    shown: WeightMatrices,
) -> None:
    def telling(cells: list[list[int]]) -> int:
        """Count the columns in which vowels have one sign, and most others not."""
        count = 0
        for column in zip(*cells[:26], strict=True):
            signs = [number > 0 for number in column]
            vowels = {signs[i] for i in (0, 4, 8, 14, 20)}
            others = [s for i, s in enumerate(signs) if i not in (0, 4, 8, 14, 20)]
            same = sum(s in vowels for s in others)
            count += len(vowels) == 1 and same <= 1
        return count

    wte = shown["matrices"][0]
    assert telling(wte["after"]) > 1
    assert telling(wte["before"]) == 0


def test_it_fits_on_a_page(shown: WeightMatrices) -> None:
    assert len(json.dumps(shown, separators=(",", ":"))) < 40_000


@pytest.mark.parametrize(
    ("matrix", "row", "column", "reason"),
    [
        ("fc3", 0, 0, "matrix: choose from wte, fc1, fc2"),
        ("wte", 27, 0, "row: choose from 0 to 26"),
        ("wte", 0, 16, "column: choose from 0 to 15"),
        ("wte", 0, -1, "column: choose from 0 to 15"),
    ],
)
def test_a_cell_that_is_none_is_refused(
    matrix: str, row: int, column: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        weights(matrix, row, column)
