"""The graph of an expression, played forwards and back."""

import math
from collections import Counter
from typing import Literal, NamedTuple, TypedDict

from microgpt import graph as drawing
from microgpt.autograd import Value, topological_order
from microgpt.expression import ExpressionError, evaluate_with_spans

MAX_NODES = 40
# Up to here the ends of a slider, and the distance between them, are finite.
MAX_SLIDER_END = 1e307
MAX_TITLE_LENGTH = 12  # characters
MAX_FORMATTED_LENGTH = 8  # characters of `format_short`


class GraphNode(TypedDict):
    """A node: the texts in its box, and sentences that explain it.

    The first sentence says how its value came about, the second what its gradient means.
    """

    title: str
    operation: str
    data: str
    grad: str
    is_input: bool
    sentences: list[str]


class GraphEdge(TypedDict):
    """An edge from a child to the node computed from it, by their indices."""

    source: int
    target: int
    local_grad: str


class GraphStep(TypedDict):
    """A step of the player: what happens, in a sentence, and what stands out.

    `grads` are the gradients of all nodes before the step. It adds `addend` to that of
    `node`, which is the result of `product`.
    """

    caption: str
    node: int | None
    edges: list[int]
    product: str
    addend: str
    grads: list[str]


class GraphInput(TypedDict):
    """A number that the reader can change, and the range of its slider.

    `span` is where the number stands in the text: its first character, and the one
    after its last.
    """

    name: str
    value: float
    span: tuple[int, int]
    low: float
    high: float
    step: float


class Graph(TypedDict):
    """The nodes in topological order, the edges, and the steps of forward and backward.

    `last_forward_step` is the index of the last step that computes a value.
    """

    nodes: list[GraphNode]
    edges: list[GraphEdge]
    last_forward_step: int
    steps: list[GraphStep]
    inputs: list[GraphInput]


def graph(
    expression: str,
    open_panel: Literal["", "numbers", "expression"] = "",
    shown_step: Literal["start", "values", "end"] | int = "end",
) -> Graph:
    """Evaluate an expression, and record how its values and gradients come about.

    Args:
        expression: What `microgpt.expression` reads, of at most 40 nodes.
        open_panel: The panel that the page shows open.
        shown_step: The step that the page shows: its number, or the start, the end, or the
            last step of the values.

    Raises:
        ExpressionError: The expression has an error, too many nodes, or a gradient
            that is not finite; its `position` is the character at fault.
    """
    recorder = StepRecorder(expression)
    recorder.record_forward()
    last_forward_step = len(recorder.steps) - 1
    recorder.record_backward()
    return Graph(
        nodes=[recorder.graph_node(node) for node in recorder.order],
        edges=[
            GraphEdge(
                source=recorder.indices[edge.child],
                target=recorder.indices[edge.node],
                local_grad=format_short(edge.local_grad),
            )
            for edge in recorder.edges
        ],
        last_forward_step=last_forward_step,
        steps=recorder.steps,
        inputs=recorder.slider_inputs(),
    )


class Edge(NamedTuple):
    """An edge from a child to the node computed from it, and its index among all."""

    edge_index: int
    child: Value
    node: Value
    local_grad: float


