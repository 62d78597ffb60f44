"""What a browser would show and no check would read, or read otherwise."""

import re
from collections.abc import Iterator

from weave.corrections import Finding
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
from weave.results import RunResults

ADDRESS = re.compile(r"<https?://[^<>\s]+>")
# A number that is computed or waived, and more of it that is not
TOUCHING = re.compile(
    r"[\w.^−-]<(?:data|span) |</(?:data|span)>(?:[\w²³¹⁰-⁹]|[.,]\d)|\d\[|\]\([^)]*\)\d"
)
# What may stand above the title
ABOVE = re.compile(r"---|search:|\s+boost: \d.*|hide:|\s+- (navigation|toc)|")
WAIVED_WORDS = 3
BELOW_HEAD = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*")
BAR = re.compile(r"(?<!\\)\|")  # between two cells


def check(guide: Guide, page: Page, results: RunResults) -> Iterator[Finding]:
    """Find HTML, merges that were left, and other spellings than ours."""
    for line, text in prose_lines(page):
        if message := _mistake(text):
            yield page.error(message, line)
    for line, message in _rows(page):
        yield page.error(message, line)
    for place, text in enumerate(page.lines[: page.front_matter_length], 1):
        if not ABOVE.fullmatch(text):
            what = (
                "above the title stands how the search ranks a page, or what it hides"
            )
            yield page.error(what, place)


def _rows(page: Page) -> Iterator[tuple[int, str]]:
    """Find rows of tables that don't have the cells of their head."""
    columns, above = 0, (0, "")
    for line, text in page.prose_lines():
        rows = [(line, text)] if columns and text.strip() else []
        if BELOW_HEAD.fullmatch(text) and above[1].strip():
            columns, rows = _cells(text), [above]
        elif not text.strip():
            columns = 0
        for place, row in rows:
            if (cells := _cells(row)) != columns:
                what = f"this row has {cells} of the {columns} cells of its table"
                if cells > columns and "$" in row:
                    what += ": within a formula, write \\mid or \\vert for |"
                yield place, what
        above = line, text


def _cells(row: str) -> int:
    """Count the cells of a row; a bar in a code span divides nothing."""
    bare = CODE_SPAN.sub("code", row).strip().removeprefix("|").removesuffix("|")
    return len(BAR.findall(bare)) + 1


def _mistake(line: str) -> str:
    if re.match(r"(<{7}|>{7}|={7})( |$)", line):
        return "a merge has left both versions here: choose one"
    if re.match(r"\s*>>> ", line):
        return "'>>>' begins Python that nothing runs: write it in a fence"
    bare = CODE_SPAN.sub(" ", line)
    for known in (COMPUTED_NUMBER, WAIVED_NUMBER, COMMENT, ADDRESS, INLINE_FORMULA):
        bare = known.sub(" ", bare)
    if re.search(r"</?data\b", bare):
        return 'write a number as <data value="EXPRESSION">text</data> on one line'
    if found := re.search(r"<[a-zA-Z/!?][^>]*>?", bare):
        return f"{found[0]!r} is HTML, which nothing checks: write Markdown"
    if found := TOUCHING.search(line):
        return f"{found[0]!r} joins a number to what stands beside it: part them"
    if re.search(r'\]\([^)]*"|^\[(?!\^)[^\]]+\]:', bare):
        return "write a link as [text](page.md), without a title"
    if any(len(w[2].split()) > WAIVED_WORDS for w in WAIVED_NUMBER.finditer(line)):
        return "waive the number alone, not the words around it"
    if "`" in bare or r"\`" in line:
        return "a code span begins and ends on one line, unescaped"
    if "$$" in bare and line.strip() != "$$":
        return "$$ stands on a line of its own"
    return ""
