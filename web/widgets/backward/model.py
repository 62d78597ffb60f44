"""What `Value.backward` does, line by line: recorded while it runs."""

from __future__ import annotations

from itertools import pairwise
from types import CodeType
from typing import Any, TypedDict

from microgpt.autograd import Value, topological_order
from microgpt.cli.graph import number
from widgets import _tracing
from widgets._drawing import Drawing, GraphEdge, GraphNode, listed, short
from widgets._tracing import Source, SourceFunction, record

LARGEST = 24


class GradientChange(TypedDict):
    """What a line is about to do to a gradient, and how that is worked out."""

    node: int
    product: str
    addend: str
    formula: str
    was: str
    becomes: str


class BackwardStep(TypedDict):
    """How things stand just before a line runs; 0 is the end.

    `waiting` are the lines that have called the function of this one. Nodes are given
    by their places in the topological order, edges by theirs in `Backward.edges`; to
    `next_edge` the line is about to turn.
    """

    line: int
    waiting: list[int]
    nodes: dict[str, int]
    lists: dict[str, list[int]]
    grads: list[str]
    edge: int | None
    next_edge: int | None
    change: GradientChange | None
    says: str


class BackwardPhase(TypedDict):
    """A part of the walk, and the step at which it begins."""

    name: str
    at: int


