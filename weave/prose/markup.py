"""Markup that browsers show but that checks do not read, or read differently."""

import re
from collections.abc import Iterator

from weave.errors import WeaveError
from weave.fences import prose_lines
from weave.guide import Guide
from weave.markdown_text import (
    CODE_SPAN,
    COMMENT,
    COMPUTED_NUMBER,
    INLINE_FORMULA,
    WAIVED_NUMBER,
)
from weave.page import Page

AUTOLINK = re.compile(r"<https?://[^<>\s]+>")
# A number that is computed or waived, or a link, right beside digits or letters
NUMBER_JOINED_TO_TEXT = re.compile(
    r"[\w.^−-]<(?:data|span) |</(?:data|span)>(?:[\w²³¹⁰-⁹]|[.,]\d)|\d\[|\]\([^)]*\)\d"
)
ALLOWED_FRONT_MATTER_LINE = re.compile(
    r"---|search:|\s+boost: \d.*|hide:|\s+- (navigation|toc)|"
)
MAX_WAIVED_WORDS = 3
TABLE_DELIMITER_ROW = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")


def check_markup(guide: Guide, page: Page) -> Iterator[WeaveError]:
    """Yield errors for HTML, conflict marks, uneven tables, and unchecked spellings."""
    for line, text in prose_lines(page):
        if message := _find_mistake_and_remedy(text):
            yield page.error(message, line)
    yield from _check_tables(page)
    yield from _check_list_numbers(page)
    for line, text in enumerate(page.lines[: page.front_matter_line_count], 1):
        if not ALLOWED_FRONT_MATTER_LINE.fullmatch(text):
            yield page.error(
                "expected only 'search:' with 'boost' and 'hide:' in the front matter, "
                f"got {text!r}",
                line,
            )


def _check_tables(page: Page) -> Iterator[WeaveError]:
    """Yield an error for each row with more or fewer cells than its head."""
    columns, previous = 0, (0, "")
    for line, text in page.prose_lines():
        rows = [(line, text)] if columns and text.strip() else []
        if TABLE_DELIMITER_ROW.fullmatch(text) and previous[1].strip():
            columns, rows = _count_cells(text), [previous]
        elif not text.strip():
            columns = 0
        for row_line, row in rows:
            if (cells := _count_cells(row)) != columns:
                hint = ": within a formula, write \\mid or \\vert for |"
                hint = hint if cells > columns and "$" in row else ""
                yield page.error(
                    f"expected {columns} cells in this row, got {cells}{hint}", row_line
                )
        previous = line, text


def _check_list_numbers(page: Page) -> Iterator[WeaveError]:
    """Yield an error for a line that begins with, say, `18. `: it is shown as `1. `."""
    in_list = False
    for line, text in page.prose_lines():
        if match := re.match(r"\s*(\d+)\. ", text):
            in_list = in_list or match[1] == "1"
            if not in_list:
                yield page.error(
                    f"'{match[1]}.' begins a list and is shown as '1.': put a word first",
                    line,
                )
        elif text.strip() and not text.startswith(" "):
            in_list = False


def _count_cells(row: str) -> int:
    """Count the cells of a row; a bar in a code span separates nothing."""
    row_text = CODE_SPAN.sub("code", row).strip().removeprefix("|").removesuffix("|")
    return len(re.findall(r"(?<!\\)\|", row_text)) + 1


def _find_mistake_and_remedy(line: str) -> str:
    """Return what is wrong with a line of Markdown and what to do, or ""."""
    if re.match(r"(<{7}|>{7}|={7})( |$)", line):
        return "a merge left this conflict mark: keep one version, and delete the mark"
    if re.match(r"\s*>>> ", line):
        return "'>>>' begins Python that nothing runs: write a ```python fence"
    remainder = CODE_SPAN.sub(" ", line)
    for pattern in (COMPUTED_NUMBER, WAIVED_NUMBER, COMMENT, AUTOLINK, INLINE_FORMULA):
        remainder = pattern.sub(" ", remainder)
    if re.search(r"</?data\b", remainder):
        return (
            'expected <data value="EXPRESSION">text</data> on one line: write both tags '
            "there, with the quotes"
        )
    if match := re.search(r"<[a-zA-Z/!?][^>]*>?", remainder):
        return f"{match[0]!r} is HTML, which nothing checks: write Markdown"
    if match := NUMBER_JOINED_TO_TEXT.search(line):
        return (
            f"{match[0]!r} joins a number to the text beside it: put a space between "
            "them, or all digits inside"
        )
    if re.search(r'\]\([^)]*"|^\[(?!\^)[^\]]+\]:', remainder):
        return "expected a link as [text](page.md): leave out titles and references"
    for waiver in WAIVED_NUMBER.finditer(line):
        if (words := len(waiver[2].split())) > MAX_WAIVED_WORDS:
            return (
                f"expected at most {MAX_WAIVED_WORDS} words in a waiver, got {words}: "
                "waive the number alone"
            )
    if "`" in remainder or r"\`" in line:
        return "this code span has no end: begin and end it with ` on one line"
    if "$$" in remainder and line.strip() != "$$":
        return "expected $$ on a line of its own: break the line before and after it"
    return ""
