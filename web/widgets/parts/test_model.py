"""Every part is shown on the page of parts, with numbers that are right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from widgets.parts.model import descend, parts, shares

WEB = Path(__file__).resolve().parents[2]
PARTS = sorted((WEB / "parts").glob("*.tsx"))
PAGE = WEB.parent / "docs" / "reference" / "parts.md"


@pytest.mark.parametrize("file", PARTS, ids=lambda file: file.stem)
def test_each_part_is_on_the_page(file: Path) -> None:
    view = Path(__file__).with_name("view.tsx").read_text("utf-8")
    shown = set(re.findall(r'\[\s*"(\w+)",\s*(?:<div.*\s*)?<\1\b', view))
    components = re.findall(
        r"^export function ([A-Z]\w*)", file.read_text("utf-8"), re.MULTILINE
    )
    assert components and set(components) <= shown
    assert f"| `web/parts/{file.name}` |" in PAGE.read_text("utf-8")


def test_a_name_is_spelled_in_numbers_from_minus_one_to_one() -> None:
    shown = parts("az", "a = 2; a * a", 0.1, 3)
    assert shown["letters"] == ["a", "z"]
    assert shown["values"] == [-1.0, 1.0]
    assert shown["products"] == [[1.0, -1.0], [-1.0, 1.0]]


def test_shares_are_of_all_letters() -> None:
    assert shares(["a", "a", "b", "c"], ["a", "b", "d"]) == [0.5, 0.25, 0.0]


def test_descent_follows_the_gradient() -> None:
    assert descend(0.25, 3) == ([1.0, 0.25, 0.0625], [2.0, 1.0, 0.5])


def test_what_would_not_end_well_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or less"):
        parts("emma", "a = 2; a", 3.0, 3)
