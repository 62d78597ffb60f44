"""What all kinds of fences have in common: the few methods that weave calls.

A kind is one file in this folder. Begin a new one with `Kind` and override what differs;
`quiz.py` is a short example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Self

from weave.corrections import Finding
from weave.errors import WeaveError
from weave.guide import Guide, relative_link
from weave.json_process import RequestError
from weave.page import Fence, Page
from weave.results import RunResults, StatedExpression
from weave.source_symbols import SourceSpan, UnknownSymbol, find_source

LINK = (
    '<a class="block-link" href="#{}" title="Link to this code" '
    'aria-label="Link to this code" data-search-exclude>#</a>'
)
COPY = '<button class="md-clipboard md-icon" type="button" title="Copy to clipboard" '
BAR = (
    '<div class="bar" data-search-exclude>'
    '<button type="button" class="run" title="Shift+Enter">{}</button>'
    '<button type="button" class="stop" hidden>Stop</button>'
    '<button type="button" class="edit">Edit</button>'
    '<button type="button" class="reset" hidden>Reset</button>'
    '<span class="state" role="status"></span>'
    '<progress aria-label="Python loads" hidden></progress></div>'
)


class Kind:
    """A fence of one kind on one page; each subclass says what it means."""

    known: ClassVar[list[type[Kind]]] = []  # in the order of the register

    # What stands behind the ```, and the comment above it that makes it of this kind,
    # where several kinds share a language; other comments that may stand above it
    language: ClassVar[str] = ""
    directive: ClassVar[str] = ""
    also: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        Kind.known.append(cls)

    def __init__(self, page: Page, fence: Fence) -> None:
        self.page, self.fence, self.line = page, fence, fence.line

    @classmethod
    def is_kind_of(cls, fence: Fence) -> bool:
        """Tell whether a fence is of this kind."""
        named = not cls.directive or fence.directive(cls.directive) is not None
        return fence.language == cls.language and named

    @classmethod
    def on(cls, page: Page) -> list[Self]:
        """Return the fences of this kind on a page, in order."""
        if cls not in page.fences_by_kind:
            ours = filter(cls.is_kind_of, page.fences)
            page.fences_by_kind[cls] = [cls(page, fence) for fence in ours]
        return page.fences_by_kind[cls]

    @classmethod
    def all(cls, guide: Guide) -> Iterator[Self]:
        """Yield the fences of this kind on all pages, in reading order."""
        for page in guide.pages.values():
            yield from cls.on(page)

    @property
    def anchor(self) -> str:
        """The id on the page: its place among those like it."""
        return f"{self.language}-{type(self).on(self.page).index(self) + 1}"

    @property
    def above(self) -> Fence | None:
        """The fence above it."""
        place = self.page.fences.index(self.fence)
        return self.page.fences[place - 1] if place else None

    def error(self, message: str, offset: int = 0) -> WeaveError:
        """Return an error about the fence, or about a line of its body, from 1."""
        return self.page.error(message, self.line + offset)

    def read(self) -> None:
        """Raise WeaveError if the fence isn't written as its kind is written."""

    def questions(self) -> Iterator[StatedExpression]:
        """Yield the expressions to be evaluated once the blocks above have run."""
        return iter(())

    def prose(self) -> Iterator[tuple[int, str]]:
        """Yield line and text of what readers read as prose, in Markdown."""
        return iter(())

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield line and text of what readers read as plain words, without Markdown."""
        return iter(())

    def content(self, guide: Guide) -> Any:
        """Return what it stands for; raise WeaveError if there is no such thing."""

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Yield what isn't true: corrections, and errors that only an author can fix."""
        self.content(guide)
        yield from ()

    def answer(self, guide: Guide, question: object) -> Any:
        """Return what the project's Python gives; raise WeaveError if it gives nothing."""
        try:
            return guide.project_server.request(question)
        except RequestError as why:
            what = f"the {self.language} {self.fence.body[0]!r}: {why}"
            raise self.error(what) from None

    def find(self, guide: Guide, symbols: str) -> SourceSpan:
        """Return the lines of source that symbols name; raise WeaveError for none."""
        try:
            return find_source(guide.root, symbols)
        except UnknownSymbol as error:
            raise self.error(error.problem) from None

    def html(self, view: View) -> str | list[str]:
        """Return its HTML, or lines of Markdown with HTML stashed away in them."""
        raise NotImplementedError

    @classmethod
    def examine(cls, guide: Guide) -> Iterator[Finding]:
        """Yield what isn't true of all fences of this kind together."""
        return iter(())


@dataclass
class View:
    """What kinds need to show themselves on one page.

    `stash` keeps HTML aside and returns what stands for it in the Markdown; `finished`
    says whether the builder leaves links in that HTML as they are.
    """

    guide: Guide
    page: Page
    stash: Callable[[str], str]
    finished: bool = True

    def to(self, target: Path, anchor: str = "") -> str:
        """Return the address of a page or a file, or of an anchor on it."""
        address = relative_link(self.page.path, target, between_urls=self.finished)
        return f"{address}#{anchor}" if anchor else address

    def draw(self, line: int, kind: str, **request: object) -> str | None:
        """Return a drawing, or None where nothing is there to draw with."""
        if self.guide.drawing_process is None:
            return None
        try:
            return str(self.guide.drawing_process.request({"kind": kind, **request}))
        except RequestError as error:
            raise self.page.error(f"cannot be drawn: {error}", line) from None

    def formula(self, latex: str, line: int = 0, display: bool = False) -> str:
        """Typeset a formula, in a line or by itself."""
        math = self.draw(line, "math", latex=latex, display=display)
        if math is None:
            return f"<code>{escape(latex)}</code>"
        return f'<div class="formula" tabindex="0">{math}</div>' if display else math


def spaced(*parts: str) -> list[str]:
    """Return parts of Markdown, each a paragraph by itself."""
    return [line for part in parts for line in (part, "")]


def framed(html: str, classes: str = "canvas") -> str:
    """Return what may be wider than a phone, in a frame that keys can scroll."""
    return f'<div class="{classes}" tabindex="0">{html}</div>'


def code(language: str, lines: list[str], options: str = "") -> list[str]:
    """Return a fence for the builder to highlight."""
    return ["", f"```{language}{f' {options}' if options else ''}", *lines, "```", ""]
