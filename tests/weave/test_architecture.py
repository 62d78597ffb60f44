"""The contributors' page lists every file of weave and its purpose."""

import re

from tests.weave.conftest import ROOT

PAGE = ROOT / "docs" / "reference" / "architecture.md"
ROW = re.compile(r"^\| `(weave/\S+\.py)` \| .+\? \|$", re.MULTILINE)
# What begins the others, and what all of them raise
ELSEWHERE = {"__init__", "__main__", "errors", "extension"}


def test_each_part_of_weave_has_its_question() -> None:
    """But for kinds and checks of prose, whose files have the names of what they are."""
    named = ROW.findall(PAGE.read_text(encoding="utf-8"))
    files = [*ROOT.glob("weave/*.py"), *ROOT.glob("weave/publish/*.py")]
    there = {f.relative_to(ROOT).as_posix() for f in files if f.stem not in ELSEWHERE}
    assert len(set(named)) == len(named)
    assert set(named) == there
