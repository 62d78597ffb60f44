"""Which module of a package imports which, as a diagram."""

import ast
from functools import lru_cache
from pathlib import Path

from weave.errors import WeaveError

Imports = dict[str, set[str]]


def imports_of(root: Path, package: str) -> Imports:
    """Return, for each module of a package, the others that it imports.

    A package inside it counts as one module. What `__init__` and `__main__` import says
    nothing about the parts.
    """
    folder = root / package
    if not (folder / "__init__.py").is_file():
        raise WeaveError(f"there is no package {package!r}")
    found: Imports = {}
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


def reduced(imports: Imports) -> Imports:
    """Leave out each import that others imply: of a, b and c in a chain, a to c."""
    reached: Imports = {}

    def reach(part: str) -> set[str]:
        if part not in reached:
            reached[part] = set()  # ends the search where modules import each other
            for other in imports[part]:
                reached[part] |= {other} | reach(other)
        return reached[part]

    return {
        part: {
            other
            for other in named
            if not any(other in reach(third) for third in named - {other})
        }
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
