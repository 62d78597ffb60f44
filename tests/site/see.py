"""What can be read off a widget, and how that may agree with Python's numbers."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pytest import approx


@dataclass(frozen=True)
class Part:
    """Something to read off each element that a selector finds."""

    selector: str
    kind: str = "text"
    name: str = ""


# What a figure should show, by selector or part
Seen = dict[str | Part, object]


def numbers(selector: str) -> Part:
    """The numbers that stand there, each as a float; other words as they are."""
    return Part(selector, "numbers")


def count(selector: str) -> Part:
    return Part(selector, "count")


def style(selector: str, name: str) -> Part:
    """A number of each element's own style, such as its width in percent; 0 if it has none."""
    return Part(selector, "style", name)


def widths(selector: str, percent: Sequence[float], abs: float = 0.06) -> Seen:
    """How long bars are."""
    return {style(selector, "width"): approx(list(percent), abs=abs)}


def percents(selector: str, values: Sequence[float]) -> Seen:
    """Probabilities as readers see them, where "<0.1%" is little and "0" is none."""

    def read(text: str) -> float:
        return float(text.replace("%", "").replace("<", "").split()[-1])

    def near(p: float) -> object:
        return approx(100 * p, abs=0.1 if 0 < p < 0.0006 else 0.061)

    return {selector: [reading(read, near(p)) for p in values]}


def attribute(selector: str, name: str) -> Part:
    return Part(selector, "attribute", name)


def flags(selector: str, matching: str) -> Part:
    """Whether each of the elements matches another selector."""
    return Part(selector, "matches", matching)


def shades(selector: str) -> Part:
    """The cells of heat maps that have a colour, and how strong it is."""
    return Part(selector, "shades")


class containing(str):
    """A text that holds this one."""

    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and plain(self) in other

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __repr__(self) -> str:
        return f"… {plain(self)!r} …"


class reading:
    """Whatever a function reads as this."""

    def __init__(self, read: Callable[[Any], object], expected: object) -> None:
        self.read, self.wanted = read, expected

    def __eq__(self, other: object) -> bool:
        try:
            return bool(self.read(other) == self.wanted)
        except (ValueError, IndexError, ZeroDivisionError):
            return False

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"read as {self.wanted!r}"


class reading_all(reading):
    """The same of what all elements show, as a list."""


def labelled(name: str, value: object) -> reading:
    """A label that says a name and a number."""

    def read(text: str) -> tuple[str, float]:
        said, _, value = text.partition(" = ")
        return said, number(value)

    return reading(read, (name, value))


def plain(text: str) -> str:
    """A text with single blanks."""
    return " ".join(text.split())


def number(text: str) -> float:
    """Read a number as readers see it."""
    for value, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹"):
        text = text.replace(digit, str(value))
    text = plain(text).replace("−", "-").replace("⁻", "-").replace(" × 10", "e")
    text = text.lstrip("×+ ").replace(",", "")
    return float(f"1e{text[2:]}" if text.startswith("10-") else text)


def number_or_words(text: str) -> float | str:
    try:
        return number(text)
    except ValueError:
        return text


Shades = dict[tuple[int, int], int]


def parse_shades(paths: Iterable[tuple[str, str]]) -> Shades:
    """Read the cells of a heat map off its paths, one for each shade."""
    found = {}
    for fill, path in paths:
        shade = int(fill.partition("%")[0].rpartition(" ")[2])
        row = column = 0
        for x, y, width in re.findall(r"m(-?\d+) (-?\d+)h(\d+)v1h-\d+z", path):
            row, column = row + int(y), column + int(x)
            for each in range(int(width)):
                found[row, column + each] = -shade if "--below" in fill else shade
    return found


def rounded(value: float | str | None, decimals: int) -> Any:
    """What readers see of a number with so many decimals, or with three digits."""
    if value is None or isinstance(value, str):
        words = {"nan": "not a number", "inf": "infinite", "-inf": "minus infinite"}
        return "–" if value is None else words[value]
    if value != 0 and not 0.5 * 10**-decimals <= abs(value) < 1e5:
        return approx(value, rel=0.0051)
    return approx(value, abs=0.51 * 10**-decimals)


CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "numbers": number_or_words,
    "shades": parse_shades,
}
RAW = {"numbers": "text"}


def agrees(found: list[Any], expected: object) -> bool:
    """Tell whether what was read is what was expected: a list, or the one that there is."""
    if isinstance(expected, re.Pattern):
        return len(found) == 1 and bool(expected.search(str(found[0])))
    if isinstance(expected, str) and not isinstance(expected, containing):
        expected = plain(expected)
    if isinstance(expected, list):
        strict = [type(x) is str for x in expected]
        expected = [plain(x) if s else x for x, s in zip(expected, strict)]
    inner = getattr(expected, "expected", expected)  # of pytest.approx
    if isinstance(inner, list | tuple) or isinstance(expected, reading_all):
        return bool(found == expected)
    return len(found) == 1 and bool(found[0] == expected)
