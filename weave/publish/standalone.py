"""One file from a program and the modules of this project that it imports."""

import ast
import re
from pathlib import Path

from weave.errors import WeaveError
from weave.source import Span, find

OURS = ("microgpt", "snippets")


class _Imports:
    """What several modules import from elsewhere, each name once."""

    def __init__(self) -> None:
        self.modules: set[str] = set()
        self.names: dict[str, set[str]] = {"__future__": {"annotations"}}

    def add(self, node: ast.Import | ast.ImportFrom, used: set[str]) -> None:
        """Take what is used of an import; a name from `__future__` always is."""
        names = {
            ast.unparse(alias)
            for alias in node.names
            if (alias.asname or alias.name) in used
        }
        if not names:
            return
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
        modules = [f"import {', '.join(sorted(self.modules))}"] if self.modules else []
        return "\n".join([lines[0], *modules, *lines[1:]])


def standalone(root: Path, module: str) -> str:
    """Return a program with everything of this project that it uses, in one file.

    Modules stand in the order in which they need each other. What the program does not
    use is left out, and so is all but the first paragraph of a docstring. Imports from
    elsewhere come first, once.
    """
    order: list[str] = []
    _collect(root, module, order, ())
    spans = {name: find(root, name) for name in order}
    trees = {name: ast.parse("\n".join(span.lines)) for name, span in spans.items()}
    _refuse_two_of_one_name(spans, trees)
    used = _used(trees, module)
    outside = _Imports()
    parts = []
    for name, span in spans.items():
        lines: list[str | None] = list(span.lines)
        tree = trees[name]
        if ast.get_docstring(tree):
            _drop(lines, tree.body[0])
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                _drop(lines, node)
                if not _ours(node):
                    outside.add(node, used)
            elif not used.issuperset(_defines(node)):
                _drop(lines, node)
            if isinstance(node, ast.ClassDef):
                for method in node.body:
                    if not used.issuperset(_defines(method)):
                        _drop(lines, method)
        for inner in ast.walk(tree):
            if isinstance(inner, ast.FunctionDef | ast.ClassDef):
                _shorten_docstring(lines, inner)
        kept = "\n".join(line for line in lines if line is not None).strip()
        if kept:
            parts.append(f"# {'-' * 10} {span.path.as_posix()}\n{kept}\n")
    opening = ast.get_docstring(trees[module])
    head = f'"""{opening}"""\n' if opening else ""
    text = head + outside.text() + "\n\n" + "\n".join(parts)
    return re.sub(r"\n{3,}", "\n\n", text)


def _refuse_two_of_one_name(
    spans: dict[str, Span], trees: dict[str, ast.Module]
) -> None:
    owner: dict[str, str] = {}
    for name, tree in trees.items():
        for node in tree.body:
            for defined in _defines(node):
                if owner.setdefault(defined, name) != name:
                    raise WeaveError(
                        f"{owner[defined]} and {name} both define {defined!r}, which "
                        "one file cannot hold: rename one",
                        spans[name].path,
                        node.lineno,
                    )


def _used(trees: dict[str, ast.Module], module: str) -> set[str]:
    """Return the names that a program needs: those it mentions, those that these do ...

    A special method such as `__add__` is needed by whatever has its class.
    """
    mentions: dict[str, set[str]] = {}
    used: set[str] = set()
    for name, tree in trees.items():
        for node in tree.body:
            methods = node.body if isinstance(node, ast.ClassDef) else []
            for part in (node, *methods):
                own = [m for m in methods if _is_plain(m)] if part is node else []
                for defined in _defines(part):
                    mentions.setdefault(defined, set()).update(_mentions(part, own))
            if name == module and not isinstance(node, ast.Import | ast.ImportFrom):
                used |= {*_defines(node), *_mentions(node, [])}
    while more := set().union(*(mentions.get(name, set()) for name in used)) - used:
        used |= more
    return used


def _is_plain(node: ast.stmt) -> bool:
    """Whether it defines a method that has to be called by its name."""
    if not isinstance(node, ast.FunctionDef):
        return False
    return node.name == "__repr__" or not node.name.startswith("__")


def _mentions(node: ast.stmt, without: list[ast.stmt]) -> set[str]:
    """Return the names that a statement mentions, and its own special methods."""
    skipped = {id(n) for part in without for n in ast.walk(part)}
    found = set()
    for inner in ast.walk(node):
        if id(inner) in skipped:
            continue
        match inner:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                found.add(name)
            case ast.FunctionDef(name=name):
                found.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return found


def _drop(lines: list[str | None], node: ast.stmt) -> None:
    """Leave out the lines of a statement, and its decorators."""
    decorators = getattr(node, "decorator_list", [])
    first = min([node.lineno, *(d.lineno for d in decorators)])
    end = node.end_lineno or node.lineno
    lines[first - 1 : end] = [None] * (end - first + 1)


def _shorten_docstring(
    lines: list[str | None], node: ast.FunctionDef | ast.ClassDef
) -> None:
    """Keep the first paragraph of a docstring, and no blank line below it."""
    docstring = node.body[0]
    end = docstring.end_lineno or docstring.lineno
    if ast.get_docstring(node) is None:
        return
    if isinstance(node, ast.ClassDef) and lines[end] == "":
        lines[end] = None
    for at in range(docstring.lineno, end):
        line = lines[at]
        if line is not None and not line.strip():
            lines[at - 1] = f'{lines[at - 1]}"""'
            lines[at:end] = [None] * (end - at)
            return


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
