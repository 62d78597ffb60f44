"""The walk without an order beside the walk in one: recorded while both of them run."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable
from types import FrameType
from typing import ClassVar, TypedDict

from microgpt.autograd import Value
from microgpt.cli.expression import ExpressionError
from microgpt.cli.graph import number
from widgets._drawing import Drawing, GraphEdge, GraphNode, listed, short

LARGEST = 12  # nodes
MOST_STEPS = 32


class OrderStep(TypedDict):
    """What one edge adds: to which gradient what, and how all of them stand then.

    `astray` says that what is passed on is not complete, or was passed on before.
    """

    edge: int
    formula: str
    sum: str
    grads: list[str]
    astray: bool
    says: str


class Order(TypedDict):
    """Both walks over one graph; `parting` is the first step that differs."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    start: list[str]
    naive: list[OrderStep]
    ordered: list[OrderStep]
    parting: int | None
    wrong: list[int]
    verdict: str


def edge_by_edge(node: Value) -> None:
    """Pass on along each edge at once, without an order. As on the page."""
    for child, local_grad in zip(node._children, node._local_grads):
        child.grad += local_grad * node.grad
        edge_by_edge(child)


def order(expression: str) -> Order:
    """Walk the graph of an expression back twice, and tell the walks edge by edge."""
    ordered, naive = Drawing(expression, LARGEST), Drawing(expression, LARGEST)
    additions = record(ordered, ordered.output.backward)
    ordered.refuse_infinite_gradients()
    additions_naive = record(naive, lambda: start_naively(naive.output))
    naive.refuse_infinite_gradients()
    right = [node.grad for node in ordered.order]
    left = [node.grad for node in naive.order]
    told = Ordered(ordered, additions, right).steps()
    told_naive = Naive(naive, additions_naive, right).steps()
    wrong = [i for i in range(len(right)) if not same(left[i], right[i], right)]
    return Order(
        nodes=ordered.nodes(),
        edges=ordered.edges(),
        start=[short(float(node is ordered.output)) for node in ordered.order],
        naive=told_naive,
        ordered=told,
        parting=parting(told_naive, told),
        wrong=wrong,
        verdict=verdict(ordered, left, right, wrong, told_naive),
    )


def start_naively(output: Value) -> None:
    """Give the output its gradient, and walk."""
    output.grad = 1.0
    edge_by_edge(output)


class Addition(TypedDict):
    """One edge, as its addition was made: all gradients after it.

    `visit` counts the visits of the node that passes its gradient on.
    """

    edge: int
    visit: int
    passed: float
    local_grad: float
    before: float
    grads: list[float]


class Watched(Value):
    """A `Value` that tells when its gradient is set, and by which frame."""

    __slots__ = ()
    tell: ClassVar[Callable[[Value, float, FrameType], None]]

    def __setattr__(self, name: str, value: object) -> None:
        before = self.grad
        super().__setattr__(name, value)
        if name == "grad":
            Watched.tell(self, before, sys._getframe(1))


def record(drawing: Drawing, walk: Callable[[], None]) -> list[Addition]:
    """Run a walk over a drawing's graph; return what it adds along which edge."""
    additions: list[Addition] = []
    edges = drawing.edges()
    frames: list[FrameType] = []  # kept, so that no two of them are one
    turns: Counter[tuple[int, int]] = Counter()
    visits: dict[int, list[int]] = {}

    def tell(child: Value, before: float, frame: FrameType) -> None:
        """Note an addition; the walk's own names say by way of which node."""
        node = frame.f_locals.get("node")
        if node is None:  # the output's own gradient
            return
        if len(additions) == MOST_STEPS:
            reason = f"one of the walks has more than {MOST_STEPS} steps here"
            raise ExpressionError(reason, None)
        frames.append(frame)
        at = drawing.ids[node]
        into = [i for i, edge in enumerate(edges) if edge["target"] == at]
        turn = turns[id(frame), at]
        turns[id(frame), at] += 1
        mine = visits.setdefault(at, [])
        if id(frame) not in mine:
            mine.append(id(frame))
        additions.append(
            Addition(
                edge=into[turn],
                visit=mine.index(id(frame)),
                passed=node.grad,
                local_grad=frame.f_locals["local_grad"],
                before=before,
                grads=[x.grad for x in drawing.order],
            )
        )

    Watched.tell = staticmethod(tell)
    for node in drawing.order:
        node.__class__ = Watched
    try:
        walk()
    finally:
        for node in drawing.order:
            node.__class__ = Value
    return additions


