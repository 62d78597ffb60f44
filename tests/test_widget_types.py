"""TypeScript types generated from the Python functions of widgets."""

from typing import Literal, TypedDict

import pytest

from widget_types import HEADER_COMMENT, typescript_interfaces


class Part(TypedDict):
    """A part."""

    name: Literal["big", "small"]
    pairs: list[tuple[int, float | None]]


class Doubled(TypedDict):
    """Twice as much."""

    number: float
    parts: dict[str, Part]


def double(number: float, quiet: bool = True) -> Doubled:
    """Double a number."""
    return Doubled(number=2 * number, parts={})


def test_python_types_become_typescript_types() -> None:
    assert typescript_interfaces(iter([double])) == HEADER_COMMENT + (
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


def test_python_type_without_a_typescript_type_is_refused() -> None:
    def divided() -> set[int]:
        """Return a type that JSON lacks."""
        return set()

    with pytest.raises(TypeError, match="no TypeScript type for set"):
        typescript_interfaces(iter([divided]))
