"""Pictures of a graph of `Value`s: what was computed from what."""

from collections.abc import Mapping

from microgpt.autograd import Value, topological_order

MAX_DRAWN_NODES = 200
RESERVED_IN_MERMAID = '"`<>&#;|'  # characters with a meaning in Mermaid
NamedValues = Mapping[str, Value]


def mermaid(output: Value, names: NamedValues | None = None) -> str:
    """Return a graph as a Mermaid flowchart, from inputs to output.

    An arrow leads from a child to the node computed from it, labelled
    with the local gradient.

    Args:
        output: The last node of the graph.
        names: Names of some nodes, to show in their boxes.

    Raises:
        ValueError: There are more than 200 nodes, or a name has a
            character that a Mermaid text cannot hold.
    """
    order = drawing_order(output)
    ids = {node: f"n{i}" for i, node in enumerate(order)}
    lines = ["flowchart TD"]
    for node in order:
        texts = [node_names(node, names or {}), node._op]
        texts.append(f"data {format_number(node.data)}")
        texts.append(f"grad {format_number(node.grad)}")
        label = "<br/>".join(filter(None, texts))
        lines.append(f'    {ids[node]}["{label}"]')
    for node in order:
        for child, local_grad in zip(node._children, node._local_grads):
            label = format_number(local_grad)
            lines.append(f"    {ids[child]} -->|{label}| {ids[node]}")
    inputs = [ids[node] for node in order[:-1] if not node._children]
    if inputs:
        lines.append(f"    class {','.join(inputs)} input")
    lines.append(f"    class {ids[output]} result")
    return "\n".join(lines)


def format_table(
    output: Value,
    names: NamedValues | None = None,
) -> str:
    """Return a graph as a table in plain text, a line for each node.

    Raises:
        ValueError: As in `mermaid`.
    """
    order = drawing_order(output)
    ids = {node: f"n{i}" for i, node in enumerate(order)}
    titles = ["node", "name", "operation", "data", "grad"]
    rows = [[*titles, "from (local gradient)"]]
    for node in order:
        edges = zip(node._children, node._local_grads)
        children = [
            f"{ids[x]} ({format_number(slope)})" for x, slope in edges
        ]
        texts = [ids[node], node_names(node, names or {}), node._op]
        numbers = [format_number(node.data), format_number(node.grad)]
        rows.append([*texts, *numbers, ", ".join(children)])
    columns = zip(*rows, strict=True)
    widths = [max(map(len, column)) for column in columns]
    lines = (
        "  ".join(map(str.ljust, row, widths)).rstrip() for row in rows
    )
    return "\n".join(lines)


def drawing_order(output: Value) -> list[Value]:
    """Return the nodes in topological order; ValueError if too many."""
    order = topological_order(output)
    if len(order) > MAX_DRAWN_NODES:
        raise ValueError(
            f"expected a graph of at most {MAX_DRAWN_NODES} nodes,"
            f" got {len(order):,}: shorten the expression"
        )
    return order


def format_number(x: float) -> str:
    """Return a number with six digits at most, and 0 for −0."""
    return f"{x + 0.0:.6g}"


def node_names(node: Value, names: NamedValues) -> str:
    """Return a node's names; ValueError if one breaks a diagram."""
    own_names = [name for name, value in names.items() if value is node]
    for name in own_names:
        if not name.isprintable() or {*RESERVED_IN_MERMAID} & {*name}:
            raise ValueError(
                f"a diagram cannot show the name {name!r}: expected"
                " printable characters without any of"
                f" {RESERVED_IN_MERMAID}"
            )
    return ", ".join(own_names)