class StepRecorder:
    """Records the steps of forward and backward on the graph of an expression."""

    def __init__(self, text: str) -> None:
        """Compute the expression, and raise ExpressionError if it can't be shown."""
        self.text = text
        self.formula = evaluate_with_spans(text)
        self.output = self.formula.result
        self.order = topological_order(self.output)
        if len(self.order) > MAX_NODES:
            size = f"the graph has {len(self.order)} nodes, and {MAX_NODES} fit in here"
            raise ExpressionError(f"{size}: shorten the expression", None)
        self.indices = {node: i for i, node in enumerate(self.order)}
        self.edges: list[Edge] = []
        for node in self.order:
            for child, local_grad in zip(node._children, node._local_grads):
                self.edges.append(Edge(len(self.edges), child, node, local_grad))
        self.steps: list[GraphStep] = []

    def edges_into(self, node: Value) -> list[Edge]:
        """Return the edges that end at a node, in the order of its operands."""
        return [edge for edge in self.edges if edge.node is node]

    def record_step(
        self,
        caption: str,
        node: Value | None = None,
        edges: tuple[Edge, ...] = (),
        product: str = "",
        addend: str = "",
    ) -> None:
        """Record a step before it changes any gradient."""
        self.steps.append(
            GraphStep(
                caption=caption,
                node=None if node is None else self.indices[node],
                edges=[edge.edge_index for edge in edges],
                product=product,
                addend=addend,
                grads=[format_short(each.grad) for each in self.order],
            )
        )

    def record_forward(self) -> None:
        """Record a step for the inputs, then one for each operation."""
        inputs = [
            f"{name} is {format_number(node.data)}"
            for node, name in self.named_inputs().items()
        ]
        caption = "The inputs are numbers."
        if inputs:
            caption = f"The inputs: {join_with_and(inputs)}."
        if len(self.order) == 1:
            caption = "A number alone: there is nothing to compute."
        self.record_step(caption)
        for node in self.order:
            if edges := self.edges_into(node):
                equation = self.symbolic_equation(node)
                verb = "gives" if equation == node._op else "is"
                noun = "slope" if len(edges) == 1 else "slopes"
                slopes = [
                    f"{format_short(edge.local_grad)} for {self.sentence_label(edge.child)}"
                    for edge in edges
                ]
                caption = (
                    f"{equation} {verb} {format_number(node.data)}."
                    f" It notes its {noun}: {join_with_and(slopes)}."
                )
                self.record_step(caption, node, (*edges,))

    def record_backward(self) -> None:
        """Record a step for each edge, in the order of `Value.backward`.

        A node passes its gradient on once it is complete.

        Raises:
            ExpressionError: A gradient is infinite or NaN.
        """
        output = self.variable_names(self.output) or "the result"
        caption = (
            f"Now back: nudge {output}, and it moves by the nudge: its gradient is 1."
        )
        self.record_step(caption, self.output, addend="→ 1")
        self.output.grad = 1.0
        # How many edges have yet to add to the gradient of each node
        pending = Counter(edge.child for edge in self.edges)
        for edge in [e for node in reversed(self.order) for e in self.edges_into(node)]:
            child, added = edge.child, edge.local_grad * edge.node.grad
            pending[child] -= 1
            is_direct = edge.node is self.output
            path = "Directly" if is_direct else f"Through {self.box_title(edge.node)}"
            node_grad = parenthesize_negative(format_short(edge.node.grad))
            product = f"{format_short(edge.local_grad)} × {node_grad}"
            rest = ", and is complete"
            if pending[child]:
                rest = f"; {pending[child]} more to come"
            label = self.sentence_label(child)
            caption = (
                f"{path}, {output} moves {product} = {format_short(added)} times as far"
                f" as {label}. The gradient of {label} goes from"
                f" {format_short(child.grad)} to {format_short(child.grad + added)}{rest}."
            )
            addend = f"+ {parenthesize_negative(format_short(added))}"
            self.record_step(caption, child, (edge,), product, addend)
            child.grad += added
        for node in self.order:
            if not math.isfinite(node.grad):
                at = self.formula.spans.get(node, (None, None))[0]
                where = "" if at is None else f"character {at + 1}: "
                reason = "the gradient here is too large for a float"
                raise ExpressionError(f"{where}{reason}", at)
        inputs = [
            f"{format_short(node.grad)} for {name}"
            for node, name in self.named_inputs().items()
        ]
        gradients = f": {join_with_and(inputs)}" if inputs else ""
        result = self.variable_names(self.output) or "The result"
        self.record_step(
            f"{result} is {format_number(self.output.data)},"
            f" and every gradient is complete{gradients}."
        )

    # Names and explanations of nodes

    def variable_names(self, node: Value) -> str:
        """Return the names that the text gives a node, "" if it gives none."""
        names = self.formula.variables.items()
        return ", ".join(name for name, value in names if value is node)

    def named_inputs(self) -> dict[Value, str]:
        """Return the names of the inputs that have one."""
        inputs = [node for node in self.order if not node._children]
        return {node: name for node in inputs if (name := self.variable_names(node))}

    def source_text(self, node: Value) -> str:
        """Return the part of the text that computes a node, "" if it is not known."""
        start, end = self.formula.spans.get(node, (0, 0))
        return " ".join(self.text[start:end].split())

    def symbolic_equation(self, node: Value) -> str:
        """Return a computed node as an equation: "c = a + b"."""
        parts = [self.variable_names(node), self.source_text(node) or node._op]
        return " = ".join(filter(None, parts))

    def box_title(self, node: Value) -> str:
        """Return the title of a node's box: its name, its source text or its operation."""
        if name := self.variable_names(node):
            return name
        if not node._children:
            return "number"
        # Without names, the text has numbers that sliders change: its width would vary.
        source = self.source_text(node)
        fits = self.formula.variables and 0 < len(source) <= MAX_TITLE_LENGTH
        return source if fits else node._op

    def sentence_label(self, node: Value) -> str:
        """Return what sentences call a node: its title, or the number that it is."""
        title = self.box_title(node)
        return format_number(node.data) if title == "number" else title

    def graph_node(self, node: Value) -> GraphNode:
        """Return the texts of a node's box, and the sentences that explain it."""
        title = self.box_title(node)
        return GraphNode(
            title=title,
            operation="" if title == node._op else node._op,
            data=format_short(node.data),
            grad=format_short(node.grad),
            is_input=not node._children,
            sentences=[self.explain_value(node), self.explain_nudge_effect(node)],
        )

    def explain_value(self, node: Value) -> str:
        """Explain in a sentence how the value of a node came about."""
        data = format_number(node.data)
        if node._children:
            operands = [
                f"{self.sentence_label(child)} (local gradient {format_number(local_grad)})"
                for child, local_grad in zip(node._children, node._local_grads)
            ]
            return f"{self.symbolic_equation(node)} is {data}, made from {join_with_and(operands)}."
        if name := self.variable_names(node):
            return f"{name} is {data}, an input."
        return f"{data} is a number without a name. It became a node of its own."

    def explain_nudge_effect(self, node: Value) -> str:
        """Explain in a sentence how the result changes if a node rises a little."""
        if node is self.output:
            return "The result: its own gradient is 1."
        # 0.1, or for large numbers a tenth of their magnitude
        size = max(abs(node.data), 1.0)
        nudge = float(10.0 ** (math.floor(math.log10(size)) - 1))
        change = node.grad * nudge
        direction = "rises" if change > 0 else "falls"
        moves = f"{direction} by about {abs(change):.3g}"
        return (
            f"Gradient {format_number(node.grad)}: if {self.variable_names(node) or 'it'} rises"
            f" by {nudge:g}, {self.variable_names(self.output) or 'the result'}"
            f" {moves if change else 'stays about where it is'}."
        )

    def slider_inputs(self) -> list[GraphInput]:
        """Return the numbers of the text that are nodes, each with its slider's range."""
        inputs = []
        spans = self.formula.spans
        for node in sorted(spans, key=spans.__getitem__):
            # One and a half times the number, rounded up to 1, 2 or 5; at least 5
            size = max(abs(node.data) * 1.5, 5.0)
            if node._children or node not in self.indices or size > MAX_SLIDER_END:
                continue
            unit = 10.0 ** math.floor(math.log10(size))
            bound = next(unit * i for i in (1, 2, 5, 10) if unit * i >= size)
            inputs.append(
                GraphInput(
                    name=self.variable_names(node) or self.source_text(node),
                    value=node.data,
                    span=spans[node],
                    low=-bound,
                    high=bound,
                    step=bound / 50,
                )
            )
        return inputs


def format_number(x: float) -> str:
    """Format a number for a sentence, with a true minus sign."""
    return drawing.format_number(x).replace("-", "−")


def format_short(x: float) -> str:
    """Format a number in at most eight characters, with four digits where they fit."""
    texts = (f"{x + 0.0:.{digits}g}" for digits in (4, 3, 2, 1))
    fitting = (text for text in texts if len(text) <= MAX_FORMATTED_LENGTH)
    return next(fitting, f"{x:.0e}").replace("-", "−")


def parenthesize_negative(text: str) -> str:
    """Put a number into parentheses if it is negative, to stand after an operator."""
    return f"({text})" if text.startswith("−") else text


def join_with_and(words: list[str]) -> str:
    """Join words as a sentence does: "a", "a and b", "a, b and c"."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last
