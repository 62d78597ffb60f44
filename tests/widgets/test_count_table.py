"""The tables hold what counting pairs of characters in the text itself gives."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import Any

import pytest

from microgpt import load_names
from widgets.count_table.model import CountTable, count_table


@pytest.fixture(scope="module")
def result() -> CountTable:
    return count_table(42)


def shuffled(seed: int) -> list[str]:
    names = load_names()
    random.Random(seed).shuffle(names)
    return names


def counted(names: list[str]) -> Counter[tuple[str, str]]:
    """Count pairs of letters, without any token."""
    pairs: Counter[tuple[str, str]] = Counter()
    for name in names:
        letters = ["BOS", *name, "BOS"]
        pairs.update((letters[i], letters[i + 1]) for i in range(len(letters) - 1))
    return pairs


@pytest.mark.parametrize("seed", [42, 7])
def test_each_table_counts_the_pairs_of_its_names(seed: int) -> None:
    result, names = count_table(seed), shuffled(seed)
    sizes = [table["names"] for table in result["tables"]]
    assert sizes == [1, 10, 100, 1000, len(names)]
    for table in result["tables"]:
        pairs = counted(names[: table["names"]])
        for token, row in zip(result["tokens"], table["counts"], strict=True):
            for target, count in zip(result["tokens"], row, strict=True):
                assert count == pairs[token, target]
        assert table["pairs"] == pairs.total()
        assert table["zeros"] == 27 * 27 - len(pairs)


def test_examples_are_the_first_names_that_have_the_pair(result: CountTable) -> None:
    names = shuffled(42)
    tokens = result["tokens"]
    having: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for pair in counted([name]):
            having.setdefault(pair, []).append(name)
    for token, row in zip(tokens, result["examples"], strict=True):
        for target, places in zip(tokens, row, strict=True):
            found = [result["names"][place] for place in places]
            assert found == having.get((token, target), [])[:3]
    assert [names[order] for order in result["orders"]] == result["names"]


def test_a_page_can_carry_it(result: CountTable) -> None:
    assert len(json.dumps(result, separators=(",", ":"))) < 40_000


@pytest.mark.parametrize("seed", [-1, 0.5, float("nan"), 1e30])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        count_table(seed)
