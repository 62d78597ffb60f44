"""Helpers for tests of models: refused arguments, names, records and weights."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from microgpt import GPT, Config, Value, load_names
from snippets.ready import load_shuffled_names
from tests.processes import ROOT

LETTERS = "abcdefghijklmnopqrstuvwxyz"
BOS = 26
TOKEN_LABELS = [*LETTERS, "BOS"]  # what readers call each token

Arguments = Mapping[str, object]  # by parameter


def make_refusal_test(
    function: Callable[..., object],
    valid_arguments: Arguments,
    *cases: tuple[Arguments, str],
) -> Callable[[Arguments, str], None]:
    """Make a parametrized test that a function refuses each change of its arguments.

    Args:
        function: Raises ValueError for arguments that it refuses.
        valid_arguments: Keyword arguments that it accepts.
        cases: The arguments to change, and a pattern of the one-line message.
    """

    @pytest.mark.parametrize(("changed_arguments", "message"), cases)
    def test_refusal(changed_arguments: Arguments, message: str) -> None:
        with pytest.raises(ValueError, match=message) as error:
            function(**{**valid_arguments, **changed_arguments})
        assert "\n" not in str(error.value)

    return test_refusal


def assert_finite_json(result: object) -> None:
    """Fail with ValueError if the result has NaN or infinity, which JSON cannot hold."""
    assert json.dumps(result, allow_nan=False)


ORIGINAL_DATA_FOLDER = ROOT.parent / "shared" / "data"
needs_original_names = pytest.mark.skipif(
    not (ORIGINAL_DATA_FOLDER / "names.txt").exists(),
    reason=f"the original's names, not ours to ship, are not in {ORIGINAL_DATA_FOLDER}",
)


@cache
def shuffled_names(seed: int = 42) -> tuple[str, ...]:
    """Return the dataset in the order in which programs train on it."""
    names = load_names()
    random.Random(seed).shuffle(names)
    return tuple(names)


def encode_name(name: str) -> list[int]:
    """Return the tokens of a name, between two BOS tokens."""
    return [BOS, *map(LETTERS.index, name), BOS]


def count_token_pairs(names: Iterable[str]) -> Counter[tuple[str, str]]:
    """Count each pair of neighbouring characters, with BOS at both ends of each name."""
    return Counter(pair for name in names for pair in pairwise(["BOS", *name, "BOS"]))


def load_record(name: str) -> Any:
    """Load docs/data/NAME.json."""
    return json.loads((ROOT / "docs/data" / f"{name}.json").read_text("utf-8"))


HEADS_BY_RECORD: dict[str, int] = {"one-end-weights": 1, "four-end-weights": 4}


def load_recorded_model(record: str) -> GPT:
    """Return a GPT of the package with the weights of a record."""
    model = GPT(Config(n_head=HEADS_BY_RECORD[record]), random.Random(0))
    weights = load_record(record)
    assert weights.keys() == model.weights.keys()
    for name, rows in weights.items():
        model.weights[name] = [[Value(number) for number in row] for row in rows]
    return model


def set_up_program(program: Any) -> tuple[Any, Iterator[float]]:
    """Set up the program of a step as its `main` does.

    Returns:
        Its weights, and an iterator over the losses of 1,000 steps, which trains them.
    """
    names, tokenizer, rng = load_shuffled_names()
    if hasattr(program, "zero_counts"):  # Step 0 draws nothing
        weights = program.zero_counts(tokenizer.vocab_size)
    elif hasattr(program, "GPT"):  # from Step 4 on
        weights = program.GPT(program.Config(tokenizer.vocab_size), rng)
    else:
        weights = program.initial_weights(tokenizer.vocab_size, rng)
    return weights, program.train(names, tokenizer, weights, 1000)


def central_difference(
    f: Callable[[float], float], x: float, epsilon: float = 1e-5
) -> float:
    """Return the slope of f at x, from two points around it."""
    return (f(x + epsilon) - f(x - epsilon)) / (2 * epsilon)
