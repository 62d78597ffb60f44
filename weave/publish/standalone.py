"""One file from a program and the modules of this project that it imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from weave.errors import WeaveError
from weave.findings import Correction, whole_file
from weave.guide import Guide
from weave.source import find

OURS = ("microgpt", "snippets")


class _Imports:
    """What several modules import from elsewhere, each name once."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.names: dict[str, set[str]] = {"__future__": {"annotations"}}

    def add(self, node: ast.Import | ast.ImportFrom) -> None:
        names = {ast.unparse(alias) for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            self.names.setdefault(node.module or "", set()).update(names)
        else:
            self.modules |= names

    def text(self) -> str:
        """Return the statements: the future, modules, names of modules."""
        lines = [
            f"from {module} import {', '.join(sorted(names))}"
            for module, names in sorted(self.names.items())
        ]
        modules = [f"import {module}" for module in sorted(self.modules)]
        return "\n".join([lines[0], "", *modules, *lines[1:]])


def standalone(root: Path, module: str) -> str:
    """Return a program with everything of this project that it uses, in one file.

    Modules stand in the order in which they need each other, their imports of each
    other left out; those of the standard library come first, once.
    """
    order: list[str] = []
    _collect(root, module, order, ())
    outside = _Imports()
    bodies = []
    owner: dict[str, str] = {}
    docstring = ""
    for name in order:
        span = find(root, name)
        tree = ast.parse("\n".join(span.lines))
        drop: set[int] = set()
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                drop.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
                if not _ours(node):
                    outside.add(node)
            for defined in _defines(node):
                if owner.setdefault(defined, name) != name:
                    raise WeaveError(
                        f"{owner[defined]} and {name} both define {defined!r}, which "
                        "one file cannot hold: rename one",
                        span.path,
                        node.lineno,
                    )
        if ast.get_docstring(tree):
            first = tree.body[0]
            drop.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
            if name == module:
                docstring = "\n".join(span.lines[: first.end_lineno]) + "\n"
        kept = [line for n, line in enumerate(span.lines, 1) if n not in drop]
        title = f"# {'-' * 10} {span.path.as_posix()}\n\n"
        bodies.append(title + "\n".join(kept).strip() + "\n")
    return f"{docstring}\n{outside.text()}\n\n\n" + "\n\n".join(bodies)


def _collect(root: Path, module: str, order: list[str], path: tuple[str, ...]) -> None:
    """Put every module that a module needs into `order`, before it."""
    if module in path:
        raise WeaveError(
            f"{' -> '.join([*path, module])} import each other in a circle"
        )
    if module in order:
        return
    span = find(root, module)
    for node in ast.parse("\n".join(span.lines)).body:
        if isinstance(node, ast.ImportFrom) and _ours(node) and node.module:
            if any(alias.asname for alias in node.names):
                message = "a program that becomes one file imports without 'as'"
                raise WeaveError(message, span.path, node.lineno)
            _collect(root, node.module, order, (*path, module))
        elif isinstance(node, ast.Import) and _ours(node):
            message = "write 'from module import name': one file has no modules"
            raise WeaveError(message, span.path, node.lineno)
    order.append(module)


def _ours(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in OURS
    return any(alias.name.partition(".")[0] in OURS for alias in node.names)


def _defines(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return [node.target.id]
    if isinstance(node, ast.Assign):
        return [t.id for t in node.targets if isinstance(t, ast.Name)]
    return []


def examine(guide: Guide) -> Iterator[Correction]:
    """Compare each program as one file, which readers can download, and the names."""
    for program, path in guide.downloads.items():
        text = standalone(guide.root, f"snippets.{program.stem}")
        what = f"is not what {program.name} gives today"
        yield from whole_file(guide.root, path, text, what)
    names = (guide.root / "microgpt" / "names.txt").read_text(encoding="utf-8")
    path = Path("docs", "downloads", "names.txt")
    yield from whole_file(guide.root, path, names, "is not the package's list of names")
