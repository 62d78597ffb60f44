"""Reading a page: its fences, the directives above them and its prose, or an error.

pytest-codeblocks and superfences each skip in silence what they do not understand.
This reader accepts one spelling of each thing and refuses the others by line. What a
fence means is known to its kind, in `weave.kinds`.
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
FENCE_LIKE = re.compile(r"^(?:[\s>]|[-*+]\s|\d+[.)]\s)*(?:`{3,}|~{3,})(?!.*`)")
FENCE = re.compile(r"^(`{3,})([a-z-]*)$")
WEAVE_DIRECTIVE = re.compile(
    r"^<!--weave:(?!(?:cont|expected-output|importorskip)\b)"
    r"(?P<name>[a-z-]+)(?:\s+(?P<argument>\S.*?))?\s*-->$"
)
PYTEST_DIRECTIVE = re.compile(
    r"^<!--pytest-codeblocks:(?P<name>cont|expected-output|importorskip)"
    r"(?:\((?P<library>\w+)\))?-->$"
)
DIRECTIVE_LIKE = re.compile(r"<!--.*(pytest|codeblocks|weave)", re.IGNORECASE)


@dataclass
class Directive:
    """A comment that says something about what stands below it."""

    name: str
    argument: str
    line: int


@dataclass
class Fence:
    """A fenced block; `line` is that of its first fence, `end` that of its last."""

    language: str
    body: list[str]
    line: int
    end: int
    directives: list[Directive] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The body, each line ended."""
        return "".join(f"{line}\n" for line in self.body)

    def directive(self, name: str) -> Directive | None:
        """Return the directive of that name, if the fence has it."""
        return next((d for d in self.directives if d.name == name), None)


@dataclass(eq=False)
class Page:
    """What a page says, in order; `path` is relative to the project."""

    path: Path
    lines: list[str]
    fences: list[Fence] = field(default_factory=list)
    fences_by_kind: dict[Any, list[Any]] = field(
        default_factory=dict
    )  # fences, by their kind

    def error(self, message: str, line: int = 0) -> WeaveError:
        """Return an error about a line of this page."""
        return WeaveError(message, self.path, line)

    @property
    def is_lab(self) -> bool:
        """Whether it is a notebook, read as a page."""
        return self.path.suffix == ".ipynb"

    @property
    def front_matter_length(self) -> int:
        """How many lines at the top are for the builder alone."""
        found = FRONT_MATTER.match("\n".join(self.lines))
        return found[0].count("\n") if found else 0

    def lines_and_fences(self) -> Iterator[tuple[int, str | Fence]]:
        """Yield each line below the front matter, with its number, and fences whole."""
        fences = {fence.line: fence for fence in self.fences}
        end = self.front_matter_length
        for number, line in enumerate(self.lines, 1):
            if number > end:
                part = fences.get(number, line)
                end = part.end if isinstance(part, Fence) else end
                yield number, part

    def prose_lines(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of each line outside fences."""
        return (
            (n, part) for n, part in self.lines_and_fences() if isinstance(part, str)
        )

    def title(self) -> str:
        """Return the text of the first heading."""
        for _, line in self.prose_lines():
            if line.startswith("# "):
                return line[2:].strip()
        raise self.error("the page has no title: begin it with '# Title'", 1)


def parse_page(path: Path, text: str) -> Page:
    """Read a page's Markdown; raise WeaveError at the first line not understood."""
    page = Page(path, text.splitlines())
    waiting: list[Directive] = []
    lines = iter(enumerate(page.lines, 1))
    for number, line in lines:
        if match := FENCE.match(line):
            fence = Fence(match[2], [], number, number, waiting)
            for fence.end, inner in lines:
                if inner == match[1]:
                    break
                fence.body.append(inner)
            else:
                raise page.error("this fence is never closed", number)
            page.fences.append(fence)
            waiting = []
        elif FENCE_LIKE.match(line):
            what = f"write a fence as ``` and a language alone, not as {line.strip()!r}"
            raise page.error(f"{what}: other spellings would not run", number)
        elif directive := _parse_directive(page, number, line):
            waiting.append(directive)
        elif waiting and line.strip():
            break
    if waiting:
        what = f"'{waiting[0].name}' must stand right above a fence"
        raise page.error(what, waiting[0].line)
    return page


def _parse_directive(page: Page, number: int, line: str) -> Directive | None:
    if match := PYTEST_DIRECTIVE.match(line):
        return Directive(match["name"], match["library"] or "", number)
    if match := WEAVE_DIRECTIVE.match(line):
        if not match["argument"]:
            message = f"'{match['name']}' needs an expression or a reason"
            raise page.error(message, number)
        return Directive(match["name"], html.unescape(match["argument"]), number)
    if DIRECTIVE_LIKE.search(CODE_SPAN.sub("", line)):
        known = "cont, expected-output, importorskip(LIBRARY)"
        what = f"unknown directive {line.strip()!r}; known are <!--weave:NAME …-->"
        raise page.error(f"{what}, <!--pytest-codeblocks:NAME--> with {known}", number)
    return None
