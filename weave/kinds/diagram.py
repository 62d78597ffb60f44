"""Diagrams in Mermaid: of a live graph, of imports, and of anything else."""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

from weave.errors import WeaveError
from weave.findings import Finding, Question, Results, body, first_new
from weave.guide import Guide
from weave.kinds.kind import Cell, Kind, To, View, framed

Imported = dict[str, set[str]]


class Diagram(Kind):
    """A diagram of anything, below `<!--weave:drawn the reason-->`."""

    language, directive = "mermaid", "drawn"

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield the words in boxes and on arrows."""
        for line, text in self.numbered:
            yield from ((line, x) for x in re.findall(r'"[^"]*"|\|[^|]*\|', text))

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
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

    def cells(self, guide: Guide, to: To) -> Iterator[str | Cell]:
        """Yield the diagram, which Jupyter draws too."""
        yield from ("```mermaid", *self.fence.body, "```")


class Graph(Diagram):
    """The live graph of the `Value` that `<!--weave:graph EXPRESSION-->` gives."""

    directive = "graph"
    plural = "graphs"

    def questions(self) -> Iterator[Question]:
        """Yield the expression that gives the graph."""
        for directive in self.fence.directives:
            yield Question(directive.argument, directive.line, drawn)

    def labels(self) -> Iterator[tuple[int, str]]:
        """Yield nothing: all its words are compared."""
        return iter(())

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Compare the diagram with the live graph."""
        for question in self.questions():
            true = results.answers.get((question.line, question.expression))
            if true is not None:
                yield from self.compare(question.expression, true)

    def compare(self, what: str, true: str) -> Iterator[Finding]:
        """Yield a correction if the diagram isn't the true one."""
        true = true.rstrip("\n") + "\n"
        if self.fence.text != true:
            new = first_new(self.fence.text, true)
            message = f"the graph of {what} differs: it has {new}"
            yield body(self.fence, self.page.path, true, message)


class Imports(Graph):
    """Which module of a package imports which: `<!--weave:imports PACKAGE-->`."""

    directive = "imports"
    plural = ""

    def questions(self) -> Iterator[Question]:
        """Yield nothing: the sources say it."""
        return iter(())

    def check(self, guide: Guide, results: Results) -> Iterator[Finding]:
        """Compare the diagram with the sources."""
        drawn = import_diagram(guide.root, self.argument)
        yield from self.compare(self.argument, drawn)


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
    if isinstance(value, str):
        return value
    from microgpt import mermaid

    return mermaid(value)


def imports_of(root: Path, package: str) -> Imported:
    """Return, for each module of a package, the others that it imports.

    A package inside it counts as one module. What `__init__` and `__main__` import says
    nothing about the parts.
    """
    folder = root / package
    if not (folder / "__init__.py").is_file():
        raise WeaveError(f"there is no package {package!r}")
    found: Imported = {}
    for file in sorted(folder.rglob("*.py")):
        part = file.relative_to(folder).with_suffix("").parts[0]
        if not part.startswith("__"):
            text = file.read_text(encoding="utf-8")
            named = {name.split(".")[1] for name in _imported(text, package)}
            found.setdefault(part, set()).update(named - {part})
    return {part: named & set(found) for part, named in found.items()}


@lru_cache(maxsize=256)
def _imported(text: str, package: str) -> frozenset[str]:
    """Return what a file imports from its package: `microgpt.nn`, `microgpt.nn.dot`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=str(module), names=names, level=0):
                modules = [f"{module}.{alias.name}" for alias in names]
            case ast.Call(
                func=ast.Name(id="import_module"), args=[ast.Constant(value=str(name))]
            ):
                modules = [name]
            case _:
                continue
        found.update(m for m in modules if m.startswith(f"{package}."))
    return frozenset(found)


def reduced(imports: Imported) -> Imported:
    """Leave out each import that others imply: of a, b and c in a chain, a to c."""
    reached = {part: set(named) for part, named in imports.items()}
    for middle in imports:  # by way of which one module reaches others
        for others in reached.values():
            others |= reached[middle] if middle in others else set()
    return {
        part: named - {x for other in named for x in reached[other] - {other}}
        for part, named in imports.items()
    }


def import_diagram(root: Path, package: str) -> str:
    """Return a Mermaid flowchart: an arrow leads from a module to those built on it.

    A module with one arrow alone, which leads away, has no box of its own: it is named
    in the box to which it would lead.
    """
    arrows = reduced(imports_of(root, package))
    users = {
        part: [o for o, named in arrows.items() if part in named] for part in arrows
    }
    helpers = {
        part: users[part][0]
        for part, named in arrows.items()
        if not named and len(users[part]) == 1
    }
    lines = ["flowchart TD"]
    for part in arrows:
        if part not in helpers:
            its_own = sorted(helper for helper, user in helpers.items() if user == part)
            label = "<br/>".join([part, *(f"+ {helper}" for helper in its_own)])
            lines.append(f'    {part}["{label}"]')
    for part, named in arrows.items():
        lines += [f"    {o} --> {part}" for o in sorted(named.difference(helpers))]
    return "".join(f"{line}\n" for line in lines)
