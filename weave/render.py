"""Turning what an author types into what readers see, as Markdown with HTML in it."""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from weave.guide import link
from weave.kinds import fences
from weave.kinds.kind import View
from weave.kinds.listing import so_far
from weave.prose.links import NEXT
from weave.publish import notebooks
from weave.text import DATA, MATH, outside_code


class Renderer:
    """Renders the page of a view."""

    def __init__(self, view: View) -> None:
        self.view, self.guide, self.page = view, view.guide, view.page

    def render(self) -> list[str]:
        """Return the page's lines, with every fence and formula replaced."""
        by_line = {each.line: each for each in fences(self.page)}
        shown: list[str] = []
        parts = self.page.parts()
        titled = False
        for number, line in parts:
            if not isinstance(line, str):
                given = by_line[number].html(self.view)
                lines_of = [self.view.stash(given)] if isinstance(given, str) else given
                shown += ["", *self._all_shown(lines_of), ""]
            elif line.strip() == "$$":
                latex = self._until_dollars(number, parts)
                formula = self.view.formula(latex, number, display=True)
                shown += ["", self.view.stash(formula), ""]
            elif re.match(r"<!--(weave|pytest)", line):
                continue
            elif line.startswith("# ") and not titled:
                titled = True
                shown += [self._where(), "", line, "", so_far(self.view), ""]
            elif titled:  # what stands above the title is for builders, not for readers
                shown.append(self._next(self._shown(line)))
        # A paragraph at the very end would keep its <p> around HTML.
        return [*shown, ""]

    def _shown(self, line: str) -> str:
        """Let whoever points at a number see what computes it.

        In a formula, `<` could begin a tag for the builder.
        """
        line = outside_code(MATH, lambda m: m[0].replace("<", r"\lt "), line)
        explained = r'<data value="\1" title="\1">\2</data>'
        return outside_code(DATA, lambda m: m.expand(explained), line)

    def _all_shown(self, lines: list[str]) -> Iterator[str]:
        """Do so in what stands for a fence, but in none of its code."""
        in_code = False
        for line in lines:
            in_code ^= line.startswith("```")
            yield line if in_code else self._shown(line)

    def _until_dollars(self, start: int, parts: Iterator[tuple[int, Any]]) -> str:
        latex: list[str] = []
        for _, line in parts:
            if not isinstance(line, str):
                break
            if line.strip() == "$$":
                return "\n".join(latex)
            latex.append(line)
        raise self.page.error("this formula is never closed with $$", start)

    def _where(self) -> str:
        """Say above the title of which step the page is a part."""
        section = self.guide.section(self.page.path)
        if section is None or not notebooks.is_offered(self.guide, self.page.path):
            return ""
        what = "lab" if self.page.is_lab else "section"
        place = f"<span>{what} {section.number} of {section.count}</span>"
        name = notebooks.file_name(self.page.path)
        there = self.view.to(Path("docs", "assets", "notebooks", name))
        said = "Download this page as a notebook"
        link = f'<a href="{there}" download title="{said}">notebook</a>'
        where = f'<p class="where">{escape(section.step)} {place} {link}</p>'
        return self.view.stash(where)

    def _next(self, line: str) -> str:
        """Link the question that the next page answers."""
        if not line.startswith(NEXT) or not (after := self.guide.after(self.page.path)):
            return line
        # The builder resolves what stands in Markdown.
        there = link(self.page.path, after, finished=False)
        return f"{NEXT}[{line.removeprefix(NEXT)}]({there})"
