"""Writes `widgets/types.ts`, the TypeScript of what widgets' models take and return.

The types are stated once, in Python. `npm run check` runs this file first; bundling
needs no types. It imports nothing but the package.
"""

import inspect
import json
import sys
import types
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

WEB_FOLDER = Path(__file__).resolve().parent
TYPES_FILE = WEB_FOLDER / "widgets" / "types.ts"
HEADER_COMMENT = "// Written by `uv run poe types` from the models of the widgets.\n"
TYPESCRIPT_TYPE_NAMES = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    object: "unknown",
}


def widget_functions() -> Iterator[Callable[..., object]]:
    """Yield the Python function of each widget, which is named after the widget."""
    for model in sorted(WEB_FOLDER.glob("widgets/*/model.py")):
        name = model.parent.name
        yield getattr(import_module(f"widgets.{name}.model"), name)


def typescript_interfaces(functions: Iterator[Callable[..., object]]) -> str:
    """Return TypeScript interfaces for the parameters and results of functions.

    Two classes of one name that differ give two interfaces, which the compiler refuses.

    Raises:
        TypeError: If an annotation has no counterpart in TypeScript.
    """
    interfaces: list[str] = []
    for function in functions:
        hints = get_type_hints(function)
        return_type = hints.pop("return")
        fields = {
            f"{key}{'' if parameter.default is parameter.empty else '?'}": hints[key]
            for key, parameter in inspect.signature(function).parameters.items()
        }
        title = "".join(word.capitalize() for word in function.__name__.split("_"))
        _add_interface(f"{title}Parameters", fields, function, interfaces)
        _typescript_type(return_type, interfaces)
    return "\n".join([HEADER_COMMENT, *dict.fromkeys(interfaces)])


def _add_interface(
    name: str, fields: dict[str, Any], documented_object: object, interfaces: list[str]
) -> None:
    lines = [f"  {k}: {_typescript_type(v, interfaces)};" for k, v in fields.items()]
    summary = str(documented_object.__doc__).partition("\n")[0]
    opening = [f"/** {summary} */", f"export interface {name} {{"]
    interfaces.append("\n".join([*opening, *lines, "}", ""]))


def _typescript_type(hint: Any, interfaces: list[str]) -> str:
    """Return a Python type in TypeScript; each TypedDict adds an interface."""
    if hint in TYPESCRIPT_TYPE_NAMES:
        return TYPESCRIPT_TYPE_NAMES[hint]
    if typing.is_typeddict(hint):
        _add_interface(hint.__name__, get_type_hints(hint), hint, interfaces)
        return str(hint.__name__)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is list:
        item_type = _typescript_type(parts[0], interfaces)
        is_choice = get_origin(parts[0]) in (Union, types.UnionType, Literal)
        return f"({item_type})[]" if is_choice else f"{item_type}[]"
    if origin is tuple and parts[-1:] != (...,):
        return f"[{', '.join(_typescript_type(part, interfaces) for part in parts)}]"
    if origin is dict and parts[0] is str:
        return f"Record<string, {_typescript_type(parts[1], interfaces)}>"
    if origin in (Union, types.UnionType):
        return " | ".join(_typescript_type(part, interfaces) for part in parts)
    if origin is Literal:
        return " | ".join(json.dumps(part) for part in parts)
    raise TypeError(
        f"no TypeScript type for {hint!r}: use str, numbers, lists, tuples, dicts, "
        "Literal or TypedDict, or extend widget_types.py"
    )


if __name__ == "__main__":
    sys.path.insert(1, str(WEB_FOLDER.parent))  # `widgets` lies beside this file
    text = typescript_interfaces(widget_functions())
    if not TYPES_FILE.is_file() or TYPES_FILE.read_text("utf-8") != text:
        TYPES_FILE.write_text(text, encoding="utf-8")
