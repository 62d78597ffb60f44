"""The tables hold what counting pairs of characters in the text itself gives."""

import pytest

from tests.models import TOKENS, pairs_of, refusals, shuffled
from widgets.count_table.model import count_table


@pytest.mark.parametrize("seed", [42, 7])
def test_each_table_counts_the_pairs_of_its_names(seed: int) -> None:
    result, names = count_table(seed), shuffled(seed)
    assert result["tokens"] == TOKENS
    sizes = [table["names"] for table in result["tables"]]
    assert sizes == [1, 10, 100, 1000, len(names)]
    for table in result["tables"]:
        pairs = pairs_of(names[: table["names"]])
        assert table["counts"] == [[pairs[a, b] for b in TOKENS] for a in TOKENS]
        assert table["pairs"] == pairs.total()
        assert table["zeros"] == 27 * 27 - len(pairs)


def test_examples_are_the_first_names_that_have_the_pair() -> None:
    result, names = count_table(42), shuffled()
    having: dict[tuple[str, str], list[str]] = {}
    for name in names:
        for pair in pairs_of([name]):
            having.setdefault(pair, []).append(name)
    for token, row in zip(TOKENS, result["examples"], strict=True):
        for target, places in zip(TOKENS, row, strict=True):
            found = [result["names"][place] for place in places]
            assert found == having.get((token, target), [])[:3]
    assert [names[order] for order in result["orders"]] == result["names"]


test_what_is_no_seed_is_refused = refusals(
    count_table, {}, *(({"seed": s}, "seed") for s in (-1, 0.5, float("nan"), 1e30))
)
