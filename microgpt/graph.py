"""Pictures of a graph of `Value`s: what was computed from what."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from microgpt.autograd import Value, topological_order
from microgpt.nn import dot

LARGEST = 200


Names = Mapping[str, Value]


def mermaid(output: Value, names: Names | None = None) -> str:
    """Draw a graph as a Mermaid flowchart, from inputs to output.

    An arrow leads from a child to what was made of it, labelled with
    the local gradient. Raise ValueError for more than 200 nodes, or a
    name that is no plain text.
    """
    order = drawable_order(output)
    ids = {node: f"n{i}" for i, node in enumerate(order)}
    lines = ["flowchart TD"]
    for node in order:
        numbers = [
            f"data {number(node.data)}",
            f"grad {number(node.grad)}",
        ]
        texts = [names_of(node, names or {}), operation(node), *numbers]
        lines.append(
            f'    {ids[node]}["{"<br/>".join(filter(None, texts))}"]'
        )
    for node in order:
        for child, local_grad in zip(node._children, node._local_grads):
            label = number(local_grad)
            lines.append(f"    {ids[child]} -->|{label}| {ids[node]}")
    inputs = [
        ids[node]
        for node in order
        if not node._children and node is not output
    ]
    if inputs:
        lines.append(f"    class {','.join(inputs)} input")
    lines.append(f"    class {ids[output]} result")
    return "\n".join(lines)


def table(output: Value, names: Names | None = None) -> str:
    """List a graph's nodes, each with its children, in columns."""
    order = drawable_order(output)
    ids = {node: f"n{i}" for i, node in enumerate(order)}
    rows = [
        [
            "node",
            "name",
            "operation",
            "data",
            "grad",
            "from (local gradient)",
        ]
    ]
    for node in order:
        children = [
            f"{ids[child]} ({number(local_grad)})"
            for child, local_grad in zip(
                node._children,
                node._local_grads,
            )
        ]
        texts = [
            ids[node],
            names_of(node, names or {}),
            operation(node),
        ]
        numbers = [number(node.data), number(node.grad)]
        rows.append([*texts, *numbers, ", ".join(children)])
    columns = zip(*rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = (
        "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows
    )
    return "\n".join(lines)


def drawable_order(output: Value) -> list[Value]:
    """Return the nodes in topological order; ValueError if too many."""
    order = topological_order(output)
    if len(order) > LARGEST:
        raise ValueError(
            f"a graph of {len(order):,} nodes is too large to draw; "
            f"the limit is {LARGEST} nodes"
        )
    return order


def number(x: float) -> str:
    """Write a number with few digits, and no −0."""
    return f"{x + 0.0:.6g}"


def names_of(node: Value, names: Names) -> str:
    """Return a node's names; ValueError if one breaks a diagram."""
    found = [name for name, value in names.items() if value is node]
    for name in found:
        if not name.isprintable() or set(name) & set('"`<>&#;|'):
            raise ValueError(f"a diagram cannot show the name {name!r}")
    return ", ".join(found)


def operation(node: Value) -> str:
    """Name the operation that made a node, or "" if that is uncertain.

    A `Value` does not store it. But what it holds can tell: each
    operation is tried on the children, and it counts if it alone leaves
    the same traces.
    """
    data = [child.data for child in node._children]
    traces = _traces(node, data)
    fitting = []
    for name, operate in _candidates(node):
        try:
            if _traces(operate(*map(Value, data)), data) == traces:
                fitting.append(name)
        except (ArithmeticError, ValueError):
            continue
    return fitting[0] if len(fitting) == 1 else ""


def _traces(node: Value, data: list[float]) -> tuple[object, ...]:
    # A positive number equals its ReLU, its sum alone and its power 1.
    # But `max` hands on the very object; arithmetic makes a new one.
    same_object = any(node.data is x for x in data)
    return node.data, node._local_grads, same_object


def _candidates(node: Value) -> list[tuple[str, Callable[..., Value]]]:
    if len(node._children) == 0:
        return []
    if len(node._children) > 1:
        half = len(node._children) // 2
        return [
            ("add", lambda *x: Value.sum(x)),
            (
                "multiply" if half == 1 else "dot",
                lambda *x: dot([*x[:half]], [*x[half:]]),
            ),
        ]
    x, local_grad = node._children[0].data, node._local_grads[0]
    # Where the exponent cannot be known, 2 shows that there may be one.
    exponent = local_grad * x / node.data if node.data else 2.0
    exponent = float(
        f"{exponent:.6g}"
    )  # as it was written, before any rounding
    return [
        ("add", lambda x: Value.sum([x])),
        ("exp", Value.exp),
        ("log", Value.log),
        ("relu", Value.relu),
        (f"power {number(exponent)}", lambda x: x**exponent),
    ]
