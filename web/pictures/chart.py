"""A sheet with two axes, on which things stand at numbers."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from pictures.drawing import Drawing, Point


@dataclass(frozen=True)
class Axis:
    """Where the numbers from `first` to `last` stand, in pixels."""

    first: float
    last: float
    start: float
    end: float
    tens: bool = False  # ten times as much is as far everywhere

    def __call__(self, number: float) -> float:
        """Return the place of a number."""
        if self.tens:
            share = math.log(number / self.first) / math.log(self.last / self.first)
        else:
            share = (number - self.first) / (self.last - self.first)
        return self.start + (self.end - self.start) * share


class Chart(Drawing):
    """A drawing whose points are pairs of numbers; the lower end of `y` is its start."""

    def __init__(self, height: float, x: Axis, y: Axis) -> None:
        super().__init__(height)
        self.x, self.y = x, y

    def at(self, x: float, y: float) -> Point:
        """Return the place of a pair of numbers."""
        return self.x(x), self.y(y)

    def levels(
        self,
        numbers: Iterable[float],
        form: str = "g",
        said: str = "",
        *,
        axes: str | None = None,
    ) -> None:
        """Write numbers of `y`, and above what they are.

        There is a line across for each, or two axes that look as said.
        """
        if axes is not None:
            corner = self.x.start, self.y.start
            ends = (self.x.start, self.y.end), (self.x.end, self.y.start)
            self.line([ends[0], corner, ends[1]], axes)
        self.label(self.x.start, self.y.end - 6, said, "soft")
        for number in numbers:
            y = self.y(number)
            if axes is None:
                self.line([(self.x.start, y), (self.x.end, y)], "soft")
            level = format(number, form)
            self.text(self.x.start - 8, y + 5, level, "small soft end")

    def foot(
        self, numbers: Iterable[float], form: str, said: str, below: float = 46
    ) -> None:
        """Write numbers of `x`, and so far below the axis what they are."""
        for number in numbers:
            place, low = self.x(number), self.y.start + min(22, below - 18)
            self.text(place, low, format(number, form), "small soft")
        middle = (self.x.start + self.x.end) / 2
        self.text(middle, self.y.start + below, said, "small soft")

    def curve(
        self, points: Iterable[Point], role: str = "", *, look: str = "thick"
    ) -> list[Point]:
        """Join points by lines, and return their places."""
        places = [self.at(x, y) for x, y in points]
        self.line(places, f"{role} {look}")
        return places

    def floor(self, number: float) -> float:
        """Draw a dashed line at a number of `y`, and return its place."""
        y = self.y(number)
        self.line([(self.x.start, y), (self.x.end, y)], "dashed")
        return y
