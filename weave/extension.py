"""The Python-Markdown extension that builders load as `weave`."""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from re import Match
from typing import Any
from xml.etree.ElementTree import Element

from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from weave.bundle import edition, write_bundle
from weave.draw import Drawer
from weave.errors import WeaveError
from weave.files import State, state
from weave.guide import Guide, link
from weave.kinds.kind import View
from weave.kinds.widget import ask_ahead
from weave.prose.glossary import GLOSSARY, glossary_of
from weave.publish.about import write_about
from weave.publish.generated import write_generated
from weave.publish.looks import write_looks
from weave.publish.notebooks import write_notebooks
from weave.publish.offline import serving, write_worker
from weave.publish.policy import write_policy
from weave.render import Renderer
from weave.text import MATH

ROOT = Path(__file__).resolve().parents[1]
SHORT = 20  # letters of code that stay on one line
# What a `Guide` is read from.
WRITTEN = ("docs", "microgpt", "snippets", "mkdocs.yml", "pyproject.toml")


class WeaveExtension(Extension):
    """Renders what only this guide's pages have: listings, cells, graphs, formulas."""

    def extendMarkdown(self, md: Markdown) -> None:
        """Register both processors, and write what builders copy before they render."""
        preprocessor = WeavePreprocessor(md)
        try:
            write_generated(ROOT)
            guide = current_guide()
            write_looks(ROOT)
            write_bundle(ROOT)
            write_notebooks(guide)
            write_policy(ROOT, previewing=serving())
            write_about(guide)
            write_worker(ROOT)
        except WeaveError as error:  # builders would bury it in a traceback
            preprocessor.error = error
        except OSError as error:  # such as of a file that was removed meanwhile
            what = f"cannot be read or written: {error.strerror}"
            preprocessor.error = WeaveError(what, Path(error.filename or ROOT))
        # After line ends are made equal (30), before superfences reads fences (25).
        md.preprocessors.register(preprocessor, "weave", 28)
        # After code spans (190), before backslashes are read as escapes (180).
        md.inlinePatterns.register(FormulaProcessor(preprocessor), "weave-formula", 185)
        # After bold, links and the rest are elements (20), before links are resolved (0).
        finished = Finished(md, _divide_code, _frame_tables, preprocessor.mark_terms)
        md.treeprocessors.register(finished, "weave", 14)
        # After the table of contents (5)
        md.treeprocessors.register(Finished(md, _hide_signs), "weave-headings", 4)


class WeavePreprocessor(Preprocessor):
    """Replaces fences by what they stand for."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.view: View | None = None
        self.error: WeaveError | None = None  # to be told with the first page

    def run(self, lines: list[str]) -> list[str]:
        """Render a page: the one that the builder is about to show."""
        if self.error:
            raise self.error
        guide, (path, finished) = current_guide(), _place(self.md)
        page, stash, drawer = guide.read(path), self.md.htmlStash.store, Drawer(ROOT)
        self.view = View(guide, page, drawer, stash, edition(ROOT), finished=finished)
        return Renderer(self.view).render()

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


def _place(md: Markdown) -> tuple[Path, bool]:
    """Return the path of the page that a builder renders, and who resolves its links.

    MkDocs resolves the links of Markdown, with a processor that knows the page, and
    leaves HTML alone. Zensical resolves them all, once the page is HTML; another
    processor of its own knows the page.
    """
    if "relpath" in md.treeprocessors:
        processor: Any = md.treeprocessors["relpath"]
        return Path("docs", processor.file.src_uri), True
    for processor in md.preprocessors:
        if page := getattr(processor, "page", None):
            return Path("docs", page.path), False
    raise WeaveError("pages are built by MkDocs or Zensical, which say their names")


class FormulaProcessor(InlineProcessor):
    """Typesets `$…$`."""

    def __init__(self, preprocessor: WeavePreprocessor) -> None:
        super().__init__(MATH.pattern, preprocessor.md)
        self.preprocessor = preprocessor

    def handleMatch(  # type: ignore[override]
        self, m: Match[str], data: str
    ) -> tuple[Element | str | None, int | None, int | None]:
        """Return MathML in the place of a formula."""
        view = self.preprocessor.view
        if view is None:
            return None, None, None
        formula, end = view.formula(m.group(0)[1:-1]), m.end(0)
        if data[end : end + 1] in {*".,;:)"}:  # no line begins with that
            formula = f'<span class="unbroken">{formula}{data[end]}</span>'
            end += 1
        return self.preprocessor.md.htmlStash.store(formula), m.start(0), end


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
            continue
        _divide(code, r"(\S*-\S+)", "span", {"class": "unbroken"})
        if code in narrow:
            _divide(code, r"(?<=\w/)()(?=\w)", "wbr", {})


def _divide(code: Element, pattern: str, tag: str, attributes: dict[str, str]) -> None:
    """Put what a pattern's group finds in the text of an element into elements."""
    first, *rest = re.split(pattern, code.text or "")
    code.text = AtomicString(first)
    for place, (found, after) in enumerate(zip(rest[::2], rest[1::2])):
        part = Element(tag, attributes)
        part.text, part.tail = AtomicString(found), AtomicString(after)
        code.insert(place, part)


def current_guide() -> Guide:
    """Return the guide as it stands; it is read once while nothing changes."""
    return _guide(state(ROOT, *WRITTEN))


@lru_cache(maxsize=1)
def _guide(state: State) -> Guide:
    """Return a guide, whose widgets are computed while the builder starts."""
    guide = Guide(ROOT)
    # In the order in which MkDocs comes to them, which is not that of readers.
    in_order = sorted(guide.pages, key=lambda path: (len(path.parts) > 2, path))
    ask_ahead(ROOT, (guide.pages[path] for path in in_order))
    return guide
