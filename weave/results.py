"""The expressions that a page states, and the results of running the page."""

import ast
import builtins
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class StatedExpression:
    """An expression that a page states, to be evaluated after the blocks above it.

    Attributes:
        expression: The Python source of the expression.
        line: The line of the page on which it stands.
        convert: Turns the value into something that can be compared and sent to another
            process. Called in the process that evaluates the expression, with the value,
            the expression and the namespace of its chain.
    """

    expression: str
    line: int
    convert: Callable[[Any, str, dict[str, Any]], Any]


@dataclass
class RunResults:
    """The results of running a page, or one chain of its blocks.

    Attributes:
        outputs: What each block printed, by the line of the block.
        values: The converted value of each expression, by its line and source.
        failures: An error message for each block or expression that failed, by line.
        session_outputs: Each shell session with its present output, by line.
        missing_libraries: The missing library of each block or expression that was
            skipped; a library occurs once for each of them.
    """

    outputs: dict[int, str] = field(default_factory=dict)
    values: dict[tuple[int, str], Any] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)
    session_outputs: dict[int, str] = field(default_factory=dict)
    missing_libraries: list[str] = field(default_factory=list)

    def add(self, other: "RunResults") -> None:
        """Add the results of another part of the page."""
        self.outputs |= other.outputs
        self.values |= other.values
        self.session_outputs |= other.session_outputs
        self.failures |= other.failures
        self.missing_libraries += other.missing_libraries


def is_hard_coded(expression: str) -> bool:
    """Tell whether an expression uses no name, so that no change could make it wrong.

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
