"""The merges shown are byte-pair encoding, learnt from the names that ship."""

import re

from tests.models import ROOT
from widgets.bpe.model import MERGES, learnt


def test_merges_are_learnt_once_each_from_the_most_frequent_down() -> None:
    counts = [merge["times"] for merge in learnt()]
    pairs = {(merge["left"], merge["right"]) for merge in learnt()}
    assert len(pairs) == MERGES == len(counts)
    assert counts == sorted(counts, reverse=True)


def test_the_merges_are_those_that_the_page_prints() -> None:
    page = (ROOT / "docs/efficiency/left-out.md").read_text(encoding="utf-8")
    printed = re.findall(r"^ ?(\d+) (\w+)\+(\w+) +(\d+) times", page, re.MULTILINE)
    assert int(printed[-1][0]) == MERGES
    for number, left, right, times in printed:
        merge = learnt()[int(number) - 1]
        assert merge == {"left": left, "right": right, "times": int(times)}
