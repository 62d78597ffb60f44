"""The values of options: read from text, or refused in a sentence."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from contextlib import suppress

MIN_TEMPERATURE, MAX_TEMPERATURE = 0.001, 1000


def parse_positive_integer(text: str) -> int:
    """Parse a whole number of at least 1."""
    with suppress(ValueError):
        if text.strip().isdecimal() and (number := int(text)) >= 1:
            return number
    raise ArgumentTypeError(
        f"expected a whole number of at least 1, got {text!r}"
    )


def parse_integer(text: str) -> int:
    """Parse a whole number, which may be negative."""
    with suppress(ValueError):
        return int(text)
    raise ArgumentTypeError(f"expected a whole number, got {text!r}")


def parse_fraction(text: str) -> float:
    """Parse a number above 0 and at most 1."""
    with suppress(ValueError):
        if 0 < float(text) <= 1:
            return float(text)
    raise ArgumentTypeError(
        f"expected a number above 0 and at most 1, got {text!r}"
    )


def make_range_parser(least: float, most: float) -> Callable[[str], float]:
    """Return a parser of a number from `least` to `most`."""

    def parse(text: str) -> float:
        with suppress(ValueError):
            if least <= float(text) <= most:
                return float(text)
        raise ArgumentTypeError(
            f"expected a number from {least} to {most}, got {text!r}"
        )

    return parse


def parse_file_name(text: str) -> str:
    """Return the name of a file; an unset variable of a shell gives none."""
    if not text:
        raise ArgumentTypeError("expected the name of a file, got ''")
    return text


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
