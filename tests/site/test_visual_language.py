"""The page on the visual language explains each colour."""

import re

from tests.processes import ROOT


def test_visual_language_page_explains_each_colour() -> None:
    page = (ROOT / "docs/reference/visual-language.md").read_text("utf-8")
    code = (ROOT / "web/parts/colors.ts").read_text("utf-8")
    (union,) = re.findall("type NumberKind = (.*);", code)
    kinds = sorted(re.findall(r'"(\w+)"', union))
    boxes = re.findall(r'\["(.+)"\]:::(\w+)', page)
    assert sorted(boxes) == [(kind, kind) for kind in kinds]
    assert sorted(re.findall(r"^\| \*\*(\w+)\*\* \|", page, re.MULTILINE)) == kinds
