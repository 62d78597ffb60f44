"""The merges shown are byte-pair encoding, learnt from the names that ship."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

import pytest

from microgpt import load_names
from tests.promises.site import ROOT
from widgets.bpe.model import MERGES, Bpe, bpe, learnt

BEFORE = 27  # tokens, with BOS


def texts(result: Bpe, row: int) -> list[str]:
    return [piece["text"] for piece in result["steps"][row]["pieces"]]


@pytest.mark.parametrize("name", ["christopher", "anandan", "a", "zyx"])
def test_the_pieces_of_each_row_spell_the_name(name: str) -> None:
    result = bpe(name)
    assert texts(result, 0) == list(name)
    for row in range(len(result["steps"])):
        assert "".join(texts(result, row)) == name


@pytest.mark.parametrize("name", ["christopher", "anandan", "maria"])
def test_each_row_has_fewer_tokens_and_marks_those_that_were_made(name: str) -> None:
    steps = bpe(name)["steps"]
    assert len(steps) > 2
    for above, below in pairwise(steps):
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


def test_the_outcome_counts_letters_and_tokens() -> None:
    for name, tokens in (("christopher", 7), ("emma", 2), ("a", 1)):
        result = bpe(name)
        assert len(result["steps"][-1]["pieces"]) == tokens
        many = ["s" * (count != 1) for count in (len(name), tokens)]
        assert result["outcome"] == (
            f"{len(name)} letter{many[0]}, {tokens} token{many[1]}"
            f" after {MERGES} merges."
        )


def test_the_merges_are_those_that_the_page_prints() -> None:
    page = (ROOT / "docs/efficiency/left-out.md").read_text(encoding="utf-8")
    printed = re.findall(r"^ ?(\d+) (\w+)\+(\w+) +(\d+) times", page, re.MULTILINE)
    assert int(printed[-1][0]) == MERGES
    for number, left, right, times in printed:
        assert learnt()[int(number) - 1] == ((left, right), int(times))


def test_a_name_that_no_merge_fits_stays_as_it_is() -> None:
    result = bpe("zyx")
    assert len(result["steps"]) == 1
    assert result["outcome"] == "3 letters, 3 tokens after 60 merges."


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "type a name"),
        ("zoë", "does not know the character 'ë'"),
        ("x" * 17, "type at most 16 letters: this has 17"),
    ],
)
def test_what_is_no_name_is_refused(name: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        bpe(name)
