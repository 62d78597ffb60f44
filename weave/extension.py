"""The Python-Markdown extension that builders load as `weave`."""

import re
from collections.abc import Callable
from copy import copy
from functools import cache
from pathlib import Path
from re import Match
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from weave.errors import WeaveError
from weave.guide import Guide, link
from weave.kinds.kind import View
from weave.prose.glossary import GLOSSARY, glossary_of
from weave.render import render
from weave.text import MATH

SHORT = 20  # letters of code that stay on one line


class WeaveExtension(Extension):
    """Renders what only this guide's pages have: listings, cells, graphs, formulas.

    MkDocs' hooks give the guide and the path of the page that is about to be rendered.
    Without them the builder is Zensical, which has no hooks: it says itself which page.
    """

    def __init__(self, guide: Guide | None = None, page: Path = Path()) -> None:
        super().__init__()
        self.guide, self.page = guide, page

    def extendMarkdown(self, md: Markdown) -> None:
        """Register all processors."""
        weave = WeavePreprocessor(md, self.guide, self.page)
        # After line ends are made equal (30), before superfences reads fences (25).
        md.preprocessors.register(weave, "weave", 28)
        # After code spans (190), before backslashes are read as escapes (180).
        md.inlinePatterns.register(FormulaProcessor(weave), "weave-formula", 185)
        # After bold, links and the rest are elements (20), before links are resolved (0).
        finished = Finished(md, _divide_code, _frame_tables, weave.mark_terms)
        md.treeprocessors.register(finished, "weave", 14)
        # After the table of contents (5)
        md.treeprocessors.register(Finished(md, _hide_signs), "weave-headings", 4)


class WeavePreprocessor(Preprocessor):
    """Replaces fences by what they stand for."""

    def __init__(self, md: Markdown, guide: Guide | None, path: Path) -> None:
        super().__init__(md)
        self.guide, self.path = guide, path
        self.view: View | None = None

    def run(self, lines: list[str]) -> list[str]:
        """Render a page, whose lines the guide has read.

        MkDocs resolves the links of Markdown and leaves HTML alone; Zensical resolves
        them all, once the page is HTML.
        """
        stash = self.md.htmlStash.store
        if self.guide:
            self.view = View(self.guide, self.guide.read(self.path), stash)
        else:
            from zensical.extensions.context import ContextPreprocessor

            context = ContextPreprocessor.from_markdown(self.md)
            if context is None:
                raise WeaveError("pages are built by MkDocs or Zensical")
            guide = zensical_guide()
            page = guide.read(Path("docs", context.page.path))
            self.view = View(guide, page, stash, finished=False)
        return list(render(self.view))

    def mark_terms(self, root: Element) -> None:
        """Link the first use of each term to the glossary, whose terms get their ids."""
        if self.view is None:
            return
        page, glossary = self.view.page, glossary_of(self.view.guide)
        there = link(page.path, GLOSSARY, finished=False)  # resolved by the builder
        glossary.mark(root, page, lambda term: f"{there}#{term.anchor}")
        if page.path == GLOSSARY:
            for term, name in zip(glossary.terms, root.iter("dt"), strict=True):
                name.set("id", term.anchor)


@cache
def zensical_guide() -> Guide:
    """Return the guide that Zensical builds, as it stood when the build began."""
    return Guide(Path(__file__).resolve().parents[1])


class FormulaProcessor(InlineProcessor):
    """Typesets `$…$`."""

    def __init__(self, preprocessor: WeavePreprocessor) -> None:
        super().__init__(MATH.pattern, preprocessor.md)
        self.preprocessor = preprocessor

    def handleMatch(  # type: ignore[override]
        self, m: Match[str], data: str
    ) -> tuple[str | None, int | None, int | None]:
        """Return MathML in the place of a formula."""
        if (view := self.preprocessor.view) is None:
            return None, None, None
        formula, end = view.formula(m[0][1:-1]), m.end()
        if data[end : end + 1] in {*".,;:)"}:  # no line begins with that
            formula = f'<span class="unbroken">{formula}{data[end]}</span>'
            end += 1
        return view.stash(formula), m.start(), end


class Finished(Treeprocessor):
    """Changes the elements of a page, one way after the other."""

    def __init__(self, md: Markdown, *ways: Callable[[Element], None]) -> None:
        super().__init__(md)
        self.ways = ways

    def run(self, root: Element) -> None:
        """Change a page in all these ways."""
        for way in self.ways:
            way(root)


def _frame_tables(root: Element) -> None:
    """Frame each table, as `framed` does: so keys can scroll what is wider than a phone."""
    for parent in list(root.iter()):
        for place, table in enumerate(parent):
            if table.tag == "table":
                table.set("class", "plain")
                frame = {"class": "canvas tabled", "tabindex": "0"}
                parent[place] = Element("div", frame)
                parent[place].append(table)


def _hide_signs(root: Element) -> None:
    """Hide the sign that links a heading to itself from all but pointers.

    Keys and screen readers find the same links in the table of contents.
    """
    for sign in root.iter("a"):
        if sign.get("class") == "headerlink":
            sign.attrib |= {"aria-hidden": "true", "tabindex": "-1"}


def _divide_code(root: Element) -> None:
    """Say where a line may end within code: not at a dash, as `--save-every` has them.

    Nor in what is short, such as `a - b`. In a table a line may end there, and after a
    slash as well, because the narrowest column has room for a path.
    """
    narrow = {code for table in root.iter("table") for code in table.iter("code")}
    for code in root.iter("code"):
        if code not in narrow and len(code.text or "") <= SHORT:
            code.set("class", "unbroken")
        else:
            _divide(code, r"(\S*-\S+)", Element("span", {"class": "unbroken"}))
        if code in narrow:
            _divide(code, r"(?<=\w/)()(?=\w)", Element("wbr"))


def _divide(code: Element, pattern: str, part: Element) -> None:
    """Put what a pattern's group finds in the text of an element into elements."""
    first, *rest = re.split(pattern, code.text or "")
    code.text = AtomicString(first)
    for place, (found, after) in enumerate(zip(rest[::2], rest[1::2])):
        code.insert(place, part := copy(part))
        part.text, part.tail = AtomicString(found), AtomicString(after)
