"""TypeScript is told what the models of widgets take and return."""

from collections.abc import Callable
from typing import Any, Literal, TypedDict

import pytest

from widget_types import HEAD, typescript


class Part(TypedDict):
    """A part."""

    name: Literal["big", "small"]
    pairs: list[tuple[int, float | None]]


class Doubled(TypedDict):
    """Twice as much."""

    number: float
    parts: dict[str, Part]


class Undescribed(TypedDict):
    number: float


def double(number: float, quiet: bool = True) -> Doubled:
    """Double a number."""
    return Doubled(number=2 * number, parts={})


def no_rule() -> set[int]:
    """Return what TypeScript has no plain type for."""
    return set()


def no_result():  # type: ignore[no-untyped-def]
    """Return nothing that is told."""


def no_parameter(number) -> Doubled:  # type: ignore[no-untyped-def]
    """Take what is not told."""
    return double(number)


def no_docstring() -> Undescribed:
    """Return what has no docstring."""
    return Undescribed(number=1)


def test_types_of_python_are_types_of_typescript() -> None:
    assert typescript(iter([double])) == HEAD + (
        "\n/** Double a number. */\n"
        "export interface DoubleParameters {\n"
        "  number: number;\n"
        "  quiet?: boolean;\n"
        "}\n\n"
        "/** A part. */\n"
        "export interface Part {\n"
        '  name: "big" | "small";\n'
        "  pairs: [number, number | null][];\n"
        "}\n\n"
        "/** Twice as much. */\n"
        "export interface Doubled {\n"
        "  number: number;\n"
        "  parts: Record<string, Part>;\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("function", "complaint"),
    [
        (no_rule, "no type for set"),
        (no_result, "return"),
        (no_parameter, "number"),
        (no_docstring, "Undescribed has no docstring"),
    ],
)
def test_types_that_cannot_be_told_are_refused(
    function: Callable[..., Any], complaint: str
) -> None:
    with pytest.raises(TypeError, match=rf"{function.__name__}.*{complaint}"):
        typescript(iter([function]))


def test_no_two_widgets_call_different_things_the_same() -> None:
    def other() -> object:
        """Return another `Doubled`."""

    class Doubled(TypedDict):
        """Half as much."""

    other.__annotations__["return"] = Doubled
    with pytest.raises(TypeError, match="something else Doubled"):
        typescript(iter([double, other]))
