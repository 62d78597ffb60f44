"""The merges shown are byte-pair encoding, learnt from the names that ship."""

import re
from collections import Counter
from itertools import pairwise

import pytest

from microgpt import load_names
from tests.models import ROOT, refusals
from widgets.bpe.model import MERGES, Bpe, bpe, learnt

BEFORE = 27  # tokens, with BOS


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


def test_the_first_merge_is_the_most_frequent_pair_of_letters() -> None:
    pairs = Counter(pair for name in load_names() for pair in pairwise(name))
    assert learnt()[0] == pairs.most_common(1)[0]


def test_a_later_merge_counts_pairs_of_what_the_first_has_left() -> None:
    joined = [name.replace("an", "+") for name in load_names()]  # no + in a name
    pairs = Counter(pair for name in joined for pair in pairwise(name))
    assert learnt()[1] == pairs.most_common(1)[0]


def test_merges_are_learnt_once_each_from_the_most_frequent_down() -> None:
    counts = [times for _, times in learnt()]
    assert len(set(learnt())) == MERGES == len(counts)
    assert counts == sorted(counts, reverse=True)


def test_the_vocabulary_grows_by_one_with_each_merge() -> None:
    step = bpe("anandan")["steps"][1]
    assert step["says"] == "merge 1: a + n, 945 times in the names"
    assert step["counts"] == f"4 tokens, vocabulary {BEFORE + 1}"
    step = bpe("christopher")["steps"][1]
    assert step["says"].startswith("merge 7: e + r")
    assert step["counts"] == f"10 tokens, vocabulary {BEFORE + 7}"


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("christopher", "11 letters, 7 tokens"),
        ("emma", "4 letters, 2 tokens"),
        ("a", "1 letter, 1 token"),
        ("zyx", "3 letters, 3 tokens"),  # no merge fits
    ],
)
def test_the_outcome_counts_letters_and_tokens(name: str, outcome: str) -> None:
    assert bpe(name)["outcome"] == f"{outcome} after {MERGES} merges."


def test_the_merges_are_those_that_the_page_prints() -> None:
    page = (ROOT / "docs/efficiency/left-out.md").read_text(encoding="utf-8")
    printed = re.findall(r"^ ?(\d+) (\w+)\+(\w+) +(\d+) times", page, re.MULTILINE)
    assert int(printed[-1][0]) == MERGES
    for number, left, right, times in printed:
        assert learnt()[int(number) - 1] == ((left, right), int(times))


test_what_is_no_name_is_refused = refusals(
    bpe,
    {},
    ({"name": "zoë"}, "does not know the character 'ë'"),
    ({"name": "x" * 17}, "type at most 16 letters: this has 17"),
)
