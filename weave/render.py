"""Rendering a page: its Markdown with every fence and formula replaced by HTML."""

import re
from collections.abc import Iterator
from html import escape

from weave.fences import parse_fences
from weave.fences.base import RenderContext
from weave.guide import relative_link
from weave.markdown_text import COMPUTED_NUMBER, INLINE_FORMULA, replace_outside_code
from weave.page import Fence, Page
from weave.prose.links import NEXT_PREFIX

FORMULA_AND_PUNCTUATION = re.compile(rf"({INLINE_FORMULA.pattern})([.,;:)]?)")


def render_to_markdown_lines(context: RenderContext) -> Iterator[str]:
    """Yield the lines of Markdown that a builder turns into the HTML of a page.

    A fence or formula becomes what `context.stash_html` returns for its HTML.
    """
    fences = {each.line: each for each in parse_fences(context.page)}
    parts = context.page.lines_and_fences()
    is_below_title = False
    for line_number, part in parts:
        if not isinstance(part, str):
            html = fences[line_number].render(context)
            lines = [context.stash_html(html)] if isinstance(html, str) else html
            yield from ("", *_render_markdown_of_fence(context, lines, line_number), "")
        elif part.strip() == "$$":
            latex = "\n".join(_formula_lines(context.page, line_number, parts))
            html = context.render_formula(latex, line_number, is_display=True)
            yield from ("", context.stash_html(html), "")
        elif re.match(r"<!--(weave|pytest)", part):
            continue
        elif part.startswith("# ") and not is_below_title:
            is_below_title = True
            title = _render_inline(context, part, line_number)
            yield from (_render_section_label(context), "", title, "")
        elif is_below_title:  # above it are settings for builders
            line = _render_inline(context, part, line_number)
            is_next = part.startswith(NEXT_PREFIX)
            yield _link_next_page(context, line) if is_next else line
    yield ""  # a paragraph at the very end would keep its <p> around HTML


def _render_inline(context: RenderContext, line: str, line_number: int) -> str:
    """Typeset formulas, and give computed numbers a tooltip with their expression."""

    def typeset(match: re.Match[str]) -> str:
        math = context.render_formula(match[1][1:-1], line_number)
        if after := match[2]:  # a line break between them would look wrong
            math = f'<span class="no-break">{math}{after}</span>'
        return context.stash_html(math)

    line = replace_outside_code(FORMULA_AND_PUNCTUATION, typeset, line)
    with_tooltip = r'<data value="\1" title="\1">\2</data>'
    return replace_outside_code(COMPUTED_NUMBER, lambda m: m.expand(with_tooltip), line)


def _render_markdown_of_fence(
    context: RenderContext, lines: list[str], line_number: int
) -> Iterator[str]:
    """Render formulas and computed numbers in a fence's Markdown, but not in code."""
    in_code = False
    for line in lines:
        in_code ^= line.startswith("```")
        yield line if in_code else _render_inline(context, line, line_number)


def _formula_lines(
    page: Page, start: int, parts: Iterator[tuple[int, str | Fence]]
) -> Iterator[str]:
    """Yield the lines of a formula that began on a line, and consume its closing `$$`."""
    for _, line in parts:
        if not isinstance(line, str):
            break
        if line.strip() == "$$":
            return
        yield line
    raise page.error("this formula is never closed: end it with $$", start)


def _render_section_label(context: RenderContext) -> str:
    """Return the label above the title: the page's step, and its number in the step."""
    entry = context.guide.navigation_entry(context.page.path)
    if entry is None or not entry.step_title.startswith(("Step", "Labs")):
        return ""
    noun = "lab" if context.page.is_lab else "section"
    position = f"<span>{noun} {entry.number} of {entry.count}</span>"
    label = f"{escape(entry.step_title)} {position}"
    return context.stash_html(f'<p class="page-position">{label}</p>')


def _link_next_page(context: RenderContext, line: str) -> str:
    """Turn the question after `Next: ` into a link to the next page, if there is one."""
    next_page = context.guide.next_page_path(context.page.path)
    if next_page is None:
        return line
    address = relative_link(context.page.path, next_page, between_urls=False)
    return f"{NEXT_PREFIX}[{line.removeprefix(NEXT_PREFIX)}]({address})"
