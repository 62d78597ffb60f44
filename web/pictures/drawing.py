"""A sheet to draw on: text, boxes, lines, arrows and axes, in the page's colours."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

Point = tuple[float, float]

WIDTH = 480  # of most pictures; a phone shows them at three quarters of that
MARGIN = 8  # below what is lowest
HEAD = 8  # the length of an arrow's head


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


class Drawing:
    """An SVG picture, as high as what is drawn; lengths are pixels, y grows downwards.

    `look` says in words how a thing looks. One may be its role, which decides its colour:
    data, parameter, activation, gradient, attention or cost. Without one it has the colour
    of ink, or of less of it if it is soft. Where it has axes, things stand at numbers.
    """

    x: Axis
    y: Axis

    def __init__(self) -> None:
        self.width, self.height = float(WIDTH), 0.0
        self._parts: list[str] = []

    def _add(self, part: str, low: float) -> None:
        """Add a part that reaches so far down."""
        self._parts.append(part)
        self.height = max(self.height, low + MARGIN)

    def text(self, x: float, y: float, said: object, look: str = "") -> None:
        """Write on the line y, about x. `look` may hold: small, large, strong, start, end."""
        if said == "":
            return
        if not {"start", "middle", "end"} & {*look.split()}:
            look += " middle"
        words = re.sub(r"(?<!\w)-(?=\d)", "−", escape(str(said), quote=False))
        place = f'x="{_px(x)}" y="{_px(y)}"'
        self._add(f"<text {_named(look)} {place}>{words}</text>", y + 3)

    def label(self, x: float, y: float, said: object, look: str = "") -> None:
        """Write small words that begin at x."""
        self.text(x, y, said, f"{look} small start")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        look: str = "",
        *,
        strength: float | None = None,
    ) -> None:
        """Draw a box; with a strength from 0 to 1 it is a cell, filled as strongly."""
        fill = "" if strength is None else f' fill-opacity="{round(strength, 3)}"'
        names = _named(f"{'box' if strength is None else 'cell'} {look}")
        size = f'width="{_px(width)}" height="{_px(height)}" rx="3"'
        part = f'<rect {names} x="{_px(x)}" y="{_px(y)}" {size}{fill}/>'
        self._add(part, y + height)

    def block(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        said: object,
        look: str = "",
        *,
        down: float = 5,
    ) -> None:
        """Draw a box, and write in it, so far below its middle."""
        self.box(x, y, width, height, look)
        self.text(x + width / 2, y + height / 2 + down, said, look)

    def bars(
        self,
        rows: Iterable[tuple[str, str, float, object]],
        left: float,
        unit: float,
        apart: float = 34,
    ) -> None:
        """Draw a row for each name: a bar of its role as long as its number, and words.

        The first stands out.
        """
        for i, (name, role, number, said) in enumerate(rows):
            y, wide = 6 + apart * i, max(unit * number, 1)
            self.label(4, y + 18, name, "" if i else f"{role} strong")
            self.box(left, y, wide, 25, role, strength=0.6)
            self.label(left + wide + 8, y + 18, said, "strong")

    def cells(
        self,
        x: float,
        y: float,
        size: tuple[float, float],
        rows: Iterable[Iterable[float]],
        role: str,
        gap: float = 1,
    ) -> None:
        """Draw rows of cells, as strong as their numbers."""
        wide, high = size
        for i, row in enumerate(rows):
            for j, strength in enumerate(row):
                place = x + wide * j, y + high * i, wide - gap, high - gap
                self.box(*place, role, strength=strength)

    def line(self, points: Iterable[Point], look: str = "") -> None:
        """Join points by straight lines. `look` may hold: thick, dashed."""
        places = [*points]
        steps = " ".join(f"{_px(x)},{_px(y)}" for x, y in places)
        part = f'<polyline {_named(f"line {look}")} points="{steps}"/>'
        self._add(part, max(y for _, y in places))

    def arrow(
        self,
        start: Point,
        end: Point,
        role: str = "",
        *,
        bend: float = 0.0,
        weight: float = 1.5,
    ) -> None:
        """Draw an arrow, bent to its left by so many pixels, as thick as its weight."""
        (x0, y0), (x1, y1) = start, end
        length = math.dist(start, end) or 1.0
        # The point that bends it: off the middle, at a right angle.
        across = (2 * bend * (y1 - y0) / length, -2 * bend * (x1 - x0) / length)
        mid = ((x0 + x1) / 2 + across[0], (y0 + y1) / 2 + across[1])
        angle = math.atan2(y1 - mid[1], x1 - mid[0])
        head = HEAD + 1.5 * weight
        neck, *sides = [  # the shaft ends inside the head
            (x1 - size * math.cos(angle + turn), y1 - size * math.sin(angle + turn))
            for size, turn in ((0.8 * head, 0), (head, 0.42), (head, -0.42))
        ]
        way = f"M{_at(start)}Q{_at(mid)} {_at(neck)}"
        tip = f"M{_at(end)}L{_at(sides[0])} {_at(sides[1])}Z"
        part = (
            f'<g {_named(f"arrow {role}")}><path stroke-width="{round(weight, 2)}" '
            f'd="{way}"/><path class="head" d="{tip}"/></g>'
        )
        self._add(part, max(y0, y1))

    def dot(self, x: float, y: float, radius: float, look: str = "") -> None:
        """Draw a disc; if `look` holds ring, only its edge."""
        place = f'cx="{_px(x)}" cy="{_px(y)}" r="{_px(radius)}"'
        self._add(f"<circle {_named(f'dot {look}')} {place}/>", y + radius)

    def axes(self, x: Axis, y: Axis) -> None:
        """Let points be pairs of numbers; the lower end of y is its start."""
        self.x, self.y = x, y

    def at(self, x: float, y: float) -> Point:
        """Return the place of a pair of numbers."""
        return self.x(x), self.y(y)

    def levels(self, numbers: Iterable[float], form: str, said: str) -> None:
        """Draw a line across for each number of `y`, and write above what they are."""
        self.label(self.x.start, self.y.end - 6, said, "soft")
        for number in numbers:
            y = self.y(number)
            self.line([(self.x.start, y), (self.x.end, y)], "soft")
            self.text(self.x.start - 8, y + 5, format(number, form), "small soft end")

    def foot(
        self, numbers: Iterable[float], form: str, said: str, *, grid: bool = False
    ) -> None:
        """Write numbers of `x`, and below what they are; with a grid, draw a line up."""
        low = self.y.start
        for number in numbers:
            place = self.x(number)
            if grid:
                self.line([(place, low), (place, self.y.end)], "soft")
            self.text(place, low + 22, format(number, form), "small soft")
        self.text((self.x.start + self.x.end) / 2, low + 46, said, "small soft")

    def curve(
        self,
        points: Iterable[Point],
        role: str = "",
        *,
        look: str = "thick",
        said: str = "",
        beside: tuple[int, float, float] = (-1, 9, 5),
    ) -> list[Point]:
        """Join points by lines, and return their places.

        Its name may stand beside one of the points, that many pixels right of it and below.
        """
        places = [self.at(x, y) for x, y in points]
        self.line(places, f"{role} {look}")
        which, right, down = beside
        self.label(places[which][0] + right, places[which][1] + down, said, role)
        return places

    def __str__(self) -> str:
        """Return the SVG, which screen readers skip: its caption says what it shows."""
        size = f"{_px(self.width)} {_px(self.height)}"
        style = f"max-width: {_px(self.width * 1.1)}px"
        head = f'<svg class="drawing" viewBox="0 0 {size}" style="{style}"'
        return f'{head} aria-hidden="true">{"".join(self._parts)}</svg>'


def _named(names: str) -> str:
    return f'class="{" ".join(names.split())}"'


def _px(value: float) -> str:
    """Return a length with one decimal: enough for the eye."""
    return f"{round(value, 1):g}"


def _at(point: Point) -> str:
    return f"{_px(point[0])} {_px(point[1])}"
