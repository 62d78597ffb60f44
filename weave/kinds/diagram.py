"""Diagrams in Mermaid: of a live graph, and of anything else."""

import ast
import re
from collections.abc import Iterator
from html import escape
from typing import Any

from weave.corrections import Finding, correct_fence_body, first_new_line
from weave.guide import Guide
from weave.kinds.kind import Kind, View, framed
from weave.results import RunResults, StatedExpression


class Diagram(Kind):
    """A diagram of anything, below `<!--weave:drawn the reason-->`."""

    language, directive = "mermaid", "drawn"

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield the words in boxes and on arrows."""
        for line, text in enumerate(self.fence.body, self.line + 1):
            yield from ((line, x) for x in re.findall(r'"[^"]*"|\|[^|]*\|', text))

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Refuse what only a live graph knows."""
        if re.search(r"\b(data|grad) ?[-\d]", self.fence.text):
            what = "a diagram that shows data or gradients is drawn from a graph"
            yield self.error(what)

    def html(self, view: View) -> str:
        """Draw the diagram, with its text below it."""
        source = f"<code>{escape(self.fence.text)}</code>"
        source = f'<pre class="diagram-source">{source}</pre>'
        svg = view.draw(self.line, "mermaid", source=self.fence.text)
        if svg is None:
            return source
        details = f"<details><summary>The same as text</summary>{source}</details>"
        return f'<figure class="diagram">{framed(svg)}{details}</figure>'


class Graph(Diagram):
    """The live graph of the `Value` that `<!--weave:graph EXPRESSION-->` gives."""

    directive = "graph"

    def questions(self) -> Iterator[StatedExpression]:
        """Yield the expression that gives the graph."""
        for directive in self.fence.directives:
            yield StatedExpression(directive.argument, directive.line, drawn)

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield nothing: all its words are compared."""
        return iter(())

    def check(self, guide: Guide, results: RunResults) -> Iterator[Finding]:
        """Compare the diagram with the live graph."""
        for question in self.questions():
            true = results.values.get((question.line, question.expression))
            if true is not None and self.fence.text != true:
                new = first_new_line(self.fence.text, true)
                message = f"the graph of {question.expression} differs: it has {new}"
                yield correct_fence_body(self.fence, self.page.path, true, message)


def drawn(value: Any, expression: str, scope: dict[str, Any]) -> str:
    """Return the diagram of a value, or what `mermaid` made of it.

    Refuse a text that `mermaid` did not give, and a name that is another node's.
    """
    match ast.parse(expression, mode="eval").body:
        case ast.Call(func=ast.Name(id="mermaid"), args=[_, *rest]):
            names = eval(ast.unparse(rest[0]), scope) if rest else {}
            for name, node in names.items():
                if scope.get(name, node) is not node:
                    raise ValueError(f"{name!r} is the name of another node")
        case _ if isinstance(value, str):
            raise TypeError("is a text: give a Value, or mermaid(value, names)")
    return f"{value if isinstance(value, str) else scope['mermaid'](value)}\n"
