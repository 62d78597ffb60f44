"""The values of options: read from text, or refused in a sentence."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.001, 1000

T = TypeVar("T")


def make_parser(
    convert: Callable[[str], T], accepts: Callable[[T], bool], expected: str
) -> Callable[[str], T]:
    """Return a function that parses the value of an option.

    Args:
        convert: Makes the value of a text, or raises ValueError.
        accepts: Whether a value is allowed.
        expected: What is allowed, for the message about any other text.
    """

    def parse(text: str) -> T:
        with suppress(ValueError):
            if accepts(value := convert(text)):
                return value
        raise ArgumentTypeError(f"expected {expected}, got {text!r}")

    return parse


parse_integer = make_parser(
    int, lambda n: True, "a whole number in digits, such as 1000"
)
parse_positive_integer = make_parser(
    int, lambda n: n >= 1, "a whole number of at least 1"
)
parse_fraction = make_parser(
    float, lambda x: 0 < x <= 1, "a number above 0 and at most 1"
)
parse_temperature = make_parser(
    float,
    lambda x: MIN_TEMPERATURE <= x <= MAX_TEMPERATURE,
    f"a number from {MIN_TEMPERATURE}, which nearly always picks the likeliest"
    f" token, to {MAX_TEMPERATURE}, such as 0.5",
)
# A shell passes an empty text for a variable that is not set
parse_file_name = make_parser(
    str, bool, "the name of a file (or leave the option out)"
)


def make_choice_parser(
    *names: str, note: str = "", **hints: str
) -> Callable[[str], str]:
    """Return a parser of one of these names.

    Args:
        names: What may be typed.
        note: What to add for a name that has no hint.
        hints: For other names that people try, what to type instead.
    """

    def parse(text: str) -> str:
        if text in names:
            return text
        message = f"expected {join_with_or(names)}, got {text!r}"
        if hint := hints.get(text.lower(), note):
            message += f"; {hint}"
        raise ArgumentTypeError(message)

    return parse


def join_with_or(names: tuple[str, ...]) -> str:
    """Join names as a sentence does: `a, b or c`."""
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last
