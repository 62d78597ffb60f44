"""Writes `widgets/types.ts`: what each widget's model takes and returns, for TypeScript.

The types are stated once, in Python. `npm run check` runs this file first; bundling
needs no types. Any Python that can run the package can run it: nothing else is imported.
"""

import inspect
import json
import sys
import types
from collections.abc import Callable, Iterator
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

WEB = Path(__file__).resolve().parent
TYPES = WEB / "widgets" / "types.ts"
HEAD = "// Written by `uv run poe types` from the models of the widgets.\n"
PLAIN = {
    str: "string",
    int: "number",
    float: "number",
    bool: "boolean",
    type(None): "null",
    object: "unknown",
}


def functions() -> Iterator[Callable[..., object]]:
    """Yield the function of each widget, which has the widget's name."""
    for model in sorted(WEB.glob("widgets/*/model.py")):
        name = model.parent.name
        yield getattr(import_module(f"widgets.{name}.model"), name)


def typescript(functions: Iterator[Callable[..., object]]) -> str:
    """Return the interfaces of what these functions take and return.

    The compiler refuses two that have one name and mean different things.
    """
    interfaces: list[str] = []
    for function in functions:
        hints = get_type_hints(function)
        returned = hints.pop("return")
        fields = {
            f"{key}{'' if parameter.default is parameter.empty else '?'}": hints[key]
            for key, parameter in inspect.signature(function).parameters.items()
        }
        title = "".join(word.capitalize() for word in function.__name__.split("_"))
        _add(f"{title}Parameters", fields, function, interfaces)
        _type(returned, interfaces)
    return "\n".join([HEAD, *dict.fromkeys(interfaces)])


def _add(
    name: str, fields: dict[str, Any], described: object, interfaces: list[str]
) -> None:
    lines = [f"  {key}: {_type(hint, interfaces)};" for key, hint in fields.items()]
    summary = str(described.__doc__).partition("\n")[0]
    opening = [f"/** {summary} */", f"export interface {name} {{"]
    interfaces.append("\n".join([*opening, *lines, "}", ""]))


def _type(hint: Any, interfaces: list[str]) -> str:
    """Return a type in TypeScript; TypedDicts become interfaces."""
    if hint in PLAIN:
        return PLAIN[hint]
    if is_typeddict(hint):
        _add(hint.__name__, get_type_hints(hint), hint, interfaces)
        return str(hint.__name__)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is list:
        inner = _type(parts[0], interfaces)
        is_choice = get_origin(parts[0]) in (Union, types.UnionType, Literal)
        return f"({inner})[]" if is_choice else f"{inner}[]"
    if origin is tuple and parts[-1:] != (...,):
        return f"[{', '.join(_type(part, interfaces) for part in parts)}]"
    if origin is dict and parts[0] is str:
        return f"Record<string, {_type(parts[1], interfaces)}>"
    if origin in (Union, types.UnionType):
        return " | ".join(_type(part, interfaces) for part in parts)
    if origin is Literal:
        return " | ".join(json.dumps(part) for part in parts)
    raise TypeError(f"TypeScript has no type for {hint!r} yet")


if __name__ == "__main__":
    sys.path.insert(1, str(WEB.parent))  # of the package; `widgets` lies beside this
    written = typescript(functions())
    if not TYPES.is_file() or TYPES.read_text("utf-8") != written:
        TYPES.write_text(written, encoding="utf-8")
