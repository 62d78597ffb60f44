"""Reading a page: every fence, directive and number that it holds, or an error.

pytest-codeblocks and superfences each skip in silence what they do not understand.
This reader accepts one spelling of each thing and refuses the others by line.
"""

from __future__ import annotations

import html
import importlib.util
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from weave.errors import WeaveError

LANGUAGES = {
    "python": "code that runs",
    "text": "output, or text to read",
    "source": "a listing by symbol",
    "changes": "the difference between two programs",
    "mermaid": "a diagram",
    "plot": "a picture of data",
    "figure": "what a cell of a lab draws",
    "widget": "a picture to play with",
    "derivative": "derivatives, checked",
    "exercise": "a program for the reader to write",
    "console": "commands to type",
    "source-page": "a whole file of the package",
    "api": "what the package offers: modules, or names of a module",
    "command": "a command and its options",
    "session": "commands, and what they print",
    "coverage": "the table of explained lines",
    "ladder": "the steps, and what each adds",
    "minimap": "every line of the package",
}
# Which directives may stand before which fence.
DIRECTIVES = {
    "cont": {"python"},
    "expected-output": {"text"},
    "skip": {"python"},
    "importorskip": {"python"},
    "graph": {"mermaid"},
    "imports": {"mermaid"},
    "drawn": {"mermaid"},
    "plot": {"plot"},
    "shown": {"text", "console"},
}
FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n+", re.DOTALL)
FENCE_LIKE = re.compile(r"^(?:[\s>]|[-*+]\s|\d+[.)]\s)*(?:`{3,}|~{3,})(?!.*`)")
FENCE = re.compile(r"^(`{3,})([a-z-]*)$")
DIRECTIVE = re.compile(
    r"^<!--(pytest-codeblocks|weave):([a-z-]+)(?:\s+(\S.*?))?\s*-->$"
)
SKIP = re.compile(r"^<!--pytest\.mark\.skip\(reason=\"(?P<reason>[^\"]+)\"\)-->$")
NEEDS = re.compile(r"^<!--pytest-codeblocks:importorskip\((?P<library>\w+)\)-->$")
# What blocks may need besides the package, and the extra that installs it.
LIBRARIES = {"numpy": "NumPy", "torch": "PyTorch"}
DIRECTIVE_LIKE = re.compile(r"<!--.*(pytest|codeblocks|weave)", re.IGNORECASE)
DATA = re.compile(r'<data value="([^"]+)">([^<]+)</data>')
CODE_SPAN = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
WAIVER = re.compile(r'<span data-waive="([^"]*)">([^<]*)</span>')
# A number that is computed or waived, and more of it that is not
TOUCHING = re.compile(
    r"[\w.^−-]<(?:data|span) |</(?:data|span)>(?:[\w²³¹⁰-⁹]|[.,]\d)|\d\[|\]\([^)]*\)\d"
)
WAIVED_WORDS = 3
COMMENT = re.compile(r"<!--(?:(?!-->).)*-->")
ADDRESS = re.compile(r"<https?://[^<>\s]+>")


@dataclass
class Directive:
    """A comment that says something about the fence below it."""

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


@dataclass
class Block:
    """A block of Python, the blocks that it continues, and what it prints."""

    fence: Fence
    continues: Block | None = None
    output: Fence | None = None
    chain: int = 0

    @property
    def skipped(self) -> Directive | None:
        """Why the block is not run, if it is not."""
        return self.fence.directive("skip")

    @property
    def library(self) -> str:
        """The library that the block, or one that it continues, needs; or nothing."""
        if needs := self.fence.directive("importorskip"):
            return needs.argument
        return self.continues.library if self.continues else ""

    @property
    def runs_here(self) -> bool:
        """Whether there is no reason not to run it, and what it needs is installed."""
        return not self.skipped and (
            not self.library or importlib.util.find_spec(self.library) is not None
        )

    def program(self) -> list[Block]:
        """Return the blocks that this one needs, itself last."""
        return [*(self.continues.program() if self.continues else []), self]

    def whole_program(self) -> str:
        """Return the code to copy: this block after all that it needs."""
        return "\n".join(block.fence.text for block in self.program())