class Telling:
    """Puts a walk into words; what it says of an addition, each walk has its own."""

    def __init__(
        self, drawing: Drawing, additions: list[Addition], right: list[float]
    ) -> None:
        self.drawing, self.additions, self.right = drawing, additions, right
        self.edges = drawing.edges()
        self.names = [drawing.called(node) for node in drawing.order]

    def steps(self) -> list[OrderStep]:
        """Return the steps, each with its formula and its sentences."""
        return [self.step(at, addition) for at, addition in enumerate(self.additions)]

    def step(self, at: int, addition: Addition) -> OrderStep:
        """Return what an addition does, as it is written on the page."""
        edge = self.edges[addition["edge"]]
        child, passed = edge["source"], addition["passed"]
        slope, becomes = short(addition["local_grad"]), addition["grads"][child]
        added = short(addition["local_grad"] * passed)
        return OrderStep(
            edge=addition["edge"],
            formula=f"{self.names[child]}.grad += {slope} × {bracketed(short(passed))}",
            sum=f"{short(addition['before'])} + {bracketed(added)} = {short(becomes)}",
            grads=[short(grad) for grad in addition["grads"]],
            astray=self.astray(at, addition),
            says=self.says(at, addition),
        )

    def astray(self, at: int, addition: Addition) -> bool:
        """Say whether a node passes on what is not, or not alone, its gradient."""
        node = self.edges[addition["edge"]]["target"]
        return addition["visit"] > 0 or not self.complete(node, addition)

    def complete(self, node: int, addition: Addition) -> bool:
        """Say whether a node passes on all of its gradient."""
        return same(addition["passed"], self.right[node], self.right)

    def says(self, at: int, addition: Addition) -> str:
        """Say what is passed on, and what it means."""
        raise NotImplementedError


class Ordered(Telling):
    """Tells the walk in topological order, where nodes wait until they are complete."""

    def says(self, at: int, addition: Addition) -> str:
        """Say what is passed on, and whether the child has to wait for more."""
        edge = self.edges[addition["edge"]]
        node, child = self.names[edge["target"]], self.names[edge["source"]]
        still = [self.edges[later["edge"]] for later in self.additions[at + 1 :]]
        more = sum(later["source"] == edge["source"] for later in still)
        passes = f"{node} is complete and passes on {number(addition['passed'])}."
        if more:
            return f"{passes} {child} waits for {more} more."
        return (
            f"{passes} {child} is complete with {number(self.right[edge['source']])}."
        )


class Naive(Telling):
    """Tells the walk without an order, where every node passes on at once."""

    def says(self, at: int, addition: Addition) -> str:
        """Say what is passed on, and what is wrong about it."""
        edge = self.edges[addition["edge"]]
        node, child = edge["target"], edge["source"]
        name, passed = self.names[node], addition["passed"]
        earlier = self.passed_on(node, at)[: addition["visit"]]
        if earlier:
            before = listed([number(x) for x in earlier])
            says = (
                f"{name} passes on {number(passed)}, after it has passed on {before}."
            )
        elif not self.complete(node, addition):
            right = number(self.right[node])
            says = f"{name} passes on {number(passed)} before it is complete: it should be {right}."
        else:
            says = f"{name} passes on {number(passed)}."
        already = self.passed_on(child, at)
        if already:
            before = listed([number(x) for x in already])
            becomes = number(addition["grads"][child])
            name = self.names[child]
            says += f" {name} becomes {becomes} only now: it has passed on {before} already."
        return says

    def passed_on(self, node: int, until: int) -> list[float]:
        """Return what a node passed on before a step, visit by visit."""
        visits = {
            addition["visit"]: addition["passed"]
            for addition in self.additions[:until]
            if self.edges[addition["edge"]]["target"] == node
        }
        return list(visits.values())


def parting(naive: list[OrderStep], ordered: list[OrderStep]) -> int | None:
    """Return the first step at which the walks do not do the same."""
    last = max(len(naive), len(ordered))
    formulas = [[step["formula"] for step in walk] for walk in (naive, ordered)]
    for at in range(last):
        if formulas[0][at : at + 1] != formulas[1][at : at + 1]:
            return at
    return None


def verdict(
    drawing: Drawing,
    left: list[float],
    right: list[float],
    wrong: list[int],
    naive: list[OrderStep],
) -> str:
    """Say in a sentence how the walks end."""
    if wrong:
        name = drawing.called
        differ = [
            f"{name(drawing.order[i])}.grad is {number(left[i])} "
            f"instead of {number(right[i])}"
            for i in wrong
        ]
        return f"The naive walk is wrong: {listed(differ)}."
    if any(step["astray"] for step in naive):
        return "Both walks end with the same gradients, though not all was complete."
    return "Both walks end with the same gradients: no node passed on too early."


def same(a: float, b: float, all_of_them: list[float]) -> bool:
    """Say whether gradients are equal but for the rounding of another order."""
    largest = max(map(abs, all_of_them))
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12 * largest)


def bracketed(text: str) -> str:
    """Put a negative number into brackets, as behind a sign it has to be."""
    return f"({text})" if text.startswith("-") else text
