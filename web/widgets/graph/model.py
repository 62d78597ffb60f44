"""The graph of an expression, played forwards and back."""

import math
from collections import Counter
from typing import Literal, NamedTuple, TypedDict

from microgpt import graph as drawing
from microgpt.autograd import Value, topological_order
from microgpt.expression import ExpressionError, evaluate_with_spans

LARGEST = 40  # nodes
# Up to here a slider's ends, and the distance between them, are finite.
LARGEST_INPUT = 1e307
LONGEST_TITLE = 12
ROOM = 8  # characters for a number


class GraphNode(TypedDict):
    """A node: what its box shows, what it is, and what its gradient means."""

    title: str
    operation: str
    data: str
    grad: str
    input: bool
    says: list[str]


class GraphEdge(TypedDict):
    """An edge from a child to what was made of it, by their places in the order."""

    source: int
    target: int
    local_grad: str


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


class GraphInput(TypedDict):
    """A number that the reader may move, where it stands, and how far it may go."""

    name: str
    value: float
    place: tuple[int, int]
    low: float
    high: float
    step: float


class Graph(TypedDict):
    """A graph, children before what is made of them, and the steps of a play on it.

    `forward` is the last step that computes a node.
    """

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    forward: int
    steps: list[GraphStep]
    inputs: list[GraphInput]


def graph(
    expression: str,
    open: Literal["", "numbers", "expression"] = "",
    at: Literal["start", "values", "end"] | int = "end",
) -> Graph:
    """Evaluate an expression, and record how its values and gradients come about.

    A page says besides where the instrument stands at first: which panel is open, and
    at which step the play is.
    """
    play = Play(expression)
    play.forward()
    forward = len(play.steps) - 1
    play.back()
    return Graph(
        nodes=[play.shown(node) for node in play.order],
        edges=[
            GraphEdge(
                source=play.ids[edge.child],
                target=play.ids[edge.node],
                local_grad=short(edge.slope),
            )
            for edge in play.edges
        ],
        forward=forward,
        steps=play.steps,
        inputs=play.inputs(),
    )


class Edge(NamedTuple):
    """An edge, and its place among all."""

    at: int
    child: Value
    node: Value
    slope: float


