"""One file from a program and the modules of this project that it imports."""

import ast
import re
from pathlib import Path

from weave.errors import WeaveError
from weave.source import defined, find, first_line

OURS = ("microgpt", "snippets")
# Reads the one thing that comes from outside, which may be wrong.
READS_FILES = "microgpt.data"


def standalone(root: Path, module: str) -> str:
    """Return a program with everything of this project that it uses, in one file.

    Modules stand in the order in which they need each other. What the program does not
    use is left out, and so are all but the first paragraph of a docstring, and checks of
    arguments, which a program that calls itself doesn't need. Imports from elsewhere come
    first, once.
    """
    order: list[str] = []
    _collect(root, module, order)
    spans = {name: find(root, name) for name in order}
    trees = {name: ast.parse("\n".join(span.lines)) for name, span in spans.items()}
    checks = {
        name: [] if name in (module, READS_FILES) else _checks(tree)
        for name, tree in trees.items()
    }
    used = _used(trees, module)
    outside: list[ast.Import | ast.ImportFrom] = []
    parts = []
    for name, span in spans.items():
        lines: list[str | None] = list(span.lines)
        tree = trees[name]
        for check in checks[name]:
            _drop(lines, check)
        if ast.get_docstring(tree):
            _drop(lines, tree.body[0])
        for node in tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                _drop(lines, node)
                if not _ours(node):
                    outside.append(node)
                continue
            methods = node.body if isinstance(node, ast.ClassDef) else []
            unused = [
                part
                for part in [node, *methods]
                if (names := defined(part)) and used.isdisjoint(names)
            ]
            if unused == methods:  # a class that is used has a body
                unused = unused[1:]
            for part in unused:
                _drop(lines, part)
        for inner in ast.walk(tree):
            if isinstance(inner, ast.FunctionDef | ast.ClassDef):
                _shorten_docstring(lines, inner)
        kept = "\n".join(line for line in lines if line is not None).strip()
        if kept:
            parts.append(f"# {'-' * 10} {span.path.as_posix()}\n{kept}\n")
    opening = ast.get_docstring(trees[module])
    head = f'"""{opening}"""\n' if opening else ""
    text = head + _imports(outside, used) + "\n\n" + "\n".join(parts)
    return re.sub(r"\n{3,}", "\n\n", text)


def _checks(tree: ast.Module) -> list[ast.stmt]:
    """Take statements that do nothing but raise an error out of a program."""
    found: list[ast.stmt] = []
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            found += filter(_is_check, body)
            body[:] = [inner for inner in body if not _is_check(inner)]
    return found


def _is_check(node: ast.stmt) -> bool:
    match node:
        case ast.If(body=[ast.Raise()], orelse=[]):
            return True
        case ast.For(body=body) | ast.FunctionDef(body=body):
            return all(map(_is_check, body))
    return False


def _imports(statements: list[ast.Import | ast.ImportFrom], used: set[str]) -> str:
    """Return what is used of imports, once: the future, modules, names of modules."""
    modules: set[str] = set()
    names = {"__future__": {"annotations"}}
    for node in statements:
        kept = {ast.unparse(a) for a in node.names if (a.asname or a.name) in used}
        if isinstance(node, ast.Import):
            modules |= kept
        elif kept:
            names.setdefault(node.module or "", set()).update(kept)
    lines = [
        f"from {module} import {', '.join(sorted(names))}"
        for module, names in sorted(names.items())
    ]
    first = [f"import {', '.join(sorted(modules))}"] if modules else []
    return "\n".join([lines[0], *first, *lines[1:]])


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
                for defines in defined(part):
                    mentions.setdefault(defines, set()).update(_mentions(part, own))
            if name == module and not isinstance(node, ast.Import | ast.ImportFrom):
                used |= {*defined(node), *_mentions(node, [])}
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
    skipped = {n for part in without for n in ast.walk(part)}
    found = set()
    for inner in {*ast.walk(node)} - skipped:
        match inner:
            case ast.Name(id=n) | ast.Attribute(attr=n) | ast.FunctionDef(name=n):
                found.add(n)
    return found


def _drop(lines: list[str | None], node: ast.stmt) -> None:
    """Leave out the lines of a statement, and its decorators."""
    first, end = first_line(node), node.end_lineno or node.lineno
    lines[first - 1 : end] = [None] * (end - first + 1)


def _shorten_docstring(
    lines: list[str | None], node: ast.FunctionDef | ast.ClassDef
) -> None:
    """Keep the first paragraph of a docstring, and no blank line below it."""
    docstring = node.body[0]
    end = docstring.end_lineno or docstring.lineno
    if ast.get_docstring(node) is None:
        return
    if isinstance(node, ast.ClassDef) and lines[end : end + 1] == [""]:
        lines[end] = None
    for at in range(docstring.lineno, end):
        line = lines[at]
        if line is not None and not line.strip():
            quotes = (lines[end - 1] or "").strip()[-3:]
            lines[at - 1] = f"{lines[at - 1]}{quotes}"
            lines[at:end] = [None] * (end - at)
            return


def _collect(root: Path, module: str, order: list[str]) -> None:
    """Put every module that a module needs into `order`, before it.

    Each is imported as `from module import name`: one file has no modules to name.
    """
    span = find(root, module)
    for node in ast.parse("\n".join(span.lines)).body:
        named = isinstance(node, ast.Import) or any(
            alias.asname for alias in getattr(node, "names", ())
        )
        if named and isinstance(node, ast.Import | ast.ImportFrom) and _ours(node):
            message = "one file has no modules: write 'from module import name'"
            raise WeaveError(message, span.path, node.lineno)
        needs = node.module if isinstance(node, ast.ImportFrom) and _ours(node) else ""
        if needs and needs not in order:
            _collect(root, needs, order)
    order.append(module)


def _ours(node: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] in OURS
    return any(alias.name.partition(".")[0] in OURS for alias in node.names)
