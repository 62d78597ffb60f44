"""Each part that widgets share, at work."""

from __future__ import annotations

from collections import Counter
from typing import TypedDict

from microgpt import Value
from widgets._drawing import Drawing, GraphEdge, GraphNode
from widgets._inputs import positive, whole
from widgets._names import document, shuffled_names, token_names
from widgets._numbers import significant
from widgets._tracing import Source, SourceFunction

LARGEST = 12  # nodes
LONGEST = 200  # steps


class Parts(TypedDict):
    """Something for each part to show."""

    tokens: list[str]
    first: list[float]
    last: list[float]
    letters: list[str]
    values: list[float]
    products: list[list[float]]
    nodes: list[GraphNode]
    edges: list[GraphEdge]
    losses: list[float]
    gradients: list[float]
    functions: list[SourceFunction]


def parts(name: str, expression: str, rate: float, steps: int) -> Parts:
    """Spell a name, draw an expression, and walk down a parabola."""
    if positive(rate, "learning rate") > 1:
        raise ValueError("learning rate: choose 1 or less")
    steps = whole(steps, "steps", 1, LONGEST)
    spelled = document(name)[1:-1]
    names = shuffled_names()
    drawing = Drawing(expression, LARGEST)
    drawing.output.backward()
    tokens = token_names()
    middle = (len(tokens) - 2) / 2
    values = [significant((token - middle) / middle) for token in spelled]
    losses, gradients = descend(rate, steps)
    return Parts(
        tokens=tokens,
        first=shares([each[0] for each in names], tokens),
        last=shares([each[-1] for each in names], tokens),
        letters=[tokens[token] for token in spelled],
        values=values,
        products=[[significant(a * b) for b in values] for a in values],
        nodes=drawing.nodes(),
        edges=drawing.edges(),
        losses=losses,
        gradients=gradients,
        functions=[Source(descend.__code__).listing()],
    )


def shares(letters: list[str], tokens: list[str]) -> list[float]:
    """Return the share of each token among some letters."""
    counts = Counter(letters)
    return [significant(counts[token] / len(letters)) for token in tokens]


def descend(rate: float, steps: int) -> tuple[list[float], list[float]]:
    """Walk from 1 down x squared; return the loss and the gradient of each step."""
    losses, gradients = [], []
    x = Value(1.0)
    for _ in range(steps):
        loss = x * x
        x.grad = 0.0
        loss.backward()
        losses.append(loss.data)
        gradients.append(x.grad)
        x.data -= rate * x.grad
    return losses, gradients
