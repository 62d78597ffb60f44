"""Watches functions of the package while they run, line by line."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType, FrameType
from typing import Any, TypedDict

from microgpt.autograd import Value


class SourceLine(TypedDict):
    """A line of a listing."""

    number: int
    text: str


class SourceFunction(TypedDict):
    """A function that ran, without its docstring."""

    name: str
    lines: list[SourceLine]


@dataclass
class Moment:
    """A line is about to run: what the variables of its function hold.

    `waiting` are the lines that have called the function. After the last line of all
    comes a moment whose line is 0.
    """

    code: CodeType
    line: int
    waiting: list[int] = field(default_factory=list)
    nodes: dict[str, Value] = field(default_factory=dict)
    lists: dict[str, list[Value]] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    grads: list[float] = field(default_factory=list)


def record(act: Callable[[], None], file: str, graph: list[Value]) -> list[Moment]:
    """Run a function; return a moment for each line of `file` that runs meanwhile.

    When a function returns, its caller goes on in the middle of a line: a moment, too.
    """
    moments: list[Moment] = []

    def is_ours(frame: FrameType | None) -> bool:
        return frame is not None and frame.f_code.co_filename == file

    def note(frame: FrameType, line: int) -> None:
        moment = Moment(frame.f_code, line, grads=[node.grad for node in graph])
        caller = frame.f_back
        while caller is not None and is_ours(caller):
            moment.waiting.append(caller.f_lineno)
            caller = caller.f_back
        for name, thing in frame.f_locals.items():
            if isinstance(thing, Value):
                moment.nodes[name] = thing
            elif isinstance(thing, (int, float)):
                moment.numbers[name] = thing
            elif isinstance(thing, (list, set)):
                # Of a pair, such as a node and an iterator, the node can be shown.
                firsts = [x[0] if isinstance(x, tuple) else x for x in thing]
                moment.lists[name] = [x for x in firsts if isinstance(x, Value)]
        moments.append(moment)

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if not is_ours(frame):
            return None
        if event == "line":
            note(frame, frame.f_lineno)
        elif event == "return" and frame.f_back is not None:
            called_here = is_ours(frame.f_back)
            note(
                *((frame.f_back, frame.f_back.f_lineno) if called_here else (frame, 0))
            )
        return trace

    earlier = sys.gettrace()
    sys.settrace(trace)
    try:
        act()
    finally:
        sys.settrace(earlier)
    return moments


class Source:
    """The text of a function, and what each of its lines is."""

    def __init__(self, code: CodeType) -> None:
        lines, self.first = inspect.getsourcelines(code)
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

    def adds(self, line: int) -> bool:
        """Say whether a line adds to something with +=."""
        match self.statements.get(line):
            case ast.AugAssign(op=ast.Add()):
                return True
        return False

    def takes(self, line: int, then: int) -> set[str]:
        """Return the names that the `for` of a line fills before it enters its body."""
        loop = self.statements.get(line)
        if not isinstance(loop, ast.For):
            return set()
        end = loop.body[-1].end_lineno or loop.body[-1].lineno
        if not line < then <= self.first + end - 1:
            return set()
        return {x.id for x in ast.walk(loop.target) if isinstance(x, ast.Name)}

    def loops(self, line: int) -> bool:
        """Say whether a line is the head of a `for`."""
        return isinstance(self.statements.get(line), ast.For)