@dataclass
class Number:
    """A number in prose: `<data value="EXPRESSION">text</data>`."""

    expression: str
    text: str
    line: int
    start: int
    end: int


@dataclass
class Page:
    """What a page says, in order; `path` is relative to the project."""

    path: Path
    lines: list[str]
    fences: list[Fence]
    blocks: list[Block]
    numbers: list[Number]

    def error(self, message: str, line: int = 0) -> WeaveError:
        """Return an error about a line of this page."""
        return WeaveError(message, self.path, line)

    @property
    def front_matter(self) -> int:
        """How many lines at the top are for the builder alone."""
        found = FRONT_MATTER.match("\n".join(self.lines))
        return found[0].count("\n") if found else 0

    def prose(self) -> Iterator[tuple[int, str]]:
        """Yield number and text of each line outside fences."""
        fenced = {n for f in self.fences for n in range(f.line, f.end + 1)}
        fenced.update(range(1, self.front_matter + 1))
        for number, line in enumerate(self.lines, 1):
            if number not in fenced:
                yield number, line

    def title(self) -> str:
        """Return the text of the first heading."""
        for _, line in self.prose():
            if line.startswith("# "):
                return line[2:].strip()
        raise self.error("the page has no title: begin it with '# Title'", 1)


@lru_cache(maxsize=512)  # to render one page, all are read
def read_page(path: Path, text: str) -> Page:
    """Read a page's Markdown; raise WeaveError at the first line not understood."""
    page = Page(path, text.splitlines(), [], [], [])
    page.fences = list(_read_fences(page))
    _join_blocks(page)
    for number, line in page.prose():
        page.numbers += _read_numbers(page, number, line)
        _check_prose(page, number, line)
    return page


def _read_fences(page: Page) -> Iterator[Fence]:
    waiting: list[Directive] = []
    lines = iter(enumerate(page.lines, 1))
    for number, line in lines:
        if match := FENCE.match(line):
            fence = Fence(match[2], [], number, number, waiting)
            _check_fence(page, fence)
            for end, inner in lines:
                if inner == match[1]:
                    fence.end = end
                    break
                fence.body.append(inner)
            else:
                raise page.error("this fence is never closed", number)
            waiting = []
            yield fence
        elif FENCE_LIKE.match(line):
            raise page.error(
                f"write a fence as ``` and a language at the start of the line, with "
                f"nothing else, not as {line.strip()!r}: other spellings would not run",
                number,
            )
        elif directive := _read_directive(page, number, line):
            waiting.append(directive)
        elif waiting and line.strip():
            break
    if waiting:
        name, line_number = waiting[-1].name, waiting[-1].line
        raise page.error(f"'{name}' must stand right above a fence", line_number)


def _read_directive(page: Page, number: int, line: str) -> Directive | None:
    if match := SKIP.match(line):
        return Directive("skip", match["reason"], number)
    if match := NEEDS.match(line):
        if match["library"] not in LIBRARIES:
            names = " and ".join(LIBRARIES)
            raise page.error(f"a block may need {names}, no other library", number)
        return Directive("importorskip", match["library"], number)
    if match := DIRECTIVE.match(line):
        name, argument = match[2], html.unescape(match[3] or "")
        ours = name not in ("cont", "expected-output")
        known = name in DIRECTIVES and name not in ("skip", "importorskip")
        if known and ours == (match[1] == "weave"):
            if ours and not argument:
                raise page.error(f"'{name}' needs an expression or a reason", number)
            return Directive(name, argument, number)
        if name == "general" and match[1] == "weave":  # about a formula, not a fence
            return None
    if DIRECTIVE_LIKE.search(line) and not CODE_SPAN.search(line):
        raise page.error(
            f"unknown directive {line.strip()!r}; known are pytest-codeblocks:cont, "
            "pytest-codeblocks:expected-output, "
            "pytest-codeblocks:importorskip(…), weave:graph, weave:imports, "
            "weave:drawn, weave:plot, weave:shown, weave:general and "
            'pytest.mark.skip(reason="…")',
            number,
        )
    return None


