"""Numbers in prose: those that code computes, and those that nothing does.

What code computes and a change could move stands in the page as
`<data value="EXPRESSION">text</data>`, and is compared. Measurements, decimals,
percentages, powers, `12 thousand` and numbers of three digits or more are refused without
it; small whole numbers, words, years and versions are prose.
"""

import html
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weave.corrections import Correction, Finding
from weave.fences import parse_fences, prose_lines
from weave.guide import Guide
from weave.markdown_text import (
    CODE_SPAN,
    COMPUTED_NUMBER,
    INLINE_FORMULA,
    WAIVED_NUMBER,
    remove_non_prose,
)
from weave.number_claims import find_number_claims
from weave.page import Page
from weave.results import RunResults, StatedExpression

ROUGH = 0.1  # a number is not further from its value, as a share of that
PLAIN = re.compile(r"([-−]?)(\d[\d,]*)(?:\.(\d+))?")
SCIENTIFIC = re.compile(r"[-−]?\d(?:\.(\d+))?e[-+]?\d+")
# What the reason of a waiver says of code, which an expression could ask
OF_CODE = re.compile(r"\.py\b|\w\(|\b(?:code|block)\b")
SAID = re.compile(r"\\(?:text|mathrm|textrm|mbox)\{([^}]*)\}")  # words in a formula
# A formula that is nothing but a number, or comes to one
STATES = re.compile(
    r"(?:^|=|<|>|\\(?:approx|sim|leq?|geq?))"
    r"([-−]?(?:[\d.][\d,.]*(?:e[-+]?\d+)?|(?:[\d.]+\\(?:times|cdot))?10\^\d+))"
    r"(?:\\?%|‰|\\times|\\text.*)?$"
)


@dataclass(frozen=True)
class Number:
    """A number in prose, the expression that computes it, and its place."""

    expression: str
    text: str
    line: int
    start: int
    end: int


def questions(page: Page) -> Iterator[StatedExpression]:
    """Yield the expression of each number."""
    for number in numbers(page):
        yield StatedExpression(number.expression, number.line, plain)


def check(guide: Guide, page: Page, results: RunResults) -> Iterator[Finding]:
    """Compare each number with its value, and find those that have none."""
    for number in numbers(page):
        value = results.values.get((number.line, number.expression))
        if page.is_lab:
            message = "a lab prints its numbers: its text cannot compute them"
            yield page.error(message, number.line)
        elif value is not None:
            yield from _compare(page, number, value)
    for line, text in bare_numbers(page):
        what = f"{text!r} is a number that nothing computes: write "
        how = '<data value="EXPRESSION">…</data>, or <span data-waive="the source">'
        yield page.error(f"{what}{how}", line)


def _compare(page: Page, number: Number, value: Any) -> Iterator[Finding]:
    try:
        true = write_like(number.text, value)
    except ValueError as error:
        yield page.error(f"{number.expression} {error}", number.line)
        return
    if true != number.text:
        message = f"{number.expression} is {true}, not {number.text}"
        start, end = (number.line, number.start), (number.line, number.end)
        yield Correction(page.path, start, end, true, message)


def numbers(page: Page) -> list[Number]:
    """Return the numbers of a page, in order; one in a code span is an example."""
    found = []
    for line, _ in prose_lines(page):
        text = page.lines[line - 1]
        bare = CODE_SPAN.sub(lambda match: " " * len(match[0]), text)
        for match in COMPUTED_NUMBER.finditer(text):
            if bare[match.start()] == "<":
                expression = html.unescape(match[1])
                found.append(Number(expression, match[2], line, *match.span(2)))
    return found


def plain(value: Any, expression: str, scope: dict[str, Any]) -> int | float | str:
    """Return a value that prose can state; raise TypeError for others."""
    if not isinstance(value, int | float | str):
        raise TypeError(f"gives {value!r}, which is neither a number nor a string")
    return value


def write_like(text: str, value: float | str) -> str:
    """Write a value in the form of `text`: with as many decimals, with its separators.

    Strings are written as they are. Raise ValueError where so few digits mislead.
    """
    if text.startswith("`") and text.endswith("`"):
        return f"`{write_like(text.strip('`'), value)}`"
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        raise ValueError(f"gives {value}, which no text can show")
    if match := PLAIN.fullmatch(text):
        comma = "," if "," in text or abs(value) >= 1000 else ""
        written = f"{value:{comma}.{len(match[3] or '')}f}"
        off = abs(float(written.replace(",", "")) - value)
        if isinstance(value, float) and off > ROUGH * abs(value):
            raise ValueError(f"is {value:.3g}: {written} says too little")
    elif match := SCIENTIFIC.fullmatch(text):
        mantissa, _, exponent = f"{value:.{len(match[1] or '')}e}".partition("e")
        written = f"{mantissa}e{int(exponent)}"
    else:
        written = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return written.replace("-", "−") if "−" in text else written


def bare_numbers(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of each number that has to be computed and isn't.

    Mathematics and code say what they compute; a formula or a code span that is nothing
    but a number does not.
    """
    in_math = False
    for line, text in prose_lines(page):
        if text.strip() == "$$":
            in_math = not in_math
            continue
        formulas = [text] if in_math else INLINE_FORMULA.findall(text)
        for each in formulas:
            if _states_a_number(each):
                yield line, each
            for words in SAID.findall(each):
                yield from ((line, number) for number in find_number_claims(words))
        if not in_math:
            yield from ((line, each) for each in _bare(text))
    for fence in parse_fences(page):
        for line, text in fence.label_lines():
            yield from ((line, number) for number in find_number_claims(text))


def _bare(text: str) -> Iterator[str]:
    for match in WAIVED_NUMBER.finditer(text):
        if not match[1].strip():
            yield f"{match[0]} (a waiver needs a reason)"
        elif OF_CODE.search(match[1]):
            yield f"{match[0]} (what code has can be computed)"
    yield from find_number_claims(remove_non_prose(re.sub(r"^\s*\d+\. ", "", text)))
    for match in CODE_SPAN.finditer(
        COMPUTED_NUMBER.sub(" ", WAIVED_NUMBER.sub(" ", text))
    ):
        code = match[0].strip("` ")
        if [*find_number_claims(code)] == [re.sub("^[-+−]", "", code)]:
            yield match[0]


def _states_a_number(formula: str) -> bool:
    stated = STATES.search(re.sub(r"[${}\s]|\\[,;!]", "", formula))
    said = stated and re.sub(r"\\[a-z]+", " ", stated.string[stated.start(1) :])
    return bool(said and any(find_number_claims(said)))
