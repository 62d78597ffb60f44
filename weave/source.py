"""Finding a symbol in the source: its file, its lines, its text."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path


class UnknownSymbol(LookupError):
    """A symbol that the source does not have."""


@dataclass(frozen=True)
class Span:
    """Lines `first` to `last` of a file, both counted; `path` as in the project."""

    path: Path
    first: int
    last: int
    lines: tuple[str, ...]

    @property
    def where(self) -> str:
        """The lines in words: `line 3` or `lines 3–9`."""
        if self.first == self.last:
            return f"line {self.first}"
        return f"lines {self.first}–{self.last}"


def find(root: Path, symbols: str) -> Span:
    """Return the lines of `module:name`, `module:Class.method` or `module:A..B`.

    A range runs from the first line of A to the last of B. Decorators and the
    comments right above a definition belong to it. A module alone is its whole file.
    Raise UnknownSymbol with what to write instead.
    """
    module, _, names = symbols.partition(":")
    base = module.replace(".", "/")
    candidates = [Path(f"{base}.py"), Path(base, "__init__.py")]
    path = next((c for c in candidates if module and (root / c).is_file()), None)
    if path is None:
        raise UnknownSymbol(f"there is no module {module!r} in this project")
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    first, last = 1, len(lines)
    if names:
        start, _, end = names.partition("..")
        tree = _parse(root / path, "\n".join(lines))
        first = _extent(tree, start, lines, symbols)[0]
        last = _extent(tree, end or start, lines, symbols)[1]
    if last < first:
        raise UnknownSymbol(f"{symbols!r} ends before it begins")
    return Span(path, first, last, tuple(lines[first - 1 : last]))


def dedent(lines: tuple[str, ...]) -> list[str]:
    """Return lines without the indentation of the first."""
    indent = len(lines[0]) - len(lines[0].lstrip())
    return [line[indent:] for line in lines]


@lru_cache(maxsize=64)  # each listing of a file asks
def definitions(text: str) -> dict[int, str]:
    """Return the line that begins each function and class of a file, and its name.

    The name holds when lines above it come and go: `Value.backward`. Of two of one
    name, the first counts.
    """
    found: dict[int, str] = {}
    waiting = [(node, "") for node in ast.parse(text).body]
    while waiting:
        node, owner = waiting.pop(0)
        name = owner
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{owner}.{node.name}".lstrip(".")
            if name not in found.values():
                found[node.lineno] = name
        inside = [n for n in ast.iter_child_nodes(node) if isinstance(n, ast.stmt)]
        waiting += [(child, name) for child in inside]
    return found


@lru_cache(maxsize=64)
def _parse(path: Path, text: str) -> ast.Module:
    return ast.parse(text, filename=str(path))


def _extent(
    tree: ast.Module, name: str, lines: list[str], symbols: str
) -> tuple[int, int]:
    body: list[ast.stmt] = tree.body
    node: ast.stmt | None = None
    for part in name.split("."):
        node = next((n for n in reversed(body) if part in _names(n, body)), None)
        if node is None:
            known = ", ".join(sorted(name for n in body for name in _names(n, body)))
            raise UnknownSymbol(f"{symbols!r}: no {part!r} among {known}")
        body = node.body if isinstance(node, ast.ClassDef) else []
    assert node is not None
    return _lines_of(node, lines)


def _names(node: ast.stmt, body: list[ast.stmt]) -> set[str]:
    """Return the names that a statement binds; a docstring binds `__doc__`."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).partition(".")[0] for a in node.names}
    if isinstance(node, ast.Assign):
        return {t.id for t in node.targets if isinstance(t, ast.Name)}
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return {node.target.id}
    is_docstring = (
        node is body[0]
        and isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
    )
    return {"__doc__"} if is_docstring else set()


def _lines_of(node: ast.stmt, lines: list[str]) -> tuple[int, int]:
    first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
    while first > 1 and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return first, node.end_lineno or node.lineno
