"""What is found among the names is what reading the file line by line finds."""

import re
from pathlib import Path
from typing import Any

import pytest

import microgpt
from tests.models import refusals
from widgets.dataset.model import dataset

LINES = Path(microgpt.__file__).with_name("names.txt").read_text().split()
PATTERNS = {"anywhere": "{}", "start": "^{}", "end": "{}$"}


def matching(piece: str, where: str) -> list[str]:
    pattern = PATTERNS[where].format(re.escape(piece))
    return [name for name in LINES if re.search(pattern, name)]


@pytest.mark.parametrize("where", PATTERNS)
@pytest.mark.parametrize("piece", ["ana", "a", "q", "mukandayisenga", "xq", ""])
def test_the_names_found_are_those_that_a_pattern_matches(
    piece: str, where: Any
) -> None:
    result, expected = dataset(piece, where), matching(piece, where)
    assert result["found"] == len(expected)
    for length in result["lengths"]:
        n = length["letters"]
        found = [name for name in expected if len(name) == n]
        all_names = [name for name in LINES if len(name) == n]
        assert (length["found"], length["all"]) == (len(found), len(all_names))
        part = len(found) / len(expected) if expected else 0
        assert length["share"] == pytest.approx(part, abs=1e-4)
        of_all = len(all_names) / len(LINES)
        assert length["share_of_all"] == pytest.approx(of_all, abs=1e-4)
    assert sum(length["all"] for length in result["lengths"]) == len(LINES)
    assert len(result["examples"]) == min(12, len(expected))
    assert result["examples"] == sorted({*result["examples"]} & {*expected})


test_a_place_that_a_piece_cannot_have_is_refused = refusals(
    dataset,
    {"piece": "a"},
    ({"where": "middle"}, "anywhere, at the start or at the end"),
)
