"""Watches functions of the package and the programs while they run, line by line."""

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FrameType
from typing import Any, TypedDict


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


def watch(
    act: Callable[[], object],
    functions: Sequence[Callable[..., object]],
    note: Callable[[CodeType, int, list[int], dict[str, Any]], object],
) -> None:
    """Run `act`; call `note` before each line of the functions that runs meanwhile.

    It is given the function's code, the line, the lines that have called the function,
    the nearest first, and its variables. When one of the functions returns to another,
    that one goes on in the middle of a line, which is noted, too; when the last of all
    returns, a line 0 is. Who traced before goes on afterwards.
    """
    codes = {inspect.unwrap(function).__code__ for function in functions}

    def is_ours(frame: FrameType | None) -> bool:
        return frame is not None and frame.f_code in codes

    def tell(frame: FrameType, line: int) -> None:
        waiting = []
        caller = frame.f_back
        while caller is not None and is_ours(caller):
            waiting.append(caller.f_lineno)
            caller = caller.f_back
        note(frame.f_code, line, waiting, frame.f_locals)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if not is_ours(frame):
            return None
        caller = frame.f_back
        if event == "line":
            tell(frame, frame.f_lineno)
        elif event == "return" and caller is not None:
            tell(*((caller, caller.f_lineno) if is_ours(caller) else (frame, 0)))
        return trace

    earlier = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(earlier)


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

    def acts(self, line: int) -> bool:
        """Say whether a line does something itself; the head of a block does not."""
        acting = ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr | ast.Return
        return isinstance(self.statements.get(line), acting)

    def takes(self, line: int, then: int) -> set[str]:
        """Return the names that the `for` of a line fills before it enters its body."""
        loop = self.statements.get(line)
        if not isinstance(loop, ast.For):
            return set()
        end = loop.body[-1].end_lineno or loop.body[-1].lineno
        if not line < then <= self.first + end - 1:
            return set()
        return {x.id for x in ast.walk(loop.target) if isinstance(x, ast.Name)}

    def line(self, begins: str) -> int:
        """Return the line of the one statement that begins with a text."""
        (line,) = [
            number
            for number, statement in self.statements.items()
            if ast.unparse(statement).startswith(begins)
        ]
        return line

    def loops(self, line: int) -> bool:
        """Say whether a line is the head of a `for`."""
        return isinstance(self.statements.get(line), ast.For)


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
