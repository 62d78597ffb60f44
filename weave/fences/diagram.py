"""Diagrams in Mermaid: of a live computation graph, or of anything else."""

import ast
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from weave.corrections import first_new_line
from weave.errors import WeaveError
from weave.fences.base import Html, RenderContext, TypedFence, make_scrollable
from weave.guide import Guide
from weave.results import Namespace, RunResults, StatedExpression


class MermaidDiagram(TypedFence):
    """The base class of both kinds of Mermaid diagrams, which are rendered alike."""

    def render(self, context: RenderContext) -> Html:
        """Return the drawing, with its Mermaid source folded below it."""
        source = f"<code>{escape(self.fence.text)}</code>"
        source = f'<pre class="diagram-source">{source}</pre>'
        svg = context.draw(self.line, "diagram", source=self.fence.text)
        if svg is None:
            return source
        details = f"<details><summary>The same as text</summary>{source}</details>"
        return f'<figure class="diagram">{make_scrollable(svg)}{details}</figure>'


class HandDrawnDiagram(MermaidDiagram):
    """A diagram drawn by hand, below `<!--weave:drawn the reason-->`."""

    language, required_directive = "mermaid", "drawn"

    def label_lines(self) -> Iterator[tuple[int, str]]:
        """Yield the text in boxes and on arrows."""
        for line, text in enumerate(self.fence.body, self.line + 1):
            yield from ((line, x) for x in re.findall(r'"[^"]*"|\|[^|]*\|', text))

    def check(self, guide: Guide, results: RunResults) -> Iterator[WeaveError]:
        """Refuse values and gradients, which only a live graph can keep true."""
        if re.search(r"\b(data|grad) ?[-\d]", self.fence.text):
            yield self.error(
                "a diagram drawn by hand shows data or gradients, which nothing "
                "compares: put <!--weave:graph EXPRESSION--> above it instead"
            )


class ComputationGraph(MermaidDiagram):
    """The live graph of a `Value`, below `<!--weave:graph EXPRESSION-->`."""

    language, required_directive = "mermaid", "graph"

    def expressions(self) -> Iterator[StatedExpression]:
        """Yield the expression that gives the graph."""
        for directive in self.fence.directives:
            yield StatedExpression(directive.argument, directive.line, mermaid_source)

    def check(self, guide: Guide, results: RunResults) -> Iterator[WeaveError]:
        """Compare the diagram with the graph of the expression today."""
        for stated in self.expressions():
            source = results.values.get((stated.line, stated.expression))
            if source is not None and self.fence.text != source:
                new = first_new_line(self.fence.text, source)
                yield self.correct_body(
                    source,
                    f"the graph of {stated.expression} differs: it has {new}",
                )


def mermaid_source(value: Any, expression: str, namespace: Namespace) -> str:
    """Return the Mermaid source of a value's graph, in the process that has the value.

    The value is what the expression gave in that namespace: a `Value`, or the text of a
    call of `mermaid`.

    Raises:
        TypeError: The value is a text that `mermaid` didn't make.
        ValueError: A call of `mermaid` gives a node the name of another variable.
    """
    match ast.parse(expression, mode="eval").body:
        case ast.Call(func=ast.Name(id="mermaid"), args=[_, *rest]):
            names = eval(ast.unparse(rest[0]), namespace) if rest else {}
            for name, node in names.items():
                if namespace.get(name, node) is not node:
                    raise ValueError(
                        f"the variable {name!r} is another node: use its own name"
                    )
        case _ if isinstance(value, str):
            raise TypeError("expected a Value or mermaid(value, names), got a text")
    return f"{value if isinstance(value, str) else namespace['mermaid'](value)}\n"
