"""What is evaluated on a page, and what running the page gave."""

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class StatedExpression:
    """An expression that a page states, to be evaluated once its blocks have run.

    `answer` turns the value into what can be compared, in the process that evaluates
    it: it's called with the value, the expression and the names that the expression
    could use.
    """

    expression: str
    line: int
    convert: Callable[[Any, str, dict[str, Any]], Any]


@dataclass
class RunResults:
    """What came of running a page.

    `outputs` has what blocks printed, by line, and `answers` what expressions gave, by
    line and expression; `failures` has messages in the place of what was to come, and
    `ran` what sessions printed. `waiting` has the library that each part waits for.
    """

    outputs: dict[int, str] = field(default_factory=dict)
    values: dict[tuple[int, str], Any] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    session_outputs: dict[int, str] = field(default_factory=dict)
    missing_libraries: list[str] = field(default_factory=list)

    def add(self, other: "RunResults") -> None:
        """Add what came of running another part of the page."""
        self.outputs |= other.outputs
        self.values |= other.values
        self.session_outputs |= other.session_outputs
        self.failures |= other.failures
        self.missing_libraries += other.missing_libraries


def is_hard_coded(expression: str) -> bool:
    """Tell whether an expression names nothing: it cannot be wrong.

    What Python itself has, such as `len`, and what the expression binds don't count.
    Invalid syntax isn't hard-coded: evaluating it reports the mistake.
    """
    try:
        nodes = list(ast.walk(ast.parse(expression, mode="eval")))
    except (SyntaxError, ValueError):
        return False
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return {name.id for name in names} <= bound.union(dir(builtins))