class Backward(TypedDict):
    """The whole walk, and the functions that take it."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    names: list[str]
    file: str
    functions: list[SourceFunction]
    phases: list[BackwardPhase]
    steps: list[BackwardStep]


def backward(expression: str) -> Backward:
    """Evaluate an expression, and record `backward` on its result."""
    drawing = Drawing(expression, LARGEST)
    moments = record(
        drawing.output.backward,
        (Value.backward, topological_order),
        lambda variables: Held(variables, drawing.order),
    )
    drawing.refuse_infinite_gradients()
    walk = Walk(drawing, moments)
    return Backward(
        nodes=drawing.nodes(),
        edges=walk.edges,
        names=walk.names,
        file=walk.sources[walk.backward].file,
        functions=[source.listing() for source in walk.sources.values()],
        phases=walk.phases,
        steps=walk.steps,
    )


class Held:
    """What the variables of a function hold, by kind, and the gradients of a graph."""

    def __init__(self, variables: dict[str, Any], graph: list[Value]) -> None:
        self.grads = [node.grad for node in graph]
        self.nodes: dict[str, Value] = {}
        self.lists: dict[str, list[Value]] = {}
        self.numbers: dict[str, float] = {}
        for name, thing in variables.items():
            if isinstance(thing, Value):
                self.nodes[name] = thing
            elif isinstance(thing, (int, float)):
                self.numbers[name] = thing
            elif isinstance(thing, (list, set)):
                # Of a pair, such as a node and an iterator, the node can be shown.
                firsts = [x[0] if isinstance(x, tuple) else x for x in thing]
                self.lists[name] = [x for x in firsts if isinstance(x, Value)]


Moment = _tracing.Moment[Held]


class Walk:
    """The moments that matter, each with the words for what its line does."""

    def __init__(self, drawing: Drawing, moments: list[Moment]) -> None:
        self.drawing, self.ids = drawing, drawing.ids
        self.edges = drawing.edges()
        self.names = [drawing.called(node) for node in drawing.order]
        self.backward = moments[0].code
        codes: dict[CodeType, None] = dict.fromkeys(m.code for m in moments)
        self.sources = {code: Source(code) for code in codes}
        self.final = moments[-1].held.grads
        self.steps: list[BackwardStep] = []
        self.phases = [BackwardPhase(name="The order", at=0)]
        self.turns: dict[tuple[CodeType, int], int] = {}
        self.seen: list[int] = []
        edge: int | None = None
        for now, then in pairwise(moments):
            source, same = self.sources[now.code], now.code is then.code
            taken = source.takes(now.line, then.line) if same else set()
            next_edge = self.next_edge(then) if "child" in taken else None
            if source.loops(now.line) or self.left(edge, now):
                edge = None
            if source.acts(now.line) or taken or not same or not then.line:
                self.steps.append(self.step(now, then, edge, next_edge))
            if now.code is not self.backward and then.code is self.backward:
                self.phases.append(
                    BackwardPhase(name="The chain rule", at=len(self.steps))
                )
            edge = next_edge if next_edge is not None else edge
        self.steps.append(self.end(moments[-1]))

    def next_edge(self, then: Moment) -> int | None:
        """Return the edge to the child that a `for` has taken: the node's next."""
        node, child = (
            self.ids[then.held.nodes["node"]],
            self.ids[then.held.nodes["child"]],
        )
        turn = self.turns.get((then.code, node), 0)
        self.turns[then.code, node] = turn + 1
        into = [i for i, edge in enumerate(self.edges) if edge["target"] == node]
        found = into[turn] if turn < len(into) else None
        return (
            found
            if found is not None and self.edges[found]["source"] == child
            else None
        )

    def left(self, edge: int | None, now: Moment) -> bool:
        """Say whether the walk has gone on to another node than that of the edge."""
        node = now.held.nodes.get("node")
        return edge is None or not node or self.edges[edge]["target"] != self.ids[node]

    def step(
        self, now: Moment, then: Moment, edge: int | None, next_edge: int | None
    ) -> BackwardStep:
        """Return how things stand, and what the line is about to do."""
        change = self.change(now, then)
        lists = {name: [self.ids[x] for x in xs] for name, xs in now.held.lists.items()}
        if "seen" in lists:  # a set has no order; this is how it grew
            kept = [i for i in self.seen if i in lists["seen"]]
            self.seen = lists["seen"] = [*kept, *sorted({*lists["seen"]} - {*kept})]
        return BackwardStep(
            line=now.line,
            waiting=now.waiting,
            nodes={name: self.ids[node] for name, node in now.held.nodes.items()},
            lists=lists,
            grads=[short(grad) for grad in now.held.grads],
            edge=edge,
            next_edge=next_edge,
            change=change,
            says=self.says(now, then, change, next_edge),
        )

    def end(self, last: Moment) -> BackwardStep:
        """Return the step after the last line."""
        inputs = [
            f"{self.names[i]} {short(node.grad)}"
            for i, node in enumerate(self.drawing.order)
            if not node._children and node in self.drawing.formula.places
        ]
        gradients = f" The inputs: {', '.join(inputs)}." if inputs else ""
        return BackwardStep(
            line=0,
            waiting=[],
            nodes={},
            lists={},
            grads=[short(grad) for grad in last.held.grads],
            edge=None,
            next_edge=None,
            change=None,
            says=f"backward has returned, and every gradient is complete.{gradients}",
        )

    def change(self, now: Moment, then: Moment) -> GradientChange | None:
        """Return what a line does to a gradient; also where it adds nothing to it."""
        adds = self.sources[now.code].adds(now.line)
        pairs = enumerate(zip(now.held.grads, then.held.grads))
        changed = [i for i, (before, after) in pairs if before != after]
        slope, node, child = (
            now.held.numbers.get("local_grad"),
            now.held.nodes.get("node"),
            now.held.nodes.get("child"),
        )
        product = addend = ""
        if (
            self.sources[now.code].acts(now.line)
            and slope is not None
            and node
            and child
        ):
            changed = [self.ids[child]]
            passed_on = now.held.grads[self.ids[node]]
            product = f"{short(slope)} × {bracketed(short(passed_on))}"
            addend = short(slope * passed_on)
        if not changed:
            return None
        at = changed[0]
        becomes = short(then.held.grads[at])
        sign = "+=" if adds else "="
        return GradientChange(
            node=at,
            product=product,
            addend=f"+ {bracketed(addend)}" if adds else f"→ {becomes}",
            formula=f"{attribute(self.names[at])} {sign} {product or becomes}",
            was=short(now.held.grads[at]),
            becomes=becomes,
        )

    def says(
        self,
        now: Moment,
        then: Moment,
        change: GradientChange | None,
        next_edge: int | None,
    ) -> str:
        """Say what the line is about to do."""
        if change is not None:
            return self.says_of_change(now, change)
        if now.code is not then.code:
            return self.says_of_call(now, then)
        if next_edge is not None:
            return self.says_of_edge(then, next_edge)
        if not then.line:
            return "No node is left in the order."
        sentences = [
            self.says_of_list(name, now.held.lists.get(name), nodes)
            for name, nodes in then.held.lists.items()
            if nodes != now.held.lists.get(name)
        ]
        node = then.held.nodes.get("node")
        if not sentences and node is not None:
            sentences.append(self.says_of_node(now, node))
        return " ".join(sentences)

    def name(self, node: Value) -> str:
        """Return what a node is called."""
        return self.names[self.ids[node]]

    def says_of_change(self, now: Moment, change: GradientChange) -> str:
        """Say what a gradient is about to become."""
        name = self.names[change["node"]]
        if not change["product"]:
            return f"{name} moves exactly as far as itself: its gradient is 1."
        addend = change["addend"].removeprefix("+ ")
        output = self.drawing.names(self.drawing.output) or "the result"
        node = now.held.nodes["node"]
        way = "" if node is self.drawing.output else f"By way of {self.name(node)}, "
        return (
            f"{way}{output} moves {change['product']} = {addend} times as far as {name}."
            f" The gradient of {name} was {change['was']} and becomes"
            f" {change['becomes']}."
        )

    def says_of_call(self, now: Moment, then: Moment) -> str:
        """Say that a function is called, or returns."""
        if now.code is self.backward:
            return f"First backward calls {then.code.co_name}, which puts the nodes in order."
        order = now.held.lists.get("order", [])
        return f"{now.code.co_name} returns: {', '.join(map(self.name, order))}."

    def says_of_edge(self, then: Moment, edge: int) -> str:
        """Say which operand comes next."""
        node, child = self.name(then.held.nodes["node"]), then.held.nodes["child"]
        if then.code is self.backward:
            slope = self.edges[edge]["local_grad"]
            return f"{node} was made from {self.name(child)}. The local gradient on that edge is {slope}."
        found = child in then.held.lists.get("seen", [])
        verdict = (
            "It has been seen already, so it is passed over." if found else "It is new."
        )
        return f"The next child of {node} is {self.name(child)}. {verdict}"

    def says_of_list(
        self, name: str, before: list[Value] | None, after: list[Value]
    ) -> str:
        """Say how a list has changed."""
        if before is None:
            held = listed([*map(self.name, after)]) if after else ""
            return f"{name} begins with {held}." if held else f"{name} begins empty."
        came = [node for node in after if node not in before]
        if not came:
            gone = [node for node in before if node not in after]
            return f"{listed([*map(self.name, gone)])} leaves the {name}."
        names = listed([*map(self.name, came)])
        if name == "order":
            children = [*dict.fromkeys(map(self.name, came[-1]._children))]
            reason = (
                f"after {listed(children)}"
                if children
                else "it has no children to wait for"
            )
            return f"{names} goes into the order: {reason}."
        return (
            f"{names} goes into {name}, and will not be visited again."
            if name == "seen"
            else f"{names} goes on the {name}."
        )

    def says_of_node(self, now: Moment, node: Value) -> str:
        """Say which node comes next."""
        name = self.name(node)
        if now.code is not self.backward:
            return f"The path ends at {name}: look through its children."
        at = self.ids[node]
        sentences = [f"Backwards through the order: {name}."]
        if now.held.grads[at] == self.final[at]:
            gradient = number(now.held.grads[at])
            sentences.append(f"Its gradient is complete: {gradient}.")
        if not node._children:
            sentences.append("It has no children to pass anything on to.")
        return " ".join(sentences)


def attribute(name: str) -> str:
    """Return the gradient of what has that name, or is written so."""
    return f"{name}.grad" if name.isidentifier() else f"({name}).grad"


def bracketed(text: str) -> str:
    """Put a negative number into brackets, as behind a sign it has to be."""
    return f"({text})" if text.startswith("-") else text
