"""Numbers are written as the author writes them, and bare ones are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from weave.page import read_page
from weave.prose.numbers import (
    bare_numbers,
    is_hard_coded,
    meant_by,
    miscounted,
    share,
    write_like,
)


@pytest.mark.parametrize(
    ("text", "value", "written"),
    [
        ("3,184", 3184, "3,184"),
        ("3,185", 3184, "3,184"),
        ("3184", 3184, "3,184"),
        ("6", 6.0, "6"),
        ("3.30", 3.2958, "3.30"),
        ("3.3", 3.2958, "3.3"),
        ("3.2", 3.2958, "3.3"),
        ("-0.5", -0.5, "-0.5"),
        ("−0.5", -0.5, "−0.5"),
        ("0.5", -0.5, "-0.5"),
        ("2.0e-9", 2.04e-9, "2.0e-9"),
        ("1e-9", 2.04e-9, "2e-9"),
        ("twenty-seven", 27, "twenty-seven"),
        ("Twenty", 27, "Twenty-seven"),
        ("one thousand", 1000, "one thousand"),
        ("?", 1234, "one thousand two hundred thirty-four"),
        ("?", 0.123456, "0.1235"),
        ("emma", "yuheng", "yuheng"),
        ("12,345", 999, "999"),
        ("`6.5`", 6.0, "`6.0`"),
        ("1,000,000", 1_000_000, "1,000,000"),
    ],
)
def test_a_value_takes_the_form_of_the_text(
    text: str, value: object, written: str
) -> None:
    assert write_like(text, value) == written


@pytest.mark.parametrize("value", [True, None, [1], float("nan"), float("inf")])
def test_what_is_no_number_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="gives"):
        write_like("1", value)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.26, "a quarter"), (0.0104, "a hundredth"), (0.7, "two thirds")],
)
def test_a_share_is_written_in_words(value: float, words: str) -> None:
    assert share(value) == words


@pytest.mark.parametrize("value", [0.0, 0.9, 2.0, -0.1])
def test_what_is_near_no_simple_share_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="no simple share"):
        share(value)


@pytest.mark.parametrize(("text", "value"), [("2", 2.49), ("0", 0.46), ("0.0", 1e-9)])
def test_digits_that_say_too_little_are_refused(text: str, value: float) -> None:
    with pytest.raises(ValueError, match="too little"):
        write_like(text, value)


@pytest.mark.parametrize(
    "expression",
    [
        *("3184", "27 * 16", "'emma'", "-(1)", "len('abc')", "(n := 42)"),
        *("x and 99", "9 if x else x", "[x, 42][1]", "x or 3"),
    ],
)
def test_an_expression_that_names_nothing_is_hard_coded(expression: str) -> None:
    assert is_hard_coded(expression)


@pytest.mark.parametrize(
    "expression",
    ["len(names)", "x", "c.data", "sum(n and m != 'a' for n, m in pairs)"],
)
def test_an_expression_that_names_something_is_not(expression: str) -> None:
    assert not is_hard_coded(expression)


def found_in(text: str) -> list[str]:
    page = read_page(Path("docs/page.md"), f"# Title\n\n{text}\n")
    return [number for _, number in bare_numbers(page)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("It has 3,184 parameters.", ["3,184"]),
        ("about 0.5 or 1.5", ["0.5", "1.5"]),
        ("a model of 42.", ["42"]),
        ("Twelve names, a thousand steps", ["Twelve", "thousand"]),
        ("| 27 | 16 |", ["27", "16"]),
        ('!!! keep "After 1000 steps"', ["1000"]),
        ("![a picture of 27 letters](x.png)", ["27"]),
        ("[the 27 letters](letters.md)", ["27"]),
        ("3 of 9 pages, one or two, 0 or 1", ["3", "9"]),
        ("It is 6. So are -2 and 4,", ["6", "2", "4"]),
        ("the four of Step 7, Steps 3, 4 and 5, or Step&nbsp;2–4", ["four"]),
        ("GPT-2, a2, 1.5.2 and [^3]", ["1.5.2"]),
        ("2. A list", []),
        ("9x, 3k, x4, 5th, 2D, top-6 and _7_, not GPT-2", [*"934526", "7"]),
        (
            "thrice, a tenfold, ５ and loss < 2.37 > 4",
            ["thrice", "tenfold", "2.37", "5", "4"],
        ),
        (
            "$\\approx 2.37$, $n = 99$, $9\\times$ and $x^2$",
            ["$\\approx 2.37$", "$n = 99$", "$9"],
        ),
        ("`loss 2.37`, `uv run x 9`, `--width 18` and `x + 19`", ["`loss 2.37`"]),
        ("at step 8, in Llama 2", ["8", "2"]),
        ("$\\text{takes 8 steps}$ and dozens", ["8", "dozens"]),
        ("Of nine, three ways:\n\n- a\n- b\n- c\n", ["nine"]),  # compares the other
        ("Of three kinds. Three ways:\n\n- a\n- b\n- c\n", ["three"]),
        ("Three ways:\n\n- a\n", ["Three"]),
        ("`x = 3184` and ``a `12` b``", []),
        ("$x^{27}$ and 27", ["27"]),
        ("$$\n\\sum_{i=1}^{27}\n$$", []),
        ('<data value="n">3,184</data> parameters', []),
        ('<span data-waive="the year of a paper">2017</span>', []),
        ('<span data-waive=" ">2017</span>', ['<span data-waive=" ">2017</span> (a']),
        ("<!-- 1234 -->", []),
        ("[link](https://example.org/2017/12)", []),
        ("GPT-2 and float64 and x86", []),
        ("## A heading with 27", ["27"]),
        ("## Three heads of 4, and two in Step 7", ["Three", "4"]),
        ("it takes _17_, 1\\.5, 1&#55; and **1**8", ["17", "1.5", "17", "18"]),
        ("about 1e5 of them", ["1e5"]),
        ("a note[^1]\n\n[^1]: It takes 17.", ["17"]),
        ("$17$ and $\\text{takes 18}$", ["$17$", "18"]),
        ("`17 nodes` and `(18)`, but `a + 19`", ["`17 nodes`", "`(18)`"]),
        ("costs $5 and $27", ["27", "5"]),
        (
            "A tenth, a third of it, under half the rate, by a half",
            ["A tenth", "a third", "under half", "a half"],
        ),
        (
            "one tenth, two-thirds, two fifths, over half, quadrupling",
            ["one tenth", "two-thirds", "two fifths", "over half", "quadrupling"],
        ),
        ("a third lower, nine-tenths", ["a third", "nine-tenths"]),
        ("a third one, a third-party tool, the second half of it, two halves", []),
        ('<data value="share(x)">a quarter</data> of them', []),
        ("it prints `6.0` or `3184`, and `0` at first", ["`6.0`", "`3184`"]),
        ('it prints <data value="x">`6.0`</data>', []),
    ],
)
def test_numbers_in_prose_are_found(text: str, numbers: list[str]) -> None:
    found = found_in(text)
    assert len(found) == len(numbers)
    assert all(f.startswith(n) for f, n in zip(found, numbers, strict=True))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("There are three ways on:\n\n- a\n  b\n- c\n\n- d", []),
        ("Many. Four of them:\n\n| a |\n| --- |\n| b |", ["Four stands above 1"]),
        ("Of nine, three ways:\n\n1. a\n2. b", ["nine or three stands above 2"]),
        ("With all three: see.\n\n- a\n", []),
        ("Two ways:\n\n- a\n", []),  # which often means something else
        ('All <data value="n">four</data>:\n\n- a\n', ["four stands above 1"]),
    ],
)
def test_a_sentence_counts_what_stands_below_it(text: str, said: list[str]) -> None:
    page = read_page(Path("docs/page.md"), f"# Title\n\n{text}\n")
    assert [message for _, message in miscounted(page)] == said


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("3,184", [3184]),
        ("1e-9", [1e-9]),
        ("Ten", [10]),
        ("about half", [1 / 2, 2]),
        ("one eighth", [1 / 8, 8]),
        ("two-thirds", [2 / 3]),
        ("thrice", []),
    ],
)
def test_a_program_may_have_a_number_as_its_words_say_it(
    text: str, numbers: list[float]
) -> None:
    assert list(meant_by(text)) == numbers