def _check_fence(page: Page, fence: Fence) -> None:
    if fence.language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise page.error(
            f"a fence needs one of the languages {known}, not {fence.language!r}",
            fence.line,
        )
    if fence.language == "figure" and page.path.suffix != ".ipynb":
        raise page.error("only a cell of a lab draws a figure", fence.line)
    for directive in fence.directives:
        if fence.language not in DIRECTIVES[directive.name]:
            raise page.error(
                f"'{directive.name}' does not go with a {fence.language} fence",
                directive.line,
            )
    needed = {
        "mermaid": ("graph", "imports", "drawn"),
        "plot": ("plot",),
        "text": ("expected-output", "shown"),
        "console": ("shown",),
    }.get(fence.language)
    if needed and not any(fence.directive(name) for name in needed):
        names = " or ".join(f"'{name}'" for name in needed)
        raise page.error(
            f"say above this fence what keeps it true: {names}", fence.line
        )


def _join_blocks(page: Page) -> None:
    """Give each output to its block, and each block the one that it continues."""
    last: Fence | None = None
    for fence in page.fences:
        if fence.language == "python":
            block = Block(fence)
            needs = fence.directive("importorskip")
            if needs and needs.argument not in fence.text:
                raise page.error(
                    f"the block does not use {needs.argument}, so it needs no "
                    "importorskip and can run everywhere",
                    needs.line,
                )
            if cont := fence.directive("cont"):
                if not page.blocks:
                    raise page.error("there is no block above to continue", cont.line)
                block.continues = page.blocks[-1]
                block.chain = page.blocks[-1].chain
            else:
                block.chain = page.blocks[-1].chain + 1 if page.blocks else 0
            page.blocks.append(block)
        elif output := fence.directive("expected-output"):
            if last is None or last.language != "python":
                raise page.error(
                    "an expected output must follow the block that prints it",
                    output.line,
                )
            page.blocks[-1].output = fence
        elif fence.language == "text" and last and last.language == "python":
            between = page.lines[last.end : fence.line - 1]
            if not any(line and not line.startswith("<!--") for line in between):
                message = (
                    "text right below a block reads as its output: say so, or move it"
                )
                raise page.error(message, fence.line)
        last = fence


def _check_prose(page: Page, number: int, line: str) -> None:
    """Refuse what a browser would show and no check would read, or read otherwise."""
    if re.match(r"(<{7}|>{7}|={7})( |$)", line):
        raise page.error("a merge has left both versions here: choose one", number)
    bare = CODE_SPAN.sub(" ", line)
    for known in (DATA, WAIVER, COMMENT, ADDRESS):
        bare = known.sub(" ", bare)
    if found := re.search(r"<[a-zA-Z/!?][^>]*>?", bare):
        raise page.error(
            f"{found[0]!r} is HTML, which nothing checks: write Markdown", number
        )
    if found := TOUCHING.search(line):
        raise page.error(
            f"{found[0]!r} joins a number to what stands beside it: part them", number
        )
    if re.search(r'\]\([^)]*"|^\[(?!\^)[^\]]+\]:', bare):
        raise page.error("write a link as [text](page.md), without a title", number)
    for waived in WAIVER.finditer(line):
        if len(waived[2].split()) > WAIVED_WORDS:
            raise page.error("waive the number alone, not the words around it", number)
    if "`" in bare or r"\`" in line:
        raise page.error("a code span begins and ends on one line, unescaped", number)
    if "$$" in bare and line.strip() != "$$":
        raise page.error("$$ stands on a line of its own", number)


def _read_numbers(page: Page, number: int, line: str) -> Iterator[Number]:
    bare = CODE_SPAN.sub(lambda match: " " * len(match[0]), line)
    for match in DATA.finditer(line):
        if bare[match.start()] == "<":
            yield Number(html.unescape(match[1]), match[2], number, *match.span(2))
    if re.search(r"</?data\b", DATA.sub("", bare)):
        raise page.error(
            'write a number as <data value="EXPRESSION">text</data> on one line', number
        )


def can_stand_in_a_fence(printed: str) -> bool:
    """Tell whether a page can show an output: whole lines, none of them a fence."""
    lines = printed.splitlines()
    is_fence = any(line.startswith("```") for line in lines)
    return not is_fence and "".join(f"{line}\n" for line in lines) == printed
