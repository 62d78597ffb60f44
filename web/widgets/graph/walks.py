"""The ways back through a graph: in order, and without."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from microgpt.autograd import Value, topological_order
from widgets._drawing import Drawing, listed, number, short

MOST_ADDITIONS = 48  # of a walk without an order


class GraphStep(TypedDict):
    """What a play shows at a step, and in words what happens.

    `grads` are the gradients just before; `addend` is what the one of `node` is about
    to get, and `product` how it came about.
    """

    says: str
    node: int | None
    edges: list[int]
    product: str
    addend: str
    grads: list[str]
    astray: bool


def shown(says: str, grads: Sequence[float], **more: Any) -> GraphStep:
    """Return a step with everything that isn't told left empty."""
    step = GraphStep(
        says=says,
        node=None,
        edges=[],
        product="",
        addend="",
        grads=[short(grad) for grad in grads],
        astray=False,
    )
    return GraphStep(**{**step, **more})  # type: ignore[typeddict-item]


class Walk:
    """A way back through a graph, and what the words for it need."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.names = [drawing.called(node) for node in drawing.order]
        self.edges = drawing.edges()
        self.slopes = [slope for node in drawing.order for slope in node._local_grads]
        self.into: list[list[int]] = [[] for _ in drawing.order]
        for i, edge in enumerate(self.edges):
            self.into[edge["target"]].append(i)
        for node in drawing.order:
            node.grad = 0.0
        # What the result is called in a sentence
        self.output = drawing.names(drawing.output) or "the result"
        says = f"Now back: {self.output} moves exactly as far as itself, so its gradient is 1."
        result = len(self.names) - 1
        self.steps = [shown(says, drawing.grads(), node=result, addend="→ 1")]
        drawing.output.grad = 1.0

    def addition(self, edge: int, grads: Sequence[float]) -> dict[str, Any]:
        """Return what a step shows of an edge along which a gradient is passed on."""
        added = self.slopes[edge] * grads[self.edges[edge]["target"]]
        return {
            "node": self.edges[edge]["source"],
            "edges": [edge],
            "product": self.product(edge, grads),
            "addend": f"+ {bracketed(short(added))}",
        }

    def product(self, edge: int, grads: Sequence[float]) -> str:
        """Write what passes along an edge: its slope, times the gradient at its end."""
        passed = short(grads[self.edges[edge]["target"]])
        return f"{short(self.slopes[edge])} × {bracketed(passed)}"


class Ordered(Walk):
    """The walk of `Value.backward`: each node passes on when its gradient is complete."""

    def __init__(self, drawing: Drawing) -> None:
        super().__init__(drawing)
        # How many edges have yet to pay into each node
        self.due = Counter(edge["source"] for edge in self.edges)
        for node in reversed(drawing.order):
            for edge, child in zip(self.into[drawing.ids[node]], node._children):
                before = drawing.grads()
                child.grad += self.slopes[edge] * node.grad
                says = self.passes(edge, before, child.grad)
                step = shown(says, before, **self.addition(edge, before))
                self.steps.append(step)
        self.final = drawing.grads()
        self.steps.append(shown(self.ends(), self.final))

    def passes(self, edge: int, before: list[float], after: float) -> str:
        """Say what an edge adds, and whether its child has to wait for more."""
        node, child = self.edges[edge]["target"], self.edges[edge]["source"]
        name, product = self.names[child], self.product(edge, before)
        added = short(self.slopes[edge] * before[node])
        straight = node == len(self.names) - 1
        way = "Directly" if straight else f"Through {self.names[node]}"
        self.due[child] -= 1
        away = self.due[child]
        end = f"; {away} more to come" if away else ", and is complete"
        return (
            f"{way}, {self.output} moves {product} = {added} times as far as {name}."
            f" The gradient of {name} goes from {short(before[child])}"
            f" to {short(after)}{end}."
        )

    def ends(self) -> str:
        """Tell the result, and the gradients of the inputs."""
        inputs = [
            f"{short(node.grad)} for {self.names[i]}"
            for i, node in enumerate(self.drawing.order)
            if not node._children and self.drawing.names(node)
        ]
        gradients = f": {listed(inputs)}" if inputs else ""
        output = self.drawing.output
        name, data = self.drawing.names(output) or "The result", number(output.data)
        return f"{name} is {data}, and every gradient is complete{gradients}."


class Naive(Walk):
    """A walk without an order, told addition by addition."""

    def __init__(self, drawing: Drawing, name: str, right: list[float]) -> None:
        super().__init__(drawing)
        self.right = right
        # What each node has passed on, visit by visit
        self.passed: list[list[float]] = [[] for _ in drawing.order]
        if name == "edge by edge":
            self.edge_by_edge(drawing.output)
        else:
            self.node_by_node(drawing.output)
        self.final = drawing.grads()
        self.steps.append(shown(self.ends(), self.final))

    def edge_by_edge(self, node: Value) -> None:
        """Pass a gradient on along each edge at once. As on the page about the order."""
        for child in self.pays(node):
            self.edge_by_edge(child)

    def node_by_node(self, node: Value) -> None:
        """Pass a gradient on to all children, then go to each."""
        for child in [*self.pays(node)]:
            self.node_by_node(child)

    def pays(self, node: Value) -> Iterator[Value]:
        """Pass the gradient of a node on, edge by edge; yield each child that has got it."""
        passed = self.passed[self.drawing.ids[node]]
        if node._children:
            passed.append(node.grad)
        for edge, child in zip(self.into[self.drawing.ids[node]], node._children):
            passed[-1] = node.grad
            before = self.drawing.grads()
            child.grad += self.slopes[edge] * node.grad
            self.steps.append(self.step(edge, before, child))
            yield child

    def step(self, edge: int, grads: list[float], child: Value) -> GraphStep:
        """Return an addition, and what is wrong about it."""
        node, at = self.edges[edge]["target"], self.edges[edge]["source"]
        *earlier, passed = self.passed[node]
        early = not same(passed, self.right[node], self.right)
        says = self.says(edge, early)
        if already := [number(x) for x in self.passed[at]]:
            says += f" {self.names[at]} becomes {number(child.grad)} only now:"
            says += f" it has already passed on {listed(already)}."
        astray = early or bool(earlier)
        return shown(says, grads, **self.addition(edge, grads), astray=astray)

    def says(self, edge: int, early: bool) -> str:
        """Say what a node passes on, and whether it should."""
        node, child = self.edges[edge]["target"], self.edges[edge]["source"]
        name = self.names[node]
        *earlier, passed = self.passed[node]
        told = f"{name} passes its {number(passed)} on to {self.names[child]}"
        if earlier:
            before = listed([number(x) for x in earlier])
            return f"{told}, though it has passed on {before} before."
        if early:
            right = number(self.right[node])
            return f"{told} too early: {attribute(name)} should be {right} first."
        return f"{told}."

    @property
    def wrong(self) -> dict[str, str]:
        """What each gradient should be that the walk gets wrong, by its node."""
        pairs = enumerate(zip(self.final, self.right))
        return {
            str(i): short(right)
            for i, (left, right) in pairs
            if not same(left, right, self.right)
        }

    def ends(self) -> str:
        """Say how the walk ends."""
        differ = [
            f"{attribute(self.names[int(i)])} is {short(self.final[int(i)])},"
            f" should be {right}"
            for i, right in self.wrong.items()
        ]
        if differ:
            return f"The walk is over: {'; '.join(differ)}."
        astray = any(step["astray"] for step in self.steps)
        end = ": no node passed on too early, or twice"
        end = ", though not everything passed on was complete" if astray else end
        return f"This time the walk ends with the right gradients{end}."


def additions(output: Value) -> int:
    """Return how many additions a walk without an order makes: one at each path's edge."""
    order = topological_order(output)
    visits = Counter({output: 1})
    for node in reversed(order):
        for child in node._children:
            visits[child] += visits[node]
    return sum(visits[node] * len(node._children) for node in order)


def same(a: float, b: float, all_of_them: list[float]) -> bool:
    """Say whether gradients are equal but for the rounding of another order."""
    largest = max(map(abs, all_of_them))
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12 * largest)


def attribute(name: str) -> str:
    """Return the gradient of what has that name, or is written so."""
    return f"{name}.grad" if name.isidentifier() else f"({name}).grad"


def bracketed(text: str) -> str:
    """Put a negative number into brackets, as behind a sign it has to be."""
    return f"({text})" if text.startswith("−") else text
