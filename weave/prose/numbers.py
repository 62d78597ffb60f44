"""Numbers in prose: those that code computes, and those that nothing computes.

What code computes and a change could move is written as
`<data value="EXPRESSION">text</data>`, and is compared. Measurements, decimals,
percentages, powers, `12 thousand` and numbers of three digits or more are refused without
it; small whole numbers, words, years and versions are prose.
"""

import html
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

from weave.corrections import Correction
from weave.errors import WeaveError
from weave.fences import parse_fences, prose_lines
from weave.markdown_text import (
    CODE_SPAN,
    COMPUTED_NUMBER,
    INLINE_FORMULA,
    WAIVED_NUMBER,
    extract_prose,
)
from weave.nontrivial_numbers import find_nontrivial_numbers
from weave.page import Page
from weave.results import RunResults

MAX_RELATIVE_ERROR = 0.1  # of a rounded number, as a share of its value
DECIMAL_NUMBER = re.compile(r"([-−]?)(\d[\d,]*)(?:\.(\d+))?")
SCIENTIFIC_NOTATION = re.compile(r"[-−]?\d(?:\.(\d+))?e[-+]?\d+")
# A waiver's reason that mentions code, which could compute the number
CODE_MENTION_IN_WAIVER = re.compile(r"\.py\b|\w\(|\b(?:code|block)\b")
TEXT_IN_FORMULA = re.compile(r"\\(?:text|mathrm|textrm|mbox)\{([^}]*)\}")
# A formula that is a number, or ends in one after `=`, `<`, `>` or `≈`
NUMBER_AT_FORMULA_END = re.compile(
    r"(?:^|=|<|>|\\(?:approx|sim|leq?|geq?))"
    r"([-−]?(?:[\d.][\d,.]*(?:e[-+]?\d+)?|(?:[\d.]+\\(?:times|cdot))?10\^\d+))"
    r"(?:\\?%|‰|\\times|\\text.*)?$"
)


@dataclass(frozen=True)
class ComputedNumber:
    """A number in prose, and the Python expression that computes it."""

    expression: str
    text: str  # what readers see
    line: int  # of the page, from 1
    start_column: int  # of the text, from 0
    end_column: int  # right after the text


def check_numbers(page: Page, results: RunResults) -> Iterator[WeaveError]:
    """Compare each number with its value, and find those that nothing computes."""
    for number in find_computed_numbers(page):
        value = results.values.get((number.line, number.expression))
        if page.is_lab:
            yield page.error(
                "the text of a lab cannot compute numbers: print this one in a cell",
                number.line,
            )
        elif value is not None:
            try:
                text = format_like(number.text, value)
            except ValueError as error:
                yield page.error(f"{number.expression} {error}", number.line)
                continue
            if text != number.text:
                yield Correction(
                    page.path,
                    (number.line, number.start_column),
                    (number.line, number.end_column),
                    text,
                    f"{number.expression} is {text}, not {number.text}",
                )
    for line, text in find_uncomputed_numbers(page):
        yield page.error(
            f"nothing computes the number {text!r}: write "
            '<data value="EXPRESSION">…</data>, or <span data-waive="THE SOURCE">…</span>',
            line,
        )
    yield from _check_waiver_reasons(page)


def find_computed_numbers(page: Page) -> list[ComputedNumber]:
    """Return the numbers of a page that have an expression, in order.

    One in a code span is an example of the notation, and left out.
    """
    numbers = []
    for line, _ in prose_lines(page):
        text = page.lines[line - 1]
        blanked = CODE_SPAN.sub(lambda match: " " * len(match[0]), text)
        for match in COMPUTED_NUMBER.finditer(text):
            if blanked[match.start()] == "<":
                expression, columns = html.unescape(match[1]), match.span(2)
                numbers.append(ComputedNumber(expression, match[2], line, *columns))
    return numbers


def format_like(example: str, value: float | str) -> str:
    """Format a value with the decimals, separators and sign of an example.

    Args:
        example: How the page writes the number, such as `1,234`, `0.50` or `3.1e-4`.
        value: The value to write; a text is returned as it is.

    Raises:
        ValueError: The value isn't finite, or the example's decimals would round it by
            more than `MAX_RELATIVE_ERROR`.
    """
    if example.startswith("`") and example.endswith("`"):
        return f"`{format_like(example.strip('`'), value)}`"
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        raise ValueError(f"is {value}, which is not finite")
    if match := DECIMAL_NUMBER.fullmatch(example):
        comma = "," if "," in example or abs(value) >= 1000 else ""
        text = f"{value:{comma}.{len(match[3] or '')}f}"
        error = abs(float(text.replace(",", "")) - value)
        if isinstance(value, float) and error > MAX_RELATIVE_ERROR * abs(value):
            raise ValueError(
                f"is {value:.3g}, and {text} rounds it too coarsely: write more decimals"
            )
    elif match := SCIENTIFIC_NOTATION.fullmatch(example):
        mantissa, _, exponent = f"{value:.{len(match[1] or '')}e}".partition("e")
        text = f"{mantissa}e{int(exponent)}"
    else:
        text = f"{value:,}" if isinstance(value, int) else f"{value:.4g}"
    return text.replace("-", "−") if "−" in example else text


def find_uncomputed_numbers(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of each number that has to be computed and isn't.

    Mathematics and code say what they compute; a formula or a code span that is only a
    number does not.
    """
    in_display_formula = False
    for line, text in prose_lines(page):
        if text.strip() == "$$":
            in_display_formula = not in_display_formula
            continue
        formulas = [text] if in_display_formula else INLINE_FORMULA.findall(text)
        texts = [formula for formula in formulas if _equals_nontrivial_number(formula)]
        for words in TEXT_IN_FORMULA.findall(" ".join(formulas)):
            texts += find_nontrivial_numbers(words)
        if not in_display_formula:
            texts += _uncomputed_numbers_in_line(text)
        yield from ((line, number) for number in texts)
    for fence in parse_fences(page):
        for line, text in fence.label_lines():
            yield from ((line, number) for number in find_nontrivial_numbers(text))


def _check_waiver_reasons(page: Page) -> Iterator[WeaveError]:
    """Yield errors for waivers without a reason, or with one that refers to code."""
    for line, text in prose_lines(page):
        for match in WAIVED_NUMBER.finditer(text):
            if not match[1].strip():
                yield page.error(
                    f"{match[0]} has no reason: write the number's source into data-waive",
                    line,
                )
            elif CODE_MENTION_IN_WAIVER.search(match[1]):
                yield page.error(
                    f"{match[0]} says that code has the number: compute it with "
                    '<data value="EXPRESSION">',
                    line,
                )


def _uncomputed_numbers_in_line(text: str) -> Iterator[str]:
    without_list_number = re.sub(r"^\s*\d+\. ", "", text)
    yield from find_nontrivial_numbers(extract_prose(without_list_number))
    unchecked = COMPUTED_NUMBER.sub(" ", WAIVED_NUMBER.sub(" ", text))
    for match in CODE_SPAN.finditer(unchecked):
        code = match[0].strip("` ")
        if [*find_nontrivial_numbers(code)] == [re.sub("^[-+−]", "", code)]:
            yield match[0]


def _equals_nontrivial_number(formula: str) -> bool:
    match = NUMBER_AT_FORMULA_END.search(re.sub(r"[${}\s]|\\[,;!]", "", formula))
    end = match and re.sub(r"\\[a-z]+", " ", match.string[match.start(1) :])
    return bool(end and any(find_nontrivial_numbers(end)))
