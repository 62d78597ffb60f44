"""The merges shown are byte-pair encoding, learnt from the names that ship."""

import re
from itertools import pairwise

import pytest

from tests.models import ROOT, refusals
from widgets.bpe.model import MERGES, Bpe, bpe, learnt


def texts(result: Bpe, row: int) -> list[str]:
    return [piece["text"] for piece in result["steps"][row]["pieces"]]


@pytest.mark.parametrize("name", ["christopher", "anandan", "maria", "a", "zyx"])
def test_each_row_spells_the_name_with_fewer_tokens_and_marks_those_made(
    name: str,
) -> None:
    result = bpe(name)
    steps = result["steps"]
    assert texts(result, 0) == list(name)
    assert len(steps) > 2 or name in ("a", "zyx")
    for row, (above, below) in enumerate(pairwise(steps), 1):
        assert "".join(texts(result, row)) == name
        made = [piece["text"] for piece in below["pieces"] if piece["made"]]
        gone = [piece["text"] for piece in above["pieces"] if piece["next"]]
        assert made and "".join(gone) == "".join(made)
        assert len(above["pieces"]) - len(below["pieces"]) == len(made)


def test_merges_are_learnt_once_each_from_the_most_frequent_down() -> None:
    counts = [times for _, times in learnt()]
    assert len(set(learnt())) == MERGES == len(counts)
    assert counts == sorted(counts, reverse=True)


def test_the_merges_are_those_that_the_page_prints() -> None:
    page = (ROOT / "docs/efficiency/left-out.md").read_text(encoding="utf-8")
    printed = re.findall(r"^ ?(\d+) (\w+)\+(\w+) +(\d+) times", page, re.MULTILINE)
    assert int(printed[-1][0]) == MERGES
    for number, left, right, times in printed:
        assert learnt()[int(number) - 1] == ((left, right), int(times))


test_what_is_no_name_is_refused = refusals(
    bpe, {}, ({"name": "x" * 17}, "type at most 16 letters: this has 17")
)
