"""Parsing a page: its fences, the directives above them, and its prose.

pytest-codeblocks and superfences each silently skip what they do not understand. This
parser accepts one spelling of each thing and refuses the others with their line. What the
body of a fence means is known to the fence's kind, in `weave.fences`.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weave.errors import WeaveError
from weave.markdown_text import CODE_SPAN

FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
FENCE = re.compile(r"^(`{3,})([a-z-]*)$")
FENCE_LIKE = re.compile(r"^(?:[\s>]|[-*+]\s|\d+[.)]\s)*(?:`{3,}|~{3,})(?!.*`)")
WEAVE_DIRECTIVE = re.compile(
    r"^<!--weave:(?!(?:cont|expected-output|importorskip)\b)"
    r"([a-z-]+)(?:\s+(\S.*?))?\s*-->$"
)
PYTEST_CODEBLOCKS_DIRECTIVE = re.compile(
    r"^<!--pytest-codeblocks:(cont|expected-output|importorskip)(?:\((\w+)\))?-->$"
)
DIRECTIVE_LIKE = re.compile(r"<!--.*(pytest|codeblocks|weave)", re.IGNORECASE)


@dataclass
class Directive:
    """An HTML comment above a fence that says how to treat it: `<!--weave:graph c-->`."""

    name: str  # graph
    argument: str  # c
    line: int


@dataclass
class Fence:
    """A fenced block of a page, with the directives right above it."""

    language: str  # the word after the opening backticks
    body: list[str]  # the lines between the backticks
    line: int  # of the opening backticks, from 1
    end: int  # the line of the closing backticks
    directives: list[Directive] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The body as one text, with a newline after each line."""
        return "".join(f"{line}\n" for line in self.body)

    def directive(self, name: str) -> Directive | None:
        """Return the directive of that name, or None if the fence has none."""
        return next((d for d in self.directives if d.name == name), None)


@dataclass(eq=False)
class Page:
    """A parsed page: its path relative to the project, all its lines, and its fences."""

    path: Path
    lines: list[str]
    fences: list[Fence] = field(default_factory=list)
    # A cache of `weave.fences`: the fences of each kind, by class
    fences_by_kind: dict[Any, list[Any]] = field(default_factory=dict)

    def error(self, problem: str, line: int = 0) -> WeaveError:
        """Return an error that names this page and one of its lines."""
        return WeaveError(problem, self.path, line)

    @property
    def is_lab(self) -> bool:
        """Whether the page was converted from a notebook."""
        return self.path.suffix == ".ipynb"

    @property
    def front_matter_line_count(self) -> int:
        """How many lines at the top are settings for the builder."""
        front_matter = FRONT_MATTER.match("\n".join(self.lines))
        return front_matter[0].count("\n") if front_matter else 0

    def lines_and_fences(self) -> Iterator[tuple[int, str | Fence]]:
        """Yield the page below its front matter: each fence whole, else line by line.

        Each comes with its line number, from 1.
        """
        fences = {fence.line: fence for fence in self.fences}
        end = self.front_matter_line_count
        for number, line in enumerate(self.lines, 1):
            if number > end:
                part = fences.get(number, line)
                end = part.end if isinstance(part, Fence) else end
                yield number, part

    def prose_lines(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of each line outside fences."""
        parts = self.lines_and_fences()
        return ((number, part) for number, part in parts if isinstance(part, str))

    def title(self) -> str:
        """Return the text of the first heading, with its markup.

        Raises:
            WeaveError: There is no heading of the first level.
        """
        for _, line in self.prose_lines():
            if line.startswith("# "):
                return line[2:].strip()
        raise self.error("the page has no title: begin it with '# Title'", 1)


def parse_page(path: Path, text: str) -> Page:
    """Parse the Markdown of a page; name its path in errors.

    Raises:
        WeaveError: A fence or a directive is not written in the one accepted way.
    """
    page = Page(path, text.splitlines())
    directives: list[Directive] = []  # those that wait for a fence below them
    lines = iter(enumerate(page.lines, 1))
    for number, line in lines:
        if match := FENCE.match(line):
            fence = Fence(match[2], [], number, number, directives)
            for fence.end, inner in lines:
                if inner == match[1]:
                    break
                fence.body.append(inner)
            else:
                raise page.error(
                    f"this fence is never closed: end it with {match[1]}", number
                )
            page.fences.append(fence)
            directives = []
        elif FENCE_LIKE.match(line):
            raise page.error(
                "expected a fence of ``` and a language alone, at the start of the line, "
                f"got {line.strip()!r}, which would not run",
                number,
            )
        elif directive := _parse_directive(page, number, line):
            directives.append(directive)
        elif directives and line.strip():
            break
    if directives:
        raise page.error(
            f"expected a fence below the comment '{directives[0].name}': move the "
            "comment right above one, or remove it",
            directives[0].line,
        )
    return page


def _parse_directive(page: Page, number: int, line: str) -> Directive | None:
    if match := PYTEST_CODEBLOCKS_DIRECTIVE.match(line):
        return Directive(match[1], match[2] or "", number)
    if match := WEAVE_DIRECTIVE.match(line):
        name, argument = match.groups()
        if not argument:
            raise page.error(
                f"expected <!--weave:{name} …--> with an expression or a reason, "
                f"got {line!r}",
                number,
            )
        return Directive(name, html.unescape(argument), number)
    if DIRECTIVE_LIKE.search(CODE_SPAN.sub("", line)):
        raise page.error(
            "expected <!--weave:NAME …-->, or <!--pytest-codeblocks:NAME--> with cont, "
            f"expected-output or importorskip(LIBRARY), got {line.strip()!r}",
            number,
        )
    return None
