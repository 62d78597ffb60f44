"""The page on the promises names each of them, with tests that are there."""

import re

from tests.promises.site import ROOT

ROW = re.compile(r"^\| .+ \| `(tests/\S+)` \|$", re.MULTILINE)


def test_each_file_of_promises_is_named_and_each_file_named_is_there() -> None:
    page = ROOT / "docs" / "reference" / "promises.md"
    named = ROW.findall(page.read_text(encoding="utf-8"))
    there = (file.relative_to(ROOT) for file in ROOT.glob("tests/promises/test_*.py"))
    assert {file.as_posix() for file in there} <= {*named}
    assert [name for name in named if not (ROOT / name).exists()] == []
