"""The same graph with one node for each sum of products."""

from collections import Counter

from microgpt import nn
from microgpt.autograd import Value
from microgpt.expression import Formula
from widgets._drawing import Drawing
from widgets.graph.walks import Ordered


def with_whole_sums(drawing: Drawing) -> Ordered | None:
    """Return the way back through the graph with a `dot` for each sum of products.

    Sums and products that have a name, or that are used twice, stay. None if no sum is
    left to make a `dot` of.
    """
    formula = drawing.formula
    users = Counter(child for node in drawing.order for child in node._children)

    def inside(node: Value, operation: str) -> bool:
        named = node in formula.names.values()
        return node._op == operation and users[node] == 1 and not named

    def terms(node: Value) -> list[Value]:
        """Return what a sum adds up; sums inside it are taken apart."""
        parts = [terms(x) if inside(x, "add") else [x] for x in node._children]
        return [term for part in parts for term in part]

    made: dict[Value, Value] = {}
    for node in drawing.order:
        added = terms(node) if node._op == "add" else []
        if added and all(inside(term, "multiply") for term in added):
            a, b = zip(*(term._children for term in added))
            made[node] = nn.dot([made[x] for x in a], [made[x] for x in b])
        else:
            children = tuple(made[child] for child in node._children)
            made[node] = Value(node.data, children, node._local_grads, node._op)
    names = {name: made[node] for name, node in formula.names.items() if node in made}
    places = {made[x]: place for x, place in formula.places.items() if x in made}
    whole = Formula(made[drawing.output], names, places)
    smaller = Drawing(drawing.text, len(drawing.order), whole)
    if not any(node._op == "dot" for node in smaller.order):
        return None
    return Ordered(smaller)
