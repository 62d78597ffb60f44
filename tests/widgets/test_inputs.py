"""What a page gives a widget is of the types that the widget's function takes."""

from typing import Literal

import pytest

from widgets._inputs import fits


@pytest.mark.parametrize(
    ("value", "hint", "fit"),
    [
        ("end", Literal["start", "end"], True),
        ("middle", Literal["start", "end"], False),
        (3, Literal["start", "end"] | int, True),
        ("3", Literal["start", "end"] | int, False),
        (["end"], list[Literal["start", "end"]] | None, True),
        (["end", "top"], list[Literal["start", "end"]] | None, False),
        (None, list[str] | None, True),
        (1, float, True),
        (0.5, int, False),
        (1, str, False),
    ],
)
def test_a_value_is_of_a_type_or_not(value: object, hint: object, fit: bool) -> None:
    assert fits(value, hint) == fit
