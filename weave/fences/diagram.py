"""Diagrams in Mermaid: of a live computation graph, or of anything else."""

import ast
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from weave.corrections import Finding, correct_fence_body, first_new_line
from weave.fences.base import FenceKind, RenderContext, make_scrollable
from weave.guide import Guide
from weave.page import Fence
from weave.results import RunResults, StatedExpression


class DiagramWithoutValues(FenceKind):
    """A diagram drawn by hand, below `<!--weave:drawn the reason-->`."""

    language, required_directive = "mermaid", "drawn"

    def label_lines(self) -> Iterator[tuple[int, str]]:
        """Yield the text in boxes and on arrows."""
        for line, text in enumerate(self.fence.body, self.line + 1):
            yield from ((line, x) for x in re.findall(r'"[^"]*"|\|[^|]*\|', text))

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Refuse values and gradients, which only a live graph can keep true."""
        if re.search(r"\b(data|grad) ?[-\d]", self.fence.text):
            yield self.error(
                "a diagram drawn by hand shows data or gradients, which nothing "
                "compares: put <!--weave:graph EXPRESSION--> above it instead"
            )

    def render(self, context: RenderContext) -> str:
        """Return the drawing, with its Mermaid source folded below it."""
        return _render_diagram(context, self.fence)


class ComputationGraph(FenceKind):
    """The live graph of a `Value`, below `<!--weave:graph EXPRESSION-->`."""

    language, required_directive = "mermaid", "graph"

    def expressions(self) -> Iterator[StatedExpression]:
        """Yield the expression that gives the graph."""
        for directive in self.fence.directives:
            yield StatedExpression(directive.argument, directive.line, mermaid_source)

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Compare the diagram with the live graph."""
        for question in self.expressions():
            live = results.values.get((question.line, question.expression))
            if live is not None and self.fence.text != live:
                yield correct_fence_body(
                    self.fence,
                    self.page.path,
                    live,
                    f"the graph of {question.expression} differs: it has "
                    f"{first_new_line(self.fence.text, live)}",
                )

    def render(self, context: RenderContext) -> str:
        """Return the drawing, with its Mermaid source folded below it."""
        return _render_diagram(context, self.fence)


def _render_diagram(context: RenderContext, fence: Fence) -> str:
    source = f"<code>{escape(fence.text)}</code>"
    source = f'<pre class="diagram-source">{source}</pre>'
    svg = context.draw(fence.line, "diagram", source=fence.text)
    if svg is None:
        return source
    details = f"<details><summary>The same as text</summary>{source}</details>"
    return f'<figure class="diagram">{make_scrollable(svg)}{details}</figure>'


def mermaid_source(value: Any, expression: str, scope: dict[str, Any]) -> str:
    """Return the Mermaid source of a value's graph, in the process that has the value.

    Args:
        value: What the expression gave: a `Value`, or the text of a call of `mermaid`.
        expression: The expression, as the page has it.
        scope: The names that the expression could use.

    Raises:
        TypeError: If the value is a text that `mermaid` didn't make.
        ValueError: If a call of `mermaid` gives a node the name of another variable.
    """
    match ast.parse(expression, mode="eval").body:
        case ast.Call(func=ast.Name(id="mermaid"), args=[_, *rest]):
            names = eval(ast.unparse(rest[0]), scope) if rest else {}
            for name, node in names.items():
                if scope.get(name, node) is not node:
                    raise ValueError(
                        f"the variable {name!r} is another node: use its own name"
                    )
        case _ if isinstance(value, str):
            raise TypeError("expected a Value or mermaid(value, names), got a text")
    return f"{value if isinstance(value, str) else scope['mermaid'](value)}\n"
