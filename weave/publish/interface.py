"""The types of the widgets' Python functions, written for TypeScript.

What a function in `web/widgets/` takes and returns is said once, in Python. Its page
is written in TypeScript; `web/widgets/types.ts` tells the compiler there.
"""

from __future__ import annotations

import inspect
import json
import sys
import types
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import (
    Any,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from weave.errors import WeaveError
from weave.findings import Correction, whole_file
from weave.guide import Guide
from weave.process import Stopped, run_module

TYPES = Path("web", "widgets", "types.ts")
WIDGETS = Path("web", "widgets")
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
}


def widget_types(root: Path) -> str:
    """Return TypeScript's interfaces for all widgets: parameters, results, parts.

    Another process imports the widgets, because this one may know older ones.
    """
    paths = [root, root / "web"]
    try:
        return run_module(
            "weave.publish.interface", str(root), within=root, paths=paths
        )
    except Stopped as stopped:
        what = f"the widgets' types cannot be written: {stopped}"
        raise WeaveError(what, WIDGETS) from None


def _widget_types(root: Path) -> str:
    interfaces: dict[str, str] = {}
    for path in sorted((root / WIDGETS).glob("[a-z]*.py")):
        _describe(path.relative_to(root), interfaces)
    head = "// Written by `python -m weave update` from the functions beside it.\n"
    return "\n".join([head, *interfaces.values()])


def _describe(path: Path, interfaces: dict[str, str]) -> None:
    """Add the interfaces of one widget."""
    name = path.stem
    module = import_module(f"widgets.{name}")
    function = getattr(module, name, None)
    if function is None:
        raise WeaveError(f"a widget's file has a function of its name, {name}", path)
    hints = get_type_hints(function)
    try:
        returned = hints.pop("return")
        fields = {
            f"{key}{'' if parameter.default is parameter.empty else '?'}": hints[key]
            for key, parameter in inspect.signature(function).parameters.items()
        }
        title = "".join(word.capitalize() for word in name.split("_"))
        _add(f"{title}Parameters", fields, inspect.getdoc(function), interfaces)
        _write(returned, interfaces)
    except (KeyError, TypeError) as error:
        raise WeaveError(
            f"the types of {name} cannot be written: {error}", path
        ) from None


def _add(
    name: str, fields: dict[str, Any], doc: str | None, interfaces: dict[str, str]
) -> None:
    lines = [f"  {key}: {_write(hint, interfaces)};" for key, hint in fields.items()]
    if not doc:
        raise TypeError(f"{name} has no docstring")
    summary = doc.partition("\n")[0]
    text = "\n".join(
        [f"/** {summary} */", f"export interface {name} {{", *lines, "}", ""]
    )
    if interfaces.setdefault(name, text) != text:
        raise TypeError(f"two widgets call different things {name}")


def _write(hint: Any, interfaces: dict[str, str]) -> str:
    """Return a type in TypeScript; TypedDicts become interfaces."""
    if hint in PLAIN:
        return PLAIN[hint]
    if is_typeddict(hint):
        # A docstring that a TypedDict lacks would be looked up in dict.
        doc = hint.__dict__.get("__doc__")
        _add(hint.__name__, get_type_hints(hint), doc, interfaces)
        return str(hint.__name__)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Iterator:  # a function that yields what it has so far
        return _write(parts[0], interfaces)
    if origin is list:
        inner = _write(parts[0], interfaces)
        is_choice = get_origin(parts[0]) in (Union, types.UnionType, Literal)
        return f"({inner})[]" if is_choice else f"{inner}[]"
    if origin is tuple and parts[-1:] != (...,):
        return f"[{', '.join(_write(part, interfaces) for part in parts)}]"
    if origin is dict and parts[0] is str:
        return f"Record<string, {_write(parts[1], interfaces)}>"
    if origin in (Union, types.UnionType):
        return " | ".join(_write(part, interfaces) for part in parts)
    if origin is Literal:
        return " | ".join(json.dumps(part) for part in parts)
    raise TypeError(f"there is no rule for {hint!r}")


def examine(guide: Guide) -> Iterator[Correction]:
    """Compare what the widgets' views know of the functions with what these are."""
    if (guide.root / WIDGETS).is_dir():
        what = "is not what the widgets' functions take and return"
        yield from whole_file(guide.root, TYPES, widget_types(guide.root), what)


if __name__ == "__main__":
    print(_widget_types(Path(sys.argv[1])), end="")
