"""The graph of an expression, as the package computes it."""

from __future__ import annotations

from typing import TypedDict

from microgpt.expression import evaluate
from microgpt.graph import mermaid


class Graph(TypedDict):
    """A graph of `Value`s after `backward`."""

    mermaid: str


def graph(expression: str) -> Graph:
    """Evaluate an expression and call `backward` on its result."""
    output, names = evaluate(expression)
    output.backward()
    return Graph(mermaid=mermaid(output, names))
