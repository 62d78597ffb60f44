"""A canvas for SVG: text, boxes, lines, arrows and axes, in the page's colours."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

Point = tuple[float, float]

CANVAS_WIDTH_PX = 480  # a phone shows most pictures at three quarters of that
BOTTOM_MARGIN_PX = 8  # below the lowest element
MIN_ARROWHEAD_LENGTH_PX = 8


@dataclass(frozen=True)
class Axis:
    """A scale from values to pixels.

    Attributes:
        min_value: The value at `start_px`.
        max_value: The value at `end_px`.
        start_px: Where the axis begins.
        end_px: Where it ends.
        is_log: Whether equal factors, not equal differences, are equally far apart.
    """

    min_value: float
    max_value: float
    start_px: float
    end_px: float
    is_log: bool = False

    def to_pixels(self, value: float) -> float:
        """Return the pixel coordinate of a value."""
        low, high = self.min_value, self.max_value
        if self.is_log:
            share = math.log(value / low) / math.log(high / low)
        else:
            share = (value - low) / (high - low)
        return self.start_px + (self.end_px - self.start_px) * share


class Canvas:
    """An SVG picture that grows downwards with what is drawn.

    Lengths are pixels, and y grows downwards. `classes` are CSS classes, separated by
    spaces. One of them may be a role, which decides the colour: data, parameter,
    activation, gradient, attention or cost. Without a role an element has the colour
    of ink; `soft` makes it paler.

    Attributes:
        width: The width of the picture.
        height: The height so far.
        x_axis: Converts values to x, once `set_axes` was called.
        y_axis: Converts values to y, once `set_axes` was called.
    """

    x_axis: Axis
    y_axis: Axis

    def __init__(self) -> None:
        """Start an empty picture."""
        self.width, self.height = float(CANVAS_WIDTH_PX), 0.0
        self._elements: list[str] = []

    def _add(self, element: str, bottom: float) -> None:
        """Add an SVG element whose lowest point is at y = `bottom`."""
        self._elements.append(element)
        self.height = max(self.height, bottom + BOTTOM_MARGIN_PX)

    def text(self, x: float, y: float, text: object, classes: str = "") -> None:
        """Write text on a baseline at y, centred at x.

        Classes of text are small, large, strong, and start or end, which make it begin
        or end at x.
        """
        if text == "":
            return
        if not {"start", "middle", "end"} & {*classes.split()}:
            classes += " middle"
        words = re.sub(r"(?<!\w)-(?=\d)", "−", escape(str(text), quote=False))
        position = f'x="{_format_px(x)}" y="{_format_px(y)}"'
        element = f"<text {_class_attribute(classes)} {position}>{words}</text>"
        self._add(element, y + 3)

    def label(self, left: float, y: float, text: object, classes: str = "") -> None:
        """Write small text that begins at `left`, on a baseline at y."""
        self.text(left, y, text, f"{classes} small start")

    def box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        classes: str = "",
        *,
        opacity: float | None = None,
    ) -> None:
        """Draw the outline of a box, or fill it if an opacity from 0 to 1 is given."""
        kind, fill = "box", ""
        if opacity is not None:
            kind, fill = "cell", f' fill-opacity="{round(opacity, 3)}"'
        names = _class_attribute(f"{kind} {classes}")
        position = f'x="{_format_px(x)}" y="{_format_px(y)}"'
        size = f'width="{_format_px(width)}" height="{_format_px(height)}" rx="3"'
        self._add(f"<rect {names} {position} {size}{fill}/>", y + height)

    def text_box(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: object,
        classes: str = "",
        *,
        baseline: float = 5,
    ) -> None:
        """Draw a box with text, whose baseline is `baseline` below the box's middle."""
        self.box(x, y, width, height, classes)
        self.text(x + width / 2, y + height / 2 + baseline, text, classes)

    def bar_chart(
        self,
        rows: Iterable[tuple[str, str, float, object]],
        left: float,
        px_per_unit: float,
        row_height: float = 34,
    ) -> None:
        """Draw horizontal bars, of which the first stands out.

        Args:
            rows: For each bar its name, its role, its length in units, and a label
                beside it.
            left: Where the bars begin.
            px_per_unit: How long a unit is.
            row_height: The distance from bar to bar.
        """
        for i, (name, role, length, label) in enumerate(rows):
            y, width = 6 + row_height * i, max(px_per_unit * length, 1)
            self.label(4, y + 18, name, "" if i else f"{role} strong")
            self.box(left, y, width, 25, role, opacity=0.6)
            self.label(left + width + 8, y + 18, label, "strong")

    def cell_grid(
        self,
        x: float,
        y: float,
        cell_size: tuple[float, float],
        opacities: Iterable[Iterable[float]],
        role: str,
        gap: float = 1,
    ) -> None:
        """Draw rows of cells, filled with the given opacities, each from 0 to 1."""
        width, height = cell_size
        for i, row in enumerate(opacities):
            for j, opacity in enumerate(row):
                left, top = x + width * j, y + height * i
                self.box(left, top, width - gap, height - gap, role, opacity=opacity)

    def polyline(self, points: Iterable[Point], classes: str = "") -> None:
        """Join points by straight lines. Classes of lines are thick and dashed."""
        corners = [*points]
        pairs = " ".join(f"{_format_px(x)},{_format_px(y)}" for x, y in corners)
        element = f'<polyline {_class_attribute(f"line {classes}")} points="{pairs}"/>'
        self._add(element, max(y for _, y in corners))

    def strokes(self, strokes: Iterable[tuple[Point, float]], classes: str) -> None:
        """Draw level strokes, each from a point and so long, as one element."""
        starts = [*strokes]
        path = "".join(
            f"M{_format_point(start)}h{_format_px(length)}" for start, length in starts
        )
        element = f'<path {_class_attribute(f"line {classes}")} d="{path}"/>'
        self._add(element, max(y for (_, y), _ in starts))

    def arrow(
        self,
        start: Point,
        end: Point,
        role: str = "",
        *,
        bend: float = 0.0,
        line_width: float = 1.5,
    ) -> None:
        """Draw an arrow, whose middle is moved to its left by `bend` pixels."""
        (x0, y0), (x1, y1) = start, end
        length = math.dist(start, end) or 1.0
        # The control point of the curve: off the middle, at a right angle
        offset = (2 * bend * (y1 - y0) / length, -2 * bend * (x1 - x0) / length)
        control = ((x0 + x1) / 2 + offset[0], (y0 + y1) / 2 + offset[1])
        angle = math.atan2(y1 - control[1], x1 - control[0])
        head = MIN_ARROWHEAD_LENGTH_PX + 1.5 * line_width
        corners = [  # the shaft ends inside the head
            (x1 - size * math.cos(angle + turn), y1 - size * math.sin(angle + turn))
            for size, turn in ((0.8 * head, 0), (head, 0.42), (head, -0.42))
        ]
        tail, middle, tip, neck, left, right = map(
            _format_point, (start, control, end, *corners)
        )
        element = (
            f"<g {_class_attribute(f'arrow {role}')}><path"
            f' stroke-width="{round(line_width, 2)}" d="M{tail}Q{middle} {neck}"/>'
            f'<path class="head" d="M{tip}L{left} {right}Z"/></g>'
        )
        self._add(element, max(y0, y1))

    def circle(self, x: float, y: float, radius: float, classes: str = "") -> None:
        """Draw a filled circle, or only its edge if a class is `ring`."""
        size = f'cx="{_format_px(x)}" cy="{_format_px(y)}" r="{_format_px(radius)}"'
        names = _class_attribute(f"dot {classes}")
        self._add(f"<circle {names} {size}/>", y + radius)

    def set_axes(self, x_axis: Axis, y_axis: Axis) -> None:
        """Set the axes of `curve`, `to_pixels` and the ticks; y starts at the bottom."""
        self.x_axis, self.y_axis = x_axis, y_axis

    def to_pixels(self, x_value: float, y_value: float) -> Point:
        """Return the pixel coordinates of a pair of values."""
        return self.x_axis.to_pixels(x_value), self.y_axis.to_pixels(y_value)

    def y_ticks(self, values: Iterable[float], format_spec: str, title: str) -> None:
        """Draw a horizontal line for each value, and the axis's title above.

        `format_spec` formats the values, such as `.1f`.
        """
        x, y = self.x_axis, self.y_axis
        self.label(x.start_px, y.end_px - 6, title, "soft")
        for value in values:
            height = y.to_pixels(value)
            self.polyline([(x.start_px, height), (x.end_px, height)], "soft")
            text = format(value, format_spec)
            self.text(x.start_px - 8, height + 5, text, "small soft end")

    def x_ticks(
        self,
        values: Iterable[float],
        format_spec: str,
        title: str,
        *,
        grid: bool = False,
    ) -> None:
        """Write values below the picture, and the axis's title below them.

        `format_spec` formats the values; `grid` draws a line at each.
        """
        x, y = self.x_axis, self.y_axis
        for value in values:
            left = x.to_pixels(value)
            if grid:
                self.polyline([(left, y.start_px), (left, y.end_px)], "soft")
            self.text(left, y.start_px + 22, format(value, format_spec), "small soft")
        middle = (x.start_px + x.end_px) / 2
        self.text(middle, y.start_px + 46, title, "small soft")

    def curve(
        self,
        values: Iterable[Point],
        role: str = "",
        *,
        classes: str = "thick",
        name: str = "",
        name_position: tuple[int, float, float] = (-1, 9, 5),
    ) -> list[Point]:
        """Join pairs of values by lines on the axes.

        Args:
            values: The pairs, as (x, y) in units of the axes.
            role: The role of the line and of its name.
            classes: Other classes of the line.
            name: A name to write beside the curve.
            name_position: The index of the pair beside which the name stands, and how
                many pixels to the right of it and below it.

        Returns:
            The coordinates of the pairs, in pixels.
        """
        points = [self.to_pixels(x, y) for x, y in values]
        self.polyline(points, f"{role} {classes}")
        index, right, down = name_position
        self.label(points[index][0] + right, points[index][1] + down, name, role)
        return points

    def __str__(self) -> str:
        """Return the SVG, which screen readers skip: its caption says what it shows."""
        size = f"{_format_px(self.width)} {_format_px(self.height)}"
        style = f"max-width: {_format_px(self.width * 1.1)}px"
        tag = f'<svg class="drawing" viewBox="0 0 {size}" style="{style}"'
        return f'{tag} aria-hidden="true">{"".join(self._elements)}</svg>'


def _class_attribute(classes: str) -> str:
    return f'class="{" ".join(classes.split())}"'


def _format_px(length: float) -> str:
    """Return a length with one decimal, finer than a screen shows."""
    return f"{round(length, 1):g}"


def _format_point(point: Point) -> str:
    return f"{_format_px(point[0])} {_format_px(point[1])}"
