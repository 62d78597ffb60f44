"""Numbers on pages: formatting computed ones, and finding bare ones."""

import math
from pathlib import Path

import pytest

from tests.weave.conftest import Project, render_markdown_and_html
from weave.nontrivial_numbers import numeric_value
from weave.page import parse_page
from weave.prose.numbers import find_uncomputed_numbers, format_like
from weave.results import is_hard_coded


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("3,185", 3184, "3,184"),
        ("6", 6.0, "6"),
        ("3.3", 3.2958, "3.3"),
        ("3.2", 3.2958, "3.3"),
        ("−0.5", -0.5, "−0.5"),
        ("0.5", -0.5, "-0.5"),
        ("1e-9", 2.04e-9, "2e-9"),
        ("?", 1234, "1,234"),
        ("?", 0.123456, "0.1235"),
        ("emma", "yuheng", "yuheng"),
        ("12,345", 999, "999"),
        ("`6.5`", 6.0, "`6.0`"),
    ],
)
def test_value_is_formatted_like_the_number_it_replaces(
    text: str, value: float | str, expected: str
) -> None:
    assert format_like(text, value) == expected


@pytest.mark.parametrize(
    ("text", "value", "message"),
    [
        ("1", math.nan, "is nan, which is not finite"),
        ("1", math.inf, "is inf, which is not finite"),
        ("2", 2.49, "is 2.49, and 2 rounds it too coarsely: write more decimals"),
        ("0", 0.46, "rounds it too coarsely"),
        ("0.0", 1e-9, "rounds it too coarsely"),
    ],
)
def test_too_coarse_format_is_refused(text: str, value: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        format_like(text, value)


@pytest.mark.parametrize(
    "expression",
    ["27 * 16", "'emma'", "-(1)", "len('abc')", "(n := 42)", "[n for n in '9']"],
)
def test_expression_without_names_is_hard_coded(expression: str) -> None:
    assert is_hard_coded(expression) and not is_hard_coded(f"x + {expression}")


def test_numeric_value_returns_the_value_of_a_written_number() -> None:
    values = {"2**10": 1024, "10^3": 1000, ".5": 0.5, "12 thousand": 12}
    values |= {"9**9999": math.inf}
    assert {text: numeric_value(text) for text in values} == values


def list_bare_numbers(text: str) -> list[str]:
    page = parse_page(Path("docs/page.md"), f"# Title\n\n{text}\n")
    return [number for _, number in find_uncomputed_numbers(page)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It has 3,184 parameters.", ["3,184"]),
        ("twelve names, 27 letters, the 5th, a third of 99", []),
        ("| 827 | 1,016 |", ["827", "1,016"]),
        ("[the 270 letters](letters.md)", ["270"]),
        ("in 5 % or 27% of them, or 3 percent", ["5 %", "27%", "3 percent"]),
        ("It is 600. So are -200 and 400,", ["600", "200", "400"]),
        ("the 400 of Step 700, Steps 300, 400 and 500, or Step&nbsp;200–400", ["400"]),
        ("GPT-200, a200, Python 3.11 and [^3]", []),
        ("in 2017, or in 1958–1962, but 2,017 of them", ["2,017"]),
        ("900x, 300k, x400", ["900", "300"]),
        ("a loss < 2.37 > 400", ["2.37", "400"]),
        ("$\\approx 2.37$, $n = 99$, $900\\times$", ["$\\approx 2.37$", "$900"]),
        ("`loss 2.37`, `uv run x 900`, and `x + 190`", []),
        ("`x = 3184` and ``a `120` b``", []),
        ("it prints `6.0` or `3184`, and `0` at first", ["`6.0`", "`3184`"]),
        ("$$\n\\sum_{i=1}^{270}\n$$", []),
        ('<span data-waive=" ">345</span>', []),
        ("<!-- 1234 -->", []),
        ("[link](https://example.org/345/12)", []),
        ("it takes **170**, 1&#55;0", ["170", "170"]),
        ("a note[^1]\n\n[^1]: It takes 170.", ["170"]),
        ("costs $5 and $270", ["270"]),
        ("about .98, -.5 or +.25; | .98 | −.5 |", [".98", ".5", ".25", ".98", ".5"]),
        ("99 per cent, 5 ‰, 2 trillion", ["99", "5", "2"]),
        ("**99** %, *12* thousand", ["99", "12"]),
        ("$\\text{takes 800 steps}$", ["800"]),
        ("4K, 7B and 2k of 12 thousand", ["4K", "7B", "2k", "12 t"]),
        ("3 million", ["3 million"]),
        ("10⁶, 10^6, 1E5 and 2²", ["10⁶", "10^6", "1E5"]),
        ("2**10 of them, and x²⁰⁰", ["2**10"]),
        ("2 thousandths, 2*M*, 4 Kings, 2*b*/*s*", []),
        ("`-6.0`, `.98`, `4K`", ["`-6.0`", "`.98`", "`4K`"]),
        ("$.98$, $x = 10^6$, $5\\cdot10^{6}$ and $4B$", ["$.98", "$x", "$5"]),
    ],
)
def test_bare_numbers_in_prose_are_found(text: str, numbers: list[str]) -> None:
    errors = list_bare_numbers(text)
    assert len(errors) == len(numbers), errors
    assert all(f.startswith(n) for f, n in zip(errors, numbers, strict=True)), errors


def test_only_computed_numbers_in_prose_get_a_title(project: Project) -> None:
    """A `<` in a formula does not begin a tag."""
    number = '<data value="n">7</data>'
    block = f"```python\nn = '{number}'\n```\n"
    text = f"# A\n\nIt is {number}, written `{number}`.\n\n{block}"
    page = project.page(f"{text}\nWhere $a<b$ and `$a<b$`.\n")
    markdown, html = render_markdown_and_html(project.guide, page.path)
    with_title = '<data value="n" title="n">7</data>'
    assert f"It is {with_title}, written `{number}`." in markdown
    assert f"n = '{number}'" in markdown
    assert "Where  and `$a<b$`" in markdown and "a&lt;b" in html
