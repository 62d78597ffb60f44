"""Pictures of a graph of `Value`s: what was computed from what."""

from collections.abc import Mapping

from microgpt.autograd import Value, topological_order

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
        texts = [names_of(node, names or {}), node._op]
        texts.append(f"data {number(node.data)}")
        texts.append(f"grad {number(node.grad)}")
        label = "<br/>".join(filter(None, texts))
        lines.append(f'    {ids[node]}["{label}"]')
    for node in order:
        for child, local_grad in zip(node._children, node._local_grads):
            label = number(local_grad)
            lines.append(f"    {ids[child]} -->|{label}| {ids[node]}")
    inputs = [ids[node] for node in order[:-1] if not node._children]
    if inputs:
        lines.append(f"    class {','.join(inputs)} input")
    lines.append(f"    class {ids[output]} result")
    return "\n".join(lines)


def table(output: Value, names: Names | None = None) -> str:
    """List a graph's nodes, each with its children, in columns."""
    order = drawable_order(output)
    ids = {node: f"n{i}" for i, node in enumerate(order)}
    titles = ["node", "name", "operation", "data", "grad"]
    rows = [[*titles, "from (local gradient)"]]
    for node in order:
        edges = zip(node._children, node._local_grads)
        children = [f"{ids[x]} ({number(slope)})" for x, slope in edges]
        texts = [ids[node], names_of(node, names or {}), node._op]
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
