"""The expressions that a page states, and the results of running the page."""

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Namespace = dict[str, Any]  # the variables of a chain of blocks, by name


@dataclass(frozen=True)
class StatedExpression:
    """An expression that a page states, to be evaluated after the blocks above it."""

    expression: str
    line: int  # of the page
    # Called in the process that evaluates the expression, with the value, the expression
    # and its namespace; returns what can be compared and sent to another process
    convert: Callable[[Any, str, Namespace], Any]


@dataclass
class RunResults:
    """The results of running a page, or one chain of its blocks, by lines of the page."""

    outputs: dict[int, str] = field(default_factory=dict)  # what each block printed
    # The converted value of each expression, by its line and source
    values: dict[tuple[int, str], Any] = field(default_factory=dict)
    # An error message for each block or expression that failed
    failures: dict[int, str] = field(default_factory=dict)
    # Each shell session with its present output
    session_outputs: dict[int, str] = field(default_factory=dict)
    # The library of each block or expression that was skipped because it is missing
    missing_libraries: list[str] = field(default_factory=list)

    def add(self, other: "RunResults") -> None:
        """Add the results of another part of the page."""
        self.outputs |= other.outputs
        self.values |= other.values
        self.session_outputs |= other.session_outputs
        self.failures |= other.failures
        self.missing_libraries += other.missing_libraries


def is_hard_coded(expression: str) -> bool:
    """Return whether an expression uses no name, so that no change could make it wrong.

    Builtins, such as `len`, and names that the expression itself binds don't count.
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
