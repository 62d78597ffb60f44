"""The base class of all kinds of fences: the methods that weave calls on each.

To add a kind, add a module to this folder with a subclass of `TypedFence`, and override
the methods that differ; `quiz.py` is a short example.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Self

from weave.corrections import Correction
from weave.errors import WeaveError
from weave.guide import Guide, relative_link
from weave.json_process import RequestError
from weave.page import Fence, Page
from weave.results import RunResults, StatedExpression
from weave.source_symbols import SourceSpan, UnknownSymbolError, find_source

Html = str


class TypedFence:
    """A fence on a page, interpreted as its kind; a subclass defines each kind.

    Attributes:
        registry: All subclasses that have a language, in the order of their definitions.
        language: The word after the opening ```.
        required_directive: The name of the comment that is required above the fence to
            make it this kind, if several kinds share a language; otherwise "".
        optional_directives: The names of other comments that are allowed above it.
        anchor_prefix: What an id in the page's HTML begins with; by default the language.
        highlight_language: The language to highlight the body in; by default the same.
    """

    registry: ClassVar[list[type[TypedFence]]] = []

    language: ClassVar[str] = ""
    required_directive: ClassVar[str] = ""
    optional_directives: ClassVar[frozenset[str]] = frozenset()
    anchor_prefix: ClassVar[str] = ""
    highlight_language: ClassVar[str] = ""

    def __init_subclass__(cls) -> None:
        if cls.language:  # a base class of kinds has none
            TypedFence.registry.append(cls)

    def __init__(self, page: Page, fence: Fence) -> None:
        self.page, self.fence, self.line = page, fence, fence.line

    @classmethod
    def matches(cls, fence: Fence) -> bool:
        """Return whether a fence is of this kind, by its language and directives."""
        needed = cls.required_directive
        has_directive = not needed or fence.directive(needed) is not None
        return fence.language == cls.language and has_directive

    @classmethod
    def required_comment(cls) -> str:
        """Return how the comment that makes a fence this kind is written."""
        return f"<!--weave:{cls.required_directive} …-->"

    @classmethod
    def find_on_page(cls, page: Page) -> list[Self]:
        """Return the fences of this kind on a page, in order."""
        if cls not in page.fences_by_kind:
            matching = filter(cls.matches, page.fences)
            page.fences_by_kind[cls] = [cls(page, fence) for fence in matching]
        return page.fences_by_kind[cls]

    @classmethod
    def find_in_guide(cls, guide: Guide) -> Iterator[Self]:
        """Yield the fences of this kind on all pages, in reading order."""
        for page in guide.pages.values():
            yield from cls.find_on_page(page)

    @property
    def anchor(self) -> str:
        """The id in the page's HTML: `quiz-2` for the second quiz."""
        index = type(self).find_on_page(self.page).index(self)
        return f"{self.anchor_prefix or self.language}-{index + 1}"

    @property
    def previous_fence(self) -> Fence | None:
        """The fence above this one, of whatever kind."""
        index = self.page.fences.index(self.fence)
        return self.page.fences[index - 1] if index else None

    def error(self, problem: str, body_line: int = 0) -> WeaveError:
        """Return an error at the fence, or at a line of its body, counted from 1."""
        return self.page.error(problem, self.line + body_line)

    def correct_body(self, text: str, problem: str) -> Correction:
        """Return a correction that replaces the body by another text."""
        start, end = (self.line + 1, 0), (self.fence.end, 0)
        return Correction(self.page.path, start, end, text, problem)

    def validate(self) -> None:
        """Refuse a malformed fence, or one where its kind is not allowed.

        Raises:
            WeaveError: The body, a directive or the position is wrong.
        """

    def expressions(self) -> Iterator[StatedExpression]:
        """Yield the expressions to evaluate once the blocks above have run."""
        return iter(())

    def prose_lines(self) -> Iterator[tuple[int, str]]:
        """Yield line number and text of the fence's prose, which is Markdown."""
        return iter(())

    def label_lines(self) -> Iterator[tuple[int, str]]:
        """Yield line number and text of the fence's labels, which are plain text."""
        return iter(())

    def resolve(self, guide: Guide) -> Any:
        """Return what the fence refers to, such as lines of source or a picture.

        Raises:
            WeaveError: The guide or the project has no such thing.
        """

    def check(self, guide: Guide, results: RunResults) -> Iterator[WeaveError]:
        """Yield corrections of what isn't true, and errors that only an author can fix."""
        self.resolve(guide)
        yield from ()

    def query_python(self, guide: Guide, request: dict[str, Any]) -> Any:
        """Return what `weave.project_server` answers to a request, a JSON object.

        Raises:
            WeaveError: The project's code fails.
        """
        try:
            return guide.python_process.request(request)
        except RequestError as error:
            raise self.error(
                f"the {self.language} {self.fence.body[0]!r} failed: {error}"
            ) from None

    def find_source(self, guide: Guide, reference: str) -> SourceSpan:
        """Return the lines of source that a reference such as `module:name` names.

        Raises:
            WeaveError: The project has no such module or name.
        """
        try:
            return find_source(guide.root, reference)
        except UnknownSymbolError as error:
            raise self.error(error.problem) from None

    def render(self, context: RenderContext) -> Html | list[str]:
        """Return the fence as HTML, or as lines of Markdown with HTML stashed in them.

        By default, return the body unchanged, with a link to it.
        """
        opening = f'<div class="unchecked-text" id="{self.anchor}">'
        opening += permalink_html(self.anchor)
        language = self.highlight_language or self.language
        return context.wrap_code(opening, language, self.fence.body, "</div>")

    @classmethod
    def check_completeness(cls, guide: Guide) -> Iterator[WeaveError]:
        """Yield errors for what no fence of this kind shows, though the project has it."""
        return iter(())


@dataclass
class RenderContext:
    """What fences need to render themselves on a page of the guide."""

    guide: Guide
    page: Page
    # Sets HTML aside and returns a placeholder to put into the Markdown
    stash_html: Callable[[Html], str]
    # Whether the builder leaves links in stashed HTML as they are, from URL to URL
    links_are_final: bool = True

    def url_to(self, target: Path, anchor: str = "") -> str:
        """Return the relative URL of a page or file under docs/, or of an anchor on it."""
        url = relative_link(self.page.path, target, between_urls=self.links_are_final)
        return f"{url}#{anchor}" if anchor else url

    def link_to_source(self, span: SourceSpan) -> Html:
        """Return file and line numbers, linked if a page shows the whole file."""
        name = f"<code>{span.path.as_posix()}</code>"
        if span.path in self.guide.shown_source_paths:
            page = self.guide.source_page_path(span.path)
            name = f'<a href="{self.url_to(page, f"L{span.first}")}">{name}</a>'
        return f"{name}, {span.line_label}"

    def wrap_code(
        self, opening: Html, language: str, lines: list[str], closing: Html
    ) -> list[str]:
        """Return Markdown of code that the builder highlights, with HTML around it.

        Options of pymdownx.highlight may follow the language, such as `linenums="1"`.
        """
        above = self.stash_html(opening) if opening else ""
        code = [f"```{language}", *lines, "```"]
        return [above, "", *code, "", self.stash_html(closing)]

    def draw(self, page_line: int, kind: str, **request: object) -> Html | None:
        """Return a drawing by the Node program, or None if that isn't built.

        Args:
            page_line: The line of the page to name in an error.
            kind: `diagram`, `formula` or `widget`.
            **request: What `web/draw/draw.ts` needs to draw that kind.

        Raises:
            WeaveError: It cannot be drawn.
        """
        if self.guide.drawing_process is None:
            return None
        try:
            return str(self.guide.drawing_process.request({"kind": kind, **request}))
        except RequestError as error:
            raise self.page.error(
                f"cannot draw this {kind}: {error}", page_line
            ) from None

    def render_formula(
        self, latex: str, line: int = 0, is_display: bool = False
    ) -> Html:
        """Return a formula as MathML: within a line, or on its own if `is_display`."""
        math = self.draw(line, "formula", latex=latex, display=is_display)
        if math is None:
            return f"<code>{escape(latex)}</code>"
        return f'<div class="formula" tabindex="0">{math}</div>' if is_display else math


def permalink_html(anchor: str) -> Html:
    """Return the `#` beside a block of code that links to it."""
    return (
        f'<a class="block-link" href="#{anchor}" title="Link to this code" '
        'aria-label="Link to this code" data-search-exclude>#</a>'
    )


def copy_button_html(code: str) -> Html:
    """Return a button that copies code to the clipboard."""
    return (
        '<button class="md-clipboard md-icon" type="button" title="Copy to clipboard" '
        f'data-clipboard-text="{escape(code, quote=True)}"></button>'
    )


def cell_toolbar_html(run_label: str) -> Html:
    """Return the buttons and the status line of a cell that readers can run and edit."""
    return (
        '<div class="cell-toolbar" data-search-exclude>'
        f'<button type="button" class="run" title="Shift+Enter">{run_label}</button>'
        '<button type="button" class="stop" hidden>Stop</button>'
        '<button type="button" class="edit">Edit</button>'
        '<button type="button" class="reset" hidden>Reset</button>'
        '<span class="status" role="status"></span>'
        '<progress aria-label="Python loads" hidden></progress></div>'
    )


def markdown_paragraphs(*parts: str) -> list[str]:
    """Return Markdown lines in which each part is a paragraph of its own."""
    return [line for part in parts for line in (part, "")]


def make_scrollable(html: Html, css_class: str = "canvas") -> Html:
    """Wrap HTML that may be wider than a phone, so that fingers and keys scroll it."""
    return f'<div class="{css_class}" tabindex="0">{html}</div>'