class Play:
    """A play on the graph of a text: its steps so far, and what nodes are called."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.formula = evaluate_with_spans(text)
        self.output = self.formula.result
        self.order = topological_order(self.output)
        if len(self.order) > LARGEST:
            reason = f"the graph has {len(self.order)} nodes; {LARGEST} fit in here"
            raise ExpressionError(reason, None)
        self.ids = {node: i for i, node in enumerate(self.order)}
        self.edges: list[Edge] = []
        for node in self.order:
            for child, slope in zip(node._children, node._local_grads):
                self.edges.append(Edge(len(self.edges), child, node, slope))
        self.steps: list[GraphStep] = []

    def into(self, node: Value) -> list[Edge]:
        """Return the edges to a node, in the order of its operands."""
        return [edge for edge in self.edges if edge.node is node]

    def step(
        self,
        says: str,
        node: Value | None = None,
        edges: tuple[Edge, ...] = (),
        product: str = "",
        addend: str = "",
    ) -> None:
        """Record a step, before what it tells is done."""
        self.steps.append(
            GraphStep(
                says=says,
                node=None if node is None else self.ids[node],
                edges=[edge.at for edge in edges],
                product=product,
                addend=addend,
                grads=[short(each.grad) for each in self.order],
            )
        )

    def forward(self) -> None:
        """Tell the inputs, then each operation and the slopes that it notes."""
        given = [
            f"{self.named(node)} is {number(node.data)}"
            for node in self.order
            if not node._children and self.named(node)
        ]
        told = f"The inputs: {listed(given)}." if given else "The inputs are numbers."
        if len(self.order) == 1:
            told = "A number alone: there is nothing to compute."
        self.step(told)
        for node in self.order:
            if edges := self.into(node):
                made = self.made(node)
                verb = "gives" if made == node._op else "is"
                noun = "slope" if len(edges) == 1 else "slopes"
                slopes = [f"{short(e.slope)} for {self.called(e.child)}" for e in edges]
                says = f"{made} {verb} {number(node.data)}. It notes its {noun}: {listed(slopes)}."
                self.step(says, node, (*edges,))

    def back(self) -> None:
        """Walk back as `Value.backward` does: pass a gradient on when it is complete."""
        output = self.named(self.output) or "the result"
        says = (
            f"Now back: {output} moves exactly as far as itself, so its gradient is 1."
        )
        self.step(says, self.output, addend="→ 1")
        self.output.grad = 1.0
        # How many edges have yet to pay into each node
        due = Counter(edge.child for edge in self.edges)
        for edge in [e for node in reversed(self.order) for e in self.into(node)]:
            child, passed = edge.child, edge.slope * edge.node.grad
            due[child] -= 1
            straight = edge.node is self.output
            way = "Directly" if straight else f"Through {self.called(edge.node)}"
            product = f"{short(edge.slope)} × {bracketed(short(edge.node.grad))}"
            end = f"; {due[child]} more to come" if due[child] else ", and is complete"
            says = (
                f"{way}, {output} moves {product} = {short(passed)} times as far as"
                f" {self.called(child)}. The gradient of {self.called(child)} goes from"
                f" {short(child.grad)} to {short(child.grad + passed)}{end}."
            )
            self.step(says, child, (edge,), product, f"+ {bracketed(short(passed))}")
            child.grad += passed
        self.refuse_infinite_gradients()
        inputs = [
            f"{short(node.grad)} for {self.named(node)}"
            for node in self.order
            if not node._children and self.named(node)
        ]
        gradients = f": {listed(inputs)}" if inputs else ""
        result = (
            f"{self.named(self.output) or 'The result'} is {number(self.output.data)}"
        )
        self.step(f"{result}, and every gradient is complete{gradients}.")

    def refuse_infinite_gradients(self) -> None:
        """Raise ExpressionError if the walk has left a gradient without end."""
        for node in self.order:
            if not math.isfinite(node.grad):
                at = self.formula.spans.get(node, (None, None))[0]
                where = "" if at is None else f"character {at + 1}: "
                reason = f"{where}the gradient here is too large for a float"
                raise ExpressionError(reason, at)

    # What nodes are called

    def named(self, node: Value) -> str:
        """Return what the text calls a node, or "" if nothing."""
        names = self.formula.variables.items()
        return ", ".join(name for name, value in names if value is node)

    def source(self, node: Value) -> str:
        """Return the part of the text that a node stands for, or "" if none."""
        start, end = self.formula.spans.get(node, (0, 0))
        return " ".join(self.text[start:end].split())

    def made(self, node: Value) -> str:
        """Return the name of what an operation made, and what it was made of."""
        parts = [self.named(node), self.source(node) or node._op]
        return " = ".join(filter(None, parts))

    def title(self, node: Value) -> str:
        """Return a short name: the node's own, its part of the text, its operation."""
        if name := self.named(node):
            return name
        if not node._children:
            return "number"
        # A part of the text whose numbers can be moved would not keep its width.
        source = self.source(node)
        fits = self.formula.variables and 0 < len(source) <= LONGEST_TITLE
        return source if fits else node._op

    def called(self, node: Value) -> str:
        """Return the title, or for a number without a name that number."""
        title = self.title(node)
        return number(node.data) if title == "number" else title

    def shown(self, node: Value) -> GraphNode:
        """Return what a node's box says, and what is to be said of it."""
        title = self.title(node)
        return GraphNode(
            title=title,
            operation="" if title == node._op else node._op,
            data=short(node.data),
            grad=short(node.grad),
            input=not node._children,
            says=[self.origin(node), self.meaning(node)],
        )

    def origin(self, node: Value) -> str:
        """Say what the number of a node was made from."""
        data = number(node.data)
        if node._children:
            operands = [
                f"{self.called(child)} (local gradient {number(slope)})"
                for child, slope in zip(node._children, node._local_grads)
            ]
            return f"{self.made(node)} is {data}, made from {listed(operands)}."
        if name := self.named(node):
            return f"{name} is {data}, an input."
        return f"{data} is a number without a name. It became a node of its own."

    def meaning(self, node: Value) -> str:
        """Say what the gradient of a node foretells of a small step."""
        if node is self.output:
            return "The result: its own gradient is 1."
        # 0.1, or for large numbers a tenth of their magnitude
        size = max(abs(node.data), 1.0)
        nudge = float(10.0 ** (math.floor(math.log10(size)) - 1))
        foretold = node.grad * nudge
        direction = "rises" if foretold > 0 else "falls"
        moves = f"{direction} by about {abs(foretold):.3g}"
        return (
            f"Gradient {number(node.grad)}: if {self.named(node) or 'it'} rises by"
            f" {nudge:g}, {self.named(self.output) or 'the result'}"
            f" {moves if foretold else 'stays about where it is'}."
        )

    def inputs(self) -> list[GraphInput]:
        """Return the numbers that stand in the text and became a `Value` there."""
        found = []
        places = self.formula.spans
        for node in sorted(places, key=places.__getitem__):
            # Half as far again as the number is from 0, rounded up; no less than 5.
            size = max(abs(node.data) * 1.5, 5.0)
            if node._children or node not in self.ids or size > LARGEST_INPUT:
                continue
            unit = 10.0 ** math.floor(math.log10(size))
            bound = next(unit * i for i in (1, 2, 5, 10) if unit * i >= size)
            found.append(
                GraphInput(
                    name=self.named(node) or self.source(node),
                    value=node.data,
                    place=places[node],
                    low=-bound,
                    high=bound,
                    step=bound / 50,
                )
            )
        return found


def number(x: float) -> str:
    """Write a number as sentences do, with a minus sign: a hyphen is for code."""
    return drawing.format_number(x).replace("-", "−")


def short(x: float) -> str:
    """Write a number in at most eight characters, with four digits where they fit."""
    texts = (f"{x + 0.0:.{digits}g}" for digits in (4, 3, 2, 1))
    fits = next((text for text in texts if len(text) <= ROOM), f"{x:.0e}")
    return fits.replace("-", "−")


def bracketed(text: str) -> str:
    """Put a negative number into brackets, as behind a sign it has to be."""
    return f"({text})" if text.startswith("−") else text


def listed(things: list[str]) -> str:
    """Join words as a sentence does: "a", "a and b", "a, b and c"."""
    *others, last = things
    return f"{', '.join(others)} and {last}" if others else last
