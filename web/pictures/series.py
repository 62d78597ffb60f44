"""What a `plot` fence draws: series of numbers, with a name at the end of each."""

import math
from itertools import groupby
from typing import Any

from pictures.drawing import WIDTH, Axis, Drawing, Point

LEFT, TOP, LOW, LINE = 56, 34, 254, 18  # pixels
MOST = 6  # series; more cannot be told apart
FEW = 24  # points that have a dot each


def draw(said: dict[str, Any]) -> Drawing:
    """Draw what the fence says: its title, the names of its axes, and the series."""
    series = {name: points(values) for name, values in said["series"].items()}
    if not 0 < len(series) <= MOST or not all(series.values()):
        raise ValueError(f"a plot has one to {MOST} series, and each has points")
    xs, ys = zip(*(point for each in series.values() for point in each), strict=True)
    levels, longest = ticks(min(ys), max(ys)), max(map(len, series))
    right = WIDTH - (26 if len(series) == 1 else 26 + 8 * longest)
    x, y = Axis(min(xs), max(xs), LEFT, right), Axis(levels[0], levels[-1], LOW, TOP)
    sheet = Drawing()
    sheet.axes(x, y)
    # as many decimals for all of them: 2.8, 3.0, 3.2
    digits = max(len(f"{level:g}".partition(".")[2]) for level in levels)
    sheet.levels(levels, f".{digits}f", said["y"])
    sheet.foot(
        [t for t in ticks(x.first, x.last) if x.first <= t <= x.last], ",g", said["x"]
    )
    ends = {}
    for place, (name, found) in enumerate(series.items(), 1):
        places, role = [sheet.at(*point) for point in found], f"s{place}"
        sheet.line(thin(places), role)
        for spot in places if len(places) <= FEW else places[-1:]:
            sheet.dot(*spot, 3.5, role)
        ends[name] = max(places)[1], role
    if len(series) > 1:
        for name, low in apart({name: end for name, (end, _) in ends.items()}).items():
            sheet.label(right + 12, low + 5, name, f"{ends[name][1]} strong")
    told = (f"{n}, from {p[0][1]:.4g} to {p[-1][1]:.4g}" for n, p in series.items())
    sheet.says = f"{said['title']}. {said['y']} against {said['x']}: {'; '.join(told)}"
    return sheet


def points(values: list[Any]) -> list[Point]:
    """Return pairs: numbers stand at 1, 2, 3 and so on, pairs at their own place."""
    return [
        (value[0], value[1]) if isinstance(value, list) else (place, value)
        for place, value in enumerate(values, 1)
    ]


def ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers, from the lowest or below to the highest or above."""
    about = (high - low) / 5 or 1
    unit = 10.0 ** math.floor(math.log10(about))
    step = next(unit * times for times in (1, 2, 5, 10) if unit * times >= about)
    return [
        round(step * i, 9)
        for i in range(math.floor(low / step), math.ceil(high / step) + 1)
    ]


def thin(places: list[Point]) -> list[Point]:
    """Keep the highest and the lowest of the points that share a pixel's column."""
    kept: list[Point] = []
    for _, column in groupby(places, key=lambda place: round(place[0])):
        all_ = list(column)
        ends = [pick(all_, key=lambda place: place[1]) for pick in (min, max)]
        kept += [place for place in all_ if place in ends]
    return kept


def apart(ends: dict[str, float]) -> dict[str, float]:
    """Return where names stand so that none covers another."""
    found, free = {}, float(TOP)
    for name in sorted(ends, key=lambda name: ends[name]):
        found[name] = max(ends[name], free)
        free = found[name] + LINE
    free = LOW
    for name in reversed([*found]):
        found[name] = min(found[name], free)
        free = found[name] - LINE
    return found
