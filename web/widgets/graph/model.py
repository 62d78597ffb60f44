"""The graph of an expression, played forwards and back."""

import math
from typing import Literal, TypedDict

from microgpt.autograd import Value
from microgpt.expression import ExpressionError, read
from widgets._drawing import Drawing, GraphEdge, GraphNode, listed, number
from widgets.graph.dots import with_whole_sums
from widgets.graph.walks import (
    MOST_ADDITIONS,
    GraphStep,
    Naive,
    Ordered,
    additions,
    shown,
)

LARGEST = 40
# Up to here a slider's ends, and the distance between them, are finite.
LARGEST_INPUT = 1e307
Way = Literal["in order", "edge by edge", "node by node"]
WITHOUT_ORDER: tuple[Way, ...] = ("edge by edge", "node by node")


class GraphInput(TypedDict):
    """A number that the reader may move, and how far."""

    node: int
    name: str
    value: float
    place: tuple[int, int]
    low: float
    high: float
    step: float


class GraphWalk(TypedDict):
    """The steps of a play: values forward, then one of the ways back.

    `wrong` says what a gradient should be that comes out wrong, by its node.
    """

    name: Way
    steps: list[GraphStep]
    wrong: dict[str, str]


class GraphPlay(TypedDict):
    """A graph and the plays on it; `forward` is the last step that computes a node."""

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    forward: int
    walks: list[GraphWalk]


class Graph(TypedDict):
    """Everything to play; `dots` has each sum of products as one node, where there are some."""

    steps: GraphPlay
    dots: GraphPlay | None
    says: list[list[str]]
    inputs: list[GraphInput]


def graph(
    expression: str,
    open: Literal["", "numbers", "expression", "walks", "dots"] = "",
    at: Literal["start", "values", "end"] | int = "end",
) -> Graph:
    """Evaluate an expression, and record how its values and gradients come about.

    A page says besides where the instrument stands at first: which panel is open, and
    at which step the play is.
    """
    drawing = Drawing(expression, LARGEST)
    ordered = Ordered(drawing)
    drawing.refuse_infinite_gradients()
    inputs = inputs_of(drawing)
    measured = {
        drawing.order[x["node"]]: measure(drawing, x["value"], x["place"])
        for x in inputs
    }
    dots = with_whole_sums(drawing)
    right = ordered.final
    return Graph(
        steps=play(
            ordered,
            ordered.steps,
            [without_order(drawing, name, right) for name in WITHOUT_ORDER],
        ),
        dots=play(dots, dots.steps, []) if dots else None,
        says=[says(drawing, node, measured.get(node)) for node in drawing.order],
        inputs=inputs,
    )


def play(walk: Ordered, back: list[GraphStep], others: list[GraphWalk]) -> GraphPlay:
    """Return a graph with all ways back, each after the steps that compute the values."""
    drawing = walk.drawing
    forward = forward_steps(walk)
    walks = [GraphWalk(name="in order", steps=back, wrong={}), *others]
    for each in walks:
        each["steps"] = forward + each["steps"]
    return GraphPlay(
        nodes=drawing.nodes(),
        edges=walk.edges,
        forward=len(forward) - 1,
        walks=walks,
    )


def forward_steps(walk: Ordered) -> list[GraphStep]:
    """Return a step for the inputs, and one for each operation."""
    drawing, still = walk.drawing, [0.0] * len(walk.names)
    given = [
        f"{drawing.names(node)} is {number(node.data)}"
        for node in drawing.order
        if not node._children and drawing.names(node)
    ]
    told = f"The inputs: {listed(given)}." if given else "The inputs are numbers."
    if len(drawing.order) == 1:
        told = "A number alone: there is nothing to compute."
    steps = [shown(told, still)]
    for at, node in enumerate(drawing.order):
        if node._children:
            made = head(drawing, node)
            verb = "gives" if made == node._op else "is"
            says = f"{made} {verb} {number(node.data)}. {notes(walk, at)}"
            steps.append(shown(says, still, node=at, edges=walk.into[at]))
    return steps


def notes(walk: Ordered, at: int) -> str:
    """Say which slopes an operation has noted."""
    edges = [walk.edges[i] for i in walk.into[at]]
    slopes = listed(
        [f"{edge['local_grad']} for {walk.names[edge['source']]}" for edge in edges]
    )
    noun = "slope" if len(edges) == 1 else "slopes"
    return f"It notes its {noun}: {slopes}."


