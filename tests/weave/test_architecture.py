"""The page for who changes the code names every file that answers for something."""

from __future__ import annotations

import re

from tests.weave.conftest import ROOT

PAGE = ROOT / "docs" / "reference" / "architecture.md"
ROW = re.compile(r"^\| `weave/(\w+)\.py` \| .+\? \|$", re.MULTILINE)
# What begins the others, and what all of them raise
ELSEWHERE = {"__init__", "__main__", "errors", "extension"}


def test_each_part_of_weave_has_its_question() -> None:
    named = ROW.findall(PAGE.read_text(encoding="utf-8"))
    there = {file.stem for file in (ROOT / "weave").glob("*.py")}
    assert len(set(named)) == len(named)
    assert set(named) == there - ELSEWHERE
