"""What pages and readers ask of widgets: checked here, refused in one sentence."""

import inspect
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


def check(function: Callable[..., object], given: Mapping[str, object]) -> None:
    """Raise ValueError for a parameter that is not of the type that it has by its annotation."""
    for key, hint in get_type_hints(function).items():
        if key in given and not fits(given[key], hint):
            type_ = inspect.formatannotation(hint)
            raise ValueError(f"{key}: {given[key]!r} is no {type_}")


def fits(value: object, hint: Any) -> bool:
    """Say whether a value is of a type; a whole number is a float, too."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return value in parts
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is list:
        return isinstance(value, list) and all(fits(x, parts[0]) for x in value)
    return isinstance(value, int | float if hint is float else hint)


def whole(number: int, name: str, lowest: int, highest: int) -> int:
    """Return a whole number within limits; ValueError if it is none."""
    if not lowest <= number <= highest:
        raise ValueError(f"{name}: choose from {lowest:,} to {highest:,}")
    return number