def without_order(drawing: Drawing, name: Way, right: list[float]) -> GraphWalk:
    """Let one of the walks without an order run over a graph like this one."""
    count = additions(drawing.output)
    if count > MOST_ADDITIONS:
        told = (
            f"Without an order, every path is walked: {count:,} additions, where "
            f"{len(drawing.edges())} in order are enough. That's too long to play."
        )
        steps = [shown(told, [0.0] * len(right))]
        return GraphWalk(name=name, steps=steps, wrong={})
    naive = Naive(Drawing(drawing.text, LARGEST), name, right)
    return GraphWalk(name=name, steps=naive.steps, wrong=naive.wrong)


def head(drawing: Drawing, node: Value) -> str:
    """Return the name of what an operation made, and what it was made of."""
    parts = [drawing.names(node), drawing.source(node) or node._op]
    return " = ".join(filter(None, parts))


def inputs_of(drawing: Drawing) -> list[GraphInput]:
    """Return the numbers that stand in the text and became a `Value` there."""
    found = []
    places = drawing.formula.places
    for node in sorted(places, key=places.__getitem__):
        if node._children or node not in drawing.ids:
            continue
        # Half as far again as the number is from 0, rounded up; no less than 5.
        size = max(abs(node.data) * 1.5, 5.0)
        if size > LARGEST_INPUT:
            continue
        unit = 10.0 ** math.floor(math.log10(size))
        bound = next(unit * i for i in (1, 2, 5, 10) if unit * i >= size)
        found.append(
            GraphInput(
                node=drawing.ids[node],
                name=drawing.names(node) or drawing.source(node),
                value=node.data,
                place=places[node],
                low=-bound,
                high=bound,
                step=bound / 50,
            )
        )
    return found


def nudge_for(x: float) -> float:
    """Return a small step: 0.1, or for large numbers a tenth of their magnitude."""
    return float(10.0 ** (math.floor(math.log10(max(abs(x), 1.0))) - 1))


def measure(drawing: Drawing, x: float, place: tuple[int, int]) -> float | None:
    """Return how far the result moves when an input does; None where it has no value."""
    start, end = place
    text = drawing.text
    moved = f"{text[:start]}({x + nudge_for(x)!r}){text[end:]}"
    try:
        return read(moved).result.data - drawing.output.data
    except ExpressionError:
        return None


def says(drawing: Drawing, node: Value, measured: float | None) -> list[str]:
    """Tell what a node is, and what its gradient means."""
    is_output = node is drawing.output
    return [
        origin(drawing, node),
        *([] if is_output else [meaning(drawing, node)]),
        *([] if measured is None or is_output else [verdict(node, measured)]),
    ]


def origin(drawing: Drawing, node: Value) -> str:
    """Say what the number of a node was made from."""
    name, data = drawing.names(node), number(node.data)
    if not node._children:
        if not name:
            return f"{data} is a number without a name. It became a node of its own."
        return f"{name} is {data}, an input."
    operands = [
        f"{drawing.called(child)} (local gradient {number(local_grad)})"
        for child, local_grad in zip(node._children, node._local_grads)
    ]
    end = ". The result: its own gradient is 1." if node is drawing.output else "."
    return f"{head(drawing, node)} is {data}, made from {listed(operands)}{end}"


def meaning(drawing: Drawing, node: Value) -> str:
    """Say what the gradient of a node foretells."""
    it = drawing.names(node) or "it"
    result = drawing.names(drawing.output) or "the result"
    nudge = nudge_for(node.data)
    foretold = node.grad * nudge
    moves = "stays about where it is"
    if foretold:
        direction = "rises" if foretold > 0 else "falls"
        moves = f"{direction} by about {abs(foretold):.3g}"
    return (
        f"Gradient {number(node.grad)}: if {it} rises by {nudge:g}, {result} {moves}."
    )


def verdict(node: Value, measured: float) -> str:
    """Say what happened when it was tried."""
    # Where the gradient is 0, what is left of rounding is not a movement.
    if abs(measured) <= (0 if node.grad else 1e-12):
        return "Tried: it does not move."
    return f"Tried: it {'rises' if measured > 0 else 'falls'} by {abs(measured):.3g}."
