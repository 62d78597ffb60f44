"""Merging a program and the project's modules that it imports into a single file."""

import ast
from pathlib import Path

from weave.errors import WeaveError
from weave.source_symbols import defined_names, find_source, first_line_number

PROJECT_PACKAGES = ("microgpt", "snippets")
Import = ast.Import | ast.ImportFrom


def build_standalone_program(root: Path, module: str) -> str:
    """Return a program, such as `snippets.step3`, with all that it uses of the project.

    Each module follows those that it imports, without the definitions that the
    program does not use. Imports of other packages come first, once each.

    Raises:
        UnknownSymbolError: A module is missing.
        SyntaxError: A module is not valid Python.
        WeaveError: A module of the project is imported by `import module` or `as`, which
            one file cannot do.
    """
    trees: dict[str, ast.Module] = {}
    _collect_modules(root, module, trees)
    used = _find_used_names(trees, module)
    imports: list[Import] = []
    parts = []
    for name, tree in trees.items():
        span, definitions, end = find_source(root, name), [], 0
        for node in tree.body:
            names = defined_names(node)
            if isinstance(node, Import):
                imports += [] if _is_project_import(node) else [node]
            elif not (node is tree.body[0] and ast.get_docstring(tree)) and (
                not names or used.intersection(names)
            ):
                above = span.lines[end : first_line_number(node) - 1]
                comments = [line for line in above if line.startswith("#")]
                lines = span.lines[first_line_number(node) - 1 : node.end_lineno]
                definitions.append("\n".join([*comments, *lines]))
            end = node.end_lineno or end
        if definitions:
            heading = f"# {'-' * 10} {span.path.as_posix()}\n"
            parts.append(heading + "\n\n".join(definitions) + "\n")
    docstring = ast.get_docstring(trees[module])
    opening = f'"""{docstring}"""\n' if docstring else ""
    return opening + _merge_imports(imports, used) + "\n\n" + "\n".join(parts)


def _merge_imports(imports: list[Import], used: set[str]) -> str:
    """Return the used imports, without duplicates and sorted, `__future__` first."""
    modules: set[str] = set()
    names_by_module = {"__future__": {"annotations"}}
    for node in imports:
        names = {ast.unparse(a) for a in node.names if (a.asname or a.name) in used}
        if isinstance(node, ast.Import):
            modules |= names
        elif names:
            names_by_module.setdefault(node.module or "", set()).update(names)
    lines = [
        f"from {module} import {', '.join(sorted(names))}"
        for module, names in sorted(names_by_module.items())
    ]
    plain_imports = [f"import {', '.join(sorted(modules))}"] if modules else []
    return "\n".join([lines[0], *plain_imports, *lines[1:]])


def _find_used_names(trees: dict[str, ast.Module], module: str) -> set[str]:
    """Return the names that a program uses, directly or through other definitions."""
    mentions: dict[str, set[str]] = {}  # the names within the definition of each name
    used: set[str] = set()
    for name, tree in trees.items():
        for node in tree.body:
            mentioned = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
            for defined in defined_names(node):
                mentions.setdefault(defined, set()).update(mentioned)
            if name == module and not isinstance(node, Import):
                used |= {*defined_names(node), *mentioned}
    while more := set().union(*(mentions.get(name, set()) for name in used)) - used:
        used |= more
    return used


def _collect_modules(root: Path, module: str, trees: dict[str, ast.Module]) -> None:
    """Add a module to `trees`, after the project's modules that it imports.

    Each must be imported as `from module import name`: one file has no modules to name.
    """
    span = find_source(root, module)
    tree = ast.parse("\n".join(span.lines))
    for node in tree.body:
        if not (isinstance(node, Import) and _is_project_import(node)):
            continue
        if isinstance(node, ast.Import) or any(alias.asname for alias in node.names):
            raise WeaveError(
                "a program that becomes one file cannot name modules: write "
                "'from module import name'",
                span.path,
                node.lineno,
            )
        if node.module and node.module not in trees:
            _collect_modules(root, node.module, trees)
    trees[module] = tree


def _is_project_import(node: Import) -> bool:
    """Return whether an import names a module of this project."""
    module = getattr(node, "module", None) or node.names[0].name
    return module.partition(".")[0] in PROJECT_PACKAGES
