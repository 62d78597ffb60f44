"""One file from a program and the modules of this project that it imports."""

import ast
from pathlib import Path

from weave.errors import WeaveError
from weave.source_symbols import defined_names, find_source, first_line

PROJECT_PACKAGES = ("microgpt", "snippets")
Import = ast.Import | ast.ImportFrom


def build_standalone_program(root: Path, module: str) -> str:
    """Return a program with everything of this project that it uses, in one file.

    Modules stand in the order in which they need each other, without the definitions that
    the program does not use. Imports from elsewhere come first, once.
    """
    order: dict[str, ast.Module] = {}
    _collect_modules(root, module, order)
    used = _find_used_names(order, module)
    imports: list[Import] = []
    parts = []
    for name, tree in order.items():
        span, kept, end = find_source(root, name), [], 0
        for node in tree.body:
            names = defined_names(node)
            if isinstance(node, Import):
                imports += [] if _is_project_import(node) else [node]
            elif not (node is tree.body[0] and ast.get_docstring(tree)) and (
                not names or used.intersection(names)
            ):
                above = span.lines[end : first_line(node) - 1]
                comments = [line for line in above if line.startswith("#")]
                lines = span.lines[first_line(node) - 1 : node.end_lineno]
                kept.append("\n".join([*comments, *lines]))
            end = node.end_lineno or end
        if kept:
            head = f"# {'-' * 10} {span.path.as_posix()}"
            parts.append("\n\n".join([f"{head}\n{kept[0]}", *kept[1:]]) + "\n")
    opening = ast.get_docstring(order[module])
    head = f'"""{opening}"""\n' if opening else ""
    return head + _merge_imports(imports, used) + "\n\n" + "\n".join(parts)


def _merge_imports(imports: list[Import], used: set[str]) -> str:
    """Return what is used of imports, once: the future, modules, names of modules."""
    modules: set[str] = set()
    names = {"__future__": {"annotations"}}
    for node in imports:
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


def _find_used_names(trees: dict[str, ast.Module], module: str) -> set[str]:
    """Return the names that a program needs: those it mentions, those that these do ..."""
    mentions: dict[str, set[str]] = {}
    used: set[str] = set()
    for name, tree in trees.items():
        for node in tree.body:
            inner = list(ast.walk(node))
            said = {n.id for n in inner if isinstance(n, ast.Name)}
            for defines in defined_names(node):
                mentions.setdefault(defines, set()).update(said)
            if name == module and not isinstance(node, Import):
                used |= {*defined_names(node), *said}
    while more := set().union(*(mentions.get(name, set()) for name in used)) - used:
        used |= more
    return used


def _collect_modules(root: Path, module: str, order: dict[str, ast.Module]) -> None:
    """Put every module that a module needs into `order`, before it.

    Each is imported as `from module import name`: one file has no modules to name.
    """
    span = find_source(root, module)
    tree = ast.parse("\n".join(span.lines))
    for node in tree.body:
        if not (isinstance(node, Import) and _is_project_import(node)):
            continue
        if isinstance(node, ast.Import) or any(alias.asname for alias in node.names):
            message = "one file has no modules: write 'from module import name'"
            raise WeaveError(message, span.path, node.lineno)
        if node.module and node.module not in order:
            _collect_modules(root, node.module, order)
    order[module] = tree


def _is_project_import(node: Import) -> bool:
    """Tell whether an import is one of this project."""
    module = getattr(node, "module", None) or node.names[0].name
    return module.partition(".")[0] in PROJECT_PACKAGES
