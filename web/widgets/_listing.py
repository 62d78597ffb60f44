"""Lists functions of the programs, and finds the lines that compute something."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import TypedDict


class SourceLine(TypedDict):
    """A line of a listing."""

    number: int
    text: str


class SourceFunction(TypedDict):
    """A function that ran, without its docstring."""

    name: str
    lines: list[SourceLine]


class LitLine(TypedDict):
    """A line that runs, and those that wait for it."""

    line: int
    waiting: list[int]


class LitListing(TypedDict):
    """Functions of a file, and the line that runs at each of some stages."""

    file: str
    functions: list[SourceFunction]
    lit: list[LitLine]


class Source:
    """The text of a function, and what each of its lines is."""

    def __init__(self, code: CodeType) -> None:
        lines, self.first = inspect.getsourcelines(code)
        self.file = "/".join(code.co_filename.replace("\\", "/").split("/")[-2:])
        self.text = textwrap.dedent("".join(lines))
        (function,) = ast.parse(self.text).body
        assert isinstance(function, ast.FunctionDef)
        self.function = function
        self.statements = {
            self.first + node.lineno - 1: node
            for node in ast.walk(function)
            if isinstance(node, ast.stmt)
        }

    def listing(self) -> SourceFunction:
        """Return the lines as they stand in the file, the docstring left out."""
        hidden = range(0)
        match self.function.body[0]:
            case ast.Expr(value=ast.Constant(value=str())) as docstring:
                end = docstring.end_lineno or docstring.lineno
                hidden = range(docstring.lineno, end + 1)
        return SourceFunction(
            name=self.function.name,
            lines=[
                SourceLine(number=self.first + i - 1, text=line)
                for i, line in enumerate(self.text.splitlines(), 1)
                if i not in hidden
            ],
        )

    def line(self, begins: str) -> int:
        """Return the line of the one statement that begins with a text."""
        (line,) = [
            number
            for number, statement in self.statements.items()
            if ast.unparse(statement).startswith(begins)
        ]
        return line


def lit_listing(
    functions: Sequence[Callable[..., object]],
    lines: Sequence[tuple[str, str]],
    calls: Mapping[str, tuple[str, str]],
) -> LitListing:
    """Find lines, each by its function and how it begins; `calls` has those that wait."""
    sources = {each.__name__: Source(each.__code__) for each in functions}

    def waiting(function: str) -> list[int]:
        at = calls.get(function)
        return [sources[at[0]].line(at[1])] if at else []

    return LitListing(
        file=sources[functions[0].__name__].file,
        functions=[source.listing() for source in sources.values()],
        lit=[
            LitLine(line=sources[function].line(begins), waiting=waiting(function))
            for function, begins in lines
        ],
    )
