"""Turning what an author types into what readers see, as Markdown with HTML in it."""

import re
from collections.abc import Iterator
from html import escape
from typing import Any

from weave.guide import relative_link
from weave.kinds import fences
from weave.kinds.kind import View
from weave.markdown_text import COMPUTED_NUMBER, INLINE_FORMULA, replace_outside_code
from weave.prose.links import NEXT

FORMULA = re.compile(rf"(?P<formula>{INLINE_FORMULA.pattern})(?P<after>[.,;:)]?)")


def render_page(view: View) -> Iterator[str]:
    """Yield the lines of a page, with every fence and formula replaced."""
    kinds = {each.line: each for each in fences(view.page)}
    parts = view.page.lines_and_fences()
    titled = False
    for number, line in parts:
        if not isinstance(line, str):
            given = kinds[number].html(view)
            shown = [view.stash(given)] if isinstance(given, str) else given
            yield from ("", *_render_fence_lines(view, shown), "")
        elif line.strip() == "$$":
            formula = view.formula(
                _read_display_formula(view, number, parts), number, True
            )
            yield from ("", view.stash(formula), "")
        elif re.match(r"<!--(weave|pytest)", line):
            continue
        elif line.startswith("# ") and not titled:
            titled = True
            yield from (_section_label(view), "", _render_inline(view, line), "")
        elif titled:  # what stands above the title is for builders, not for readers
            yield _link_next_page(view, _render_inline(view, line))
    yield ""  # a paragraph at the very end would keep its <p> around HTML


def _render_inline(view: View, line: str) -> str:
    """Typeset formulas, and let whoever points at a number see what computes it."""

    def formula(found: re.Match[str]) -> str:
        math = view.formula(found["formula"][1:-1])
        if after := found["after"]:  # no line begins with that
            math = f'<span class="unbroken">{math}{after}</span>'
        return view.stash(math)

    line = replace_outside_code(FORMULA, formula, line)
    explained = r'<data value="\1" title="\1">\2</data>'
    return replace_outside_code(COMPUTED_NUMBER, lambda m: m.expand(explained), line)


def _render_fence_lines(view: View, lines: list[str]) -> Iterator[str]:
    """Do so in what stands for a fence, but in none of its code."""
    in_code = False
    for line in lines:
        in_code ^= line.startswith("```")
        yield line if in_code else _render_inline(view, line)


def _read_display_formula(
    view: View, start: int, parts: Iterator[tuple[int, Any]]
) -> str:
    latex: list[str] = []
    for _, line in parts:
        if not isinstance(line, str):
            break
        if line.strip() == "$$":
            return "\n".join(latex)
        latex.append(line)
    raise view.page.error("this formula is never closed with $$", start)


def _section_label(view: View) -> str:
    """Say above the title of a chapter or a lab of which step it is a part."""
    section = view.guide.navigation_entry(view.page.path)
    if section is None or not section.step_title.startswith(("Step", "Labs")):
        return ""
    what = "lab" if view.page.is_lab else "section"
    place = f"<span>{what} {section.number} of {section.count}</span>"
    return view.stash(f'<p class="where">{escape(section.step_title)} {place}</p>')


def _link_next_page(view: View, line: str) -> str:
    """Link the question that the next page answers, as builders resolve it."""
    if not line.startswith(NEXT) or not (
        after := view.guide.next_page_path(view.page.path)
    ):
        return line
    there = relative_link(view.page.path, after, between_urls=False)
    return f"{NEXT}[{line.removeprefix(NEXT)}]({there})"
