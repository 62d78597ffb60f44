"""What tests of models share: bad input, names and records, listings."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from microgpt import GPT, Config, Tokenizer, Value, load_names

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs/data"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BOS = 26
TOKENS = [*LETTERS, "BOS"]  # what readers call each token

Change = Mapping[str, object]


# Bad input


def refusals(
    function: Callable[..., object], given: Change, *cases: tuple[Change, str]
) -> Callable[[Change, str], None]:
    """Return a test that each change of good input is refused, in the sentence given."""

    @pytest.mark.parametrize(("change", "sentence"), cases)
    def refused(change: Change, sentence: str) -> None:
        with pytest.raises(ValueError, match=sentence) as error:
            function(**{**given, **change})
        assert "\n" not in str(error.value)

    return refused


def assert_json(result: object) -> None:
    """JSON can hold the result: ValueError if it has NaN or infinity."""
    assert json.dumps(result, allow_nan=False)


# Names

ORIGINAL = ROOT.parent / "shared" / "data"
with_original = pytest.mark.skipif(
    not (ORIGINAL / "names.txt").exists(),
    reason=f"the original's names, not ours to ship, are not in {ORIGINAL}",
)


@cache
def shuffled(seed: int = 42) -> tuple[str, ...]:
    """Return the names in the order in which a program learns them."""
    names = load_names()
    random.Random(seed).shuffle(names)
    return tuple(names)


def document(name: str) -> list[int]:
    """Return the tokens of a name, without a tokenizer."""
    return [BOS, *map(LETTERS.index, name), BOS]


def pairs_of(names: Iterable[str]) -> Counter[tuple[str, str]]:
    """Count which character follows which, with BOS at both ends of each name."""
    return Counter(p for name in names for p in pairwise(["BOS", *name, "BOS"]))


def recorded(name: str) -> Any:
    """Return a record of docs/data."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


# Models

ENDS = {"one-end-weights": 1, "four-end-weights": 4}  # and their heads


def ended(end: str) -> GPT:
    """Return the package's model with the recorded weights."""
    model = GPT(Config(n_head=ENDS[end]), random.Random(0))
    weights = recorded(end)
    assert weights.keys() == model.weights.keys()
    for name, rows in weights.items():
        model.weights[name] = [[Value(number) for number in row] for row in rows]
    return model


class Start:
    """What a program's `main` sets up before it trains."""

    def __init__(
        self, program: ModuleType, docs: Path | None = None, seed: int = 42
    ) -> None:
        self.program: Any = program
        self.rng = random.Random(seed)
        self.names = load_names(docs)
        self.rng.shuffle(self.names)
        self.tokenizer = Tokenizer(self.names)
        vocab_size = self.tokenizer.vocab_size
        self.weights: Any
        if hasattr(program, "zero_counts"):  # Step 0 draws nothing
            self.weights = program.zero_counts(vocab_size)
        elif hasattr(program, "GPT"):  # from Step 4 on
            self.weights = program.GPT(program.Config(vocab_size), self.rng)
        else:
            self.weights = program.initial_weights(vocab_size, self.rng)

    def losses(self, steps: int) -> list[float]:
        """Take the first of 1,000 steps."""
        run = self.program.train(self.names, self.tokenizer, self.weights, 1000)
        return [next(run) for _ in range(steps)]

    def sample(self) -> str:
        name: str = self.program.sample(self.weights, self.tokenizer, self.rng)
        return name


def slope(f: Callable[[float], float], at: float, epsilon: float = 1e-5) -> float:
    """Return the central difference quotient."""
    return (f(at + epsilon) - f(at - epsilon)) / (2 * epsilon)
