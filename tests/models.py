"""What tests of models share: bad input, listings, and the model in plain floats."""

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from microgpt import Tokenizer, Value, load_names

ROOT = Path(__file__).parents[1]
DATA = ROOT / "docs/data"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
BOS = 26
TOKENS = [*LETTERS, "BOS"]  # what readers call each token

Array = NDArray[Any]
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


# Names and pages


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


def fences(page: str, language: str) -> list[str]:
    """Return what stands in a page's fences of a language."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [str(each) for each in found]


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


# Listings whose lines are lit


def assert_listed(file: str, functions: Sequence[Any], lit: Iterable[int]) -> None:
    """The listings are the lines of a file, and every line that is lit is listed."""
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    listed = [line for function in functions for line in function["lines"]]
    for line in listed:
        assert lines[line["number"] - 1].strip() == line["text"].strip()
    assert {*lit} - {0} <= {line["number"] for line in listed}


# The transformer with one layer, of Steps 3 to 6


def transformer(
    weights: Mapping[str, Sequence[Sequence[Value | float]]],
    tokens: Sequence[int],
    heads: int,
) -> list[dict[str, Any]]:
    """Compute what each token becomes, all at once: no `Value`, no function of the package.

    Each has its vectors, by the boxes of the whole GPT's picture, and a row for each
    head of `scores` and `weights`.
    """
    w = {
        name.removeprefix("layer0."): np.array(
            [[x.data if isinstance(x, Value) else x for x in row] for row in rows]
        )
        for name, rows in weights.items()
    }
    count = len(tokens)
    now = {"wte": w["wte"][tokens], "wpe": w["wpe"][:count]}
    now["sum"] = now["wte"] + now["wpe"]
    now["rmsnorm"] = normalized(now["sum"])
    now["attention_rmsnorm"] = normalized(now["rmsnorm"])
    for name in ("query", "key", "value"):
        now[name] = now["attention_rmsnorm"] @ w[f"attn_w{name[0]}"].T
    q, k, v = (
        now[name].reshape(count, heads, -1).swapaxes(0, 1)
        for name in ("query", "key", "value")
    )
    scores = q @ k.swapaxes(1, 2) / math.sqrt(16 // heads)
    shares = softmax(np.where(np.tri(count), scores, -math.inf))
    now["heads"] = (shares @ v).swapaxes(0, 1).reshape(count, 16)
    now["attn_wo"] = now["heads"] @ w["attn_wo"].T
    now["attention"] = now["rmsnorm"] + now["attn_wo"]
    now["mlp_rmsnorm"] = normalized(now["attention"])
    now["fc1"] = now["mlp_rmsnorm"] @ w["mlp_fc1"].T
    now["relu"] = np.maximum(0, now["fc1"])
    now["fc2"] = now["relu"] @ w["mlp_fc2"].T
    now["mlp"] = now["attention"] + now["fc2"]
    now["lm_head"] = now["mlp"] @ w["lm_head"].T
    now["softmax"] = softmax(now["lm_head"])
    read = [{name: x[i].tolist() for name, x in now.items()} for i in range(count)]
    for i, each in enumerate(read):
        each |= {"scores": scores[:, i, : i + 1].tolist()}
        each |= {"weights": shares[:, i, : i + 1].tolist()}
    return read


def normalized(x: Array) -> Array:
    squares: Array = (x**2).mean(axis=-1, keepdims=True)
    return x / np.sqrt(squares + 1e-5)


def softmax(logits: Array) -> Array:
    exps: Array = np.exp(logits - logits.max(axis=-1, keepdims=True))
    total: Array = exps.sum(axis=-1, keepdims=True)
    return exps / total


def slope(f: Callable[[float], float], at: float, epsilon: float = 1e-5) -> float:
    """Return the central difference quotient."""
    return (f(at + epsilon) - f(at - epsilon)) / (2 * epsilon)
